// How a bulk case stands: a row for each time it was sent, in no order. Parts are read before items: a part may end between the two reads, and was read
// then, or its item is there by now. (Neo4j reads what is committed at each moment, not at one moment for the whole statement.)
// $case: its id
// returns: item (its id: the later, the greater; of one that was not looked at yet its part's), state, missing: [text], attempts, createdAt,
//   processedAt, dueAt
MATCH (p:BulkPart)-[:PART_OF]->(r:BulkRequest)
WHERE p.list = 'CASES' AND $case IN p.subjects
RETURN p.id AS item, 'PENDING' AS state, [] AS missing, 0 AS attempts, r.receivedAt AS createdAt, null AS processedAt, null AS dueAt
UNION ALL
MATCH (i:BulkItem)
WHERE i.subject = $case AND i.list = 'CASES'
RETURN i.id AS item, i.state AS state, i.missing AS missing, i.attempts AS attempts, i.createdAt AS createdAt, i.processedAt AS processedAt,
  i.dueAt AS dueAt
