// Audit entries of a time range, newest first, from a place on. Filters are optional.
// $from, $until: epoch milliseconds, both included; $untilId: of what happened at that moment only what comes behind this id, or null;
// $caseId, $logType: text or null; $skip, $limit
// returns: entry (a map)
MATCH (a:AuditEntry)
WHERE a.timestamp >= $from AND a.timestamp <= $until
  AND (a.timestamp < $until OR $untilId IS NULL OR a.id < $untilId)
  AND ($caseId IS NULL OR a.caseId = $caseId) AND ($logType IS NULL OR a.logType = $logType)
WITH a ORDER BY a.timestamp DESC, a.id DESC
SKIP $skip LIMIT $limit
RETURN a{.*} AS entry
