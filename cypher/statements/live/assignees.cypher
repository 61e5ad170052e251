// To whom cases are assigned now.
// $ids
// returns: id, assignee (a user's id; null when it is nobody's)
UNWIND $ids AS id
MATCH (c:`Case` {id: id})
RETURN c.id AS id, c.assigneeId AS assignee
