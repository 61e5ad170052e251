// Gives cases to users, or takes them from those who had them. They wait to be counted as theirs.
// $rows: [{id, props: {…} (of the case), users: [id]: one, or none}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props, c:UncountedCase
WITH c, row
OPTIONAL MATCH (c)-[old:ASSIGNED_TO]->(:User)
DELETE old
FOREACH (u IN row.users | MERGE (x:User {id: u}) ON CREATE SET x:Placeholder, x.name = u CREATE (c)-[:ASSIGNED_TO]->(x))
SET c.queue = c.state + '/' + coalesce(c.assigneeId, '')
