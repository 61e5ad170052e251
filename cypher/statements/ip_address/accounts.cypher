// Accounts that were signed in to from IP addresses, with how often and when first and last.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name, times, first, last]
UNWIND $ids AS id
MATCH (n:IpAddress {id: id})
CALL {
  WITH n
  MATCH (n)<-[:SEEN_AT]-(:Device)-[r:SIGNED_IN]->(b:Account)
  WHERE r.ipAddress = n.id
  WITH b, b.id AS key, count(r) AS times, min(r.at) AS first, max(r.at) AS last
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name, times, first, last]) AS rows
}
RETURN id, rows
