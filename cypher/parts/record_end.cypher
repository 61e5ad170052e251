// Part of transaction/record and transaction/record_by_number: their answer, in one row: each takes Neo4j time.
WITH ids
UNWIND ids AS id
WITH collect(id) AS written
