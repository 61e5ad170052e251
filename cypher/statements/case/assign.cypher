// Gives cases to users, or takes them from those who had them.
// $rows: [{id, props: {…} (of the case), users: [id]: one, or none}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
WITH c, row
OPTIONAL MATCH (c)-[old:ASSIGNED_TO]->(:User)
DELETE old
FOREACH (u IN row.users | MERGE (x:User {id: u}) ON CREATE SET x:Placeholder, x.name = u CREATE (c)-[:ASSIGNED_TO]->(x))
SET c.queue = c.state + '/' + coalesce(c.assigneeId, '')
