// Cases that are there, with the request that has made them.
// $ids
// returns: id, record (null where it was made without one)
UNWIND $ids AS id
MATCH (c:`Case` {id: id})
RETURN c.id AS id, c.record AS record
