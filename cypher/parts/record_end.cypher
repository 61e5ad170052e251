// Part of transaction/record and transaction/record_by_number: their answer, in one row: each takes Neo4j time. (The list is in a map, which the embedded
// engine does not copy into each row.)
WITH {ids: ids} AS recorded
UNWIND recorded.ids AS id
WITH collect(id) AS written
