// How a bulk case stands: a row for each time it was sent, in no order. Parts are read before items: a part may end between the two reads, and was read
// then, or its item is there by now. (Neo4j reads what is committed at each moment, not at one moment for the whole statement: of a part that goes while
// it is read there is no id any more, and no row.)
// $case: its id
// returns: item (its id: the later, the greater; of one that was not looked at yet its part's), state, missing: [text], attempts, createdAt,
//   processedAt, dueAt
MATCH (p:BulkPart)-[:PART_OF]->(r:BulkRequest)
WHERE p.list = 'CASES' AND $case IN p.subjects
WITH p.id AS item, r.receivedAt AS createdAt
WHERE item IS NOT NULL AND createdAt IS NOT NULL
RETURN item, 'PENDING' AS state, [] AS missing, 0 AS attempts, createdAt, null AS processedAt, null AS dueAt
UNION ALL
MATCH (i:BulkItem)
WHERE i.subject = $case AND i.list = 'CASES'
RETURN i.id AS item, i.state AS state, i.missing AS missing, i.attempts AS attempts, i.createdAt AS createdAt, i.processedAt AS processedAt,
  i.dueAt AS dueAt
