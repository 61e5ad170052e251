// Says of transactions of cases what is to become of them, in place of what was decided before; or takes that back.
// $rows: [{id, props: {…} (of the case), transaction, decisions: [{decision, by, at, comment}]: one, or none}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MATCH (t:Transaction {id: row.transaction})
SET c += row.props
WITH c, t, row
OPTIONAL MATCH (c)-[old:DECIDED_ON]->(t)
DELETE old
FOREACH (decision IN row.decisions | CREATE (c)-[r:DECIDED_ON]->(t) SET r += decision)
