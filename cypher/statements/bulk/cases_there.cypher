// Those of cases that are there.
// $ids
// returns: id
UNWIND $ids AS id
MATCH (c:`Case` {id: id})
RETURN c.id AS id
