// Audit entries of a time range, newest first. Filters are optional.
// $from, $to: epoch milliseconds, both included; $caseId, $logType: text or null; $offset, $limit
// returns: entry (a map)
MATCH (a:AuditEntry)
WHERE a.timestamp >= $from AND a.timestamp <= $to
  AND ($caseId IS NULL OR a.caseId = $caseId) AND ($logType IS NULL OR a.logType = $logType)
WITH a ORDER BY a.timestamp DESC, a.id DESC
SKIP $offset LIMIT $limit
RETURN a{.*} AS entry
