// Items that wait and are about the same things: what came later about one of them waits for it.
// $subjects
// returns: list, subject, id, sender (its id)
MATCH (i:BulkItem)
WHERE i.subject IN $subjects AND i.state = 'DEFERRED'
MATCH (i)-[:PART_OF]->(r:BulkRequest)
RETURN i.list AS list, i.subject AS subject, i.id AS id, r.userId AS sender
