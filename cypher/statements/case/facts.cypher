// What is to be shown of cases besides what case/read shows.
// $ids
// returns: id, name, version, assignee, assigneeName, actions: what may be done where they stand
UNWIND $ids AS id
MATCH (c:`Case` {id: id})-[:AT_STEP]->(s:WorkflowStep)
CALL {
  WITH s
  MATCH (s)-[m:MAY_MOVE_TO]->(:WorkflowStep)
  WITH m.action AS action ORDER BY action
  RETURN collect(action) AS actions
}
OPTIONAL MATCH (c)-[:ASSIGNED_TO]->(u:User)
RETURN id, c.name AS name, c.version AS version, u.id AS assignee, u.name AS assigneeName, actions
