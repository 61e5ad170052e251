// Those of cases that are there, with the item that has made them.
// $ids
// returns: id, record (null where no item has made it)
UNWIND $ids AS id
MATCH (c:`Case` {id: id})
RETURN c.id AS id, c.record AS record
