// How many audit entries match.
// $from, $to: epoch milliseconds, both included; $caseId, $logType: text or null
// returns: total
MATCH (a:AuditEntry)
WHERE a.timestamp >= $from AND a.timestamp <= $to
  AND ($caseId IS NULL OR a.caseId = $caseId) AND ($logType IS NULL OR a.logType = $logType)
RETURN count(a) AS total
