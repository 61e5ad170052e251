// All versions of accounts, the latest date first.
// $ids
// returns: id, rows: [asOfDate, recordedAt, record]
UNWIND $ids AS id
MATCH (n:Account {id: id})-[:HAS_VERSION]->(v:AccountVersion)
WITH id, v ORDER BY v.asOfDate DESC
RETURN id, collect([v.asOfDate, v.recordedAt, v.record]) AS rows
