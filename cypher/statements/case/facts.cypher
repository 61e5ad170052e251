// What is to be shown of cases.
// $ids
// returns: id, name, version, kind, assignee, assigneeName
UNWIND $ids AS id
MATCH (c:`Case` {id: id})
OPTIONAL MATCH (c)-[:ASSIGNED_TO]->(u:User)
RETURN id, c.name AS name, c.version AS version, c.type AS kind, u.id AS assignee, u.name AS assigneeName
