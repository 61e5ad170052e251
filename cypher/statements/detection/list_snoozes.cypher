// Snoozes, the newest first, from a place on. Filters are optional.
// $until: epoch milliseconds; $untilId: of those of that moment only what comes behind this id, or null; $actorId, $ruleId: or null;
// $activeAt: only what counts at this moment, or null; $pastAt: only what no longer does, or null (both epoch milliseconds); $limit
// returns: id, actorId, ruleId, until, reason, snoozedAt (this and until epoch milliseconds), snoozedBy, snoozedByName, endedAt (or null), endedBy,
//   endedByName, endReason
MATCH (z:Snooze)
WHERE z.snoozedAt <= $until AND (z.snoozedAt < $until OR $untilId IS NULL OR z.id < $untilId)
  AND ($actorId IS NULL OR z.actorId = $actorId) AND ($ruleId IS NULL OR z.ruleId = $ruleId)
  AND ($activeAt IS NULL OR (z.endedAt IS NULL AND z.until > $activeAt))
  AND ($pastAt IS NULL OR z.endedAt IS NOT NULL OR z.until <= $pastAt)
WITH z ORDER BY z.snoozedAt DESC, z.id DESC LIMIT $limit
RETURN z.id AS id, z.actorId AS actorId, z.ruleId AS ruleId, z.until AS until, z.reason AS reason, z.snoozedAt AS snoozedAt, z.snoozedBy AS snoozedBy,
  z.snoozedByName AS snoozedByName, z.endedAt AS endedAt, z.endedBy AS endedBy, z.endedByName AS endedByName, z.endReason AS endReason
