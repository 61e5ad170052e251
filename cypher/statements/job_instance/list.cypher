// Jobs, the newest first, from a place on. Filters are optional.
// $until: epoch milliseconds, $untilId: of what was queued at that moment only what comes behind this id, or null; $kinds, $statuses,
// $createdBy: or null; $limit
// returns: job (a map)
MATCH (j:JobInstance)
WHERE j.createdAt <= $until AND (j.createdAt < $until OR $untilId IS NULL OR j.id < $untilId)
  AND ($kinds IS NULL OR j.kind IN $kinds) AND ($statuses IS NULL OR j.status IN $statuses)
  AND ($createdBy IS NULL OR j.createdBy = $createdBy)
WITH j ORDER BY j.createdAt DESC, j.id DESC LIMIT $limit
