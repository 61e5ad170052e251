// Gives cases tags, and takes tags from them. A tag that is there keeps its label.
// $rows: [{id, props: {…} (of the case), add: [{id, label}], remove: [id]}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
WITH c, row
OPTIONAL MATCH (c)-[old:HAS_TAG]->(t:Tag)
WHERE t.id IN row.remove
DELETE old
WITH DISTINCT c, row
FOREACH (tag IN row.add | MERGE (x:Tag {id: tag.id}) ON CREATE SET x.name = tag.label, x.label = tag.label MERGE (c)-[:HAS_TAG]->(x))
