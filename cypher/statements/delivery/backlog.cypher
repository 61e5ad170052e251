// How much waits to be delivered: for the metrics. What waits is bounded by a count, as everything here is.
// $now: epoch milliseconds, $most
// returns: waiting (lanes that have something to deliver, at most $most), oldest (when the first of those that are due became so; null when none is)
MATCH (l:DeliveryLane)
WHERE l.dueAt > 0
WITH l.dueAt AS dueAt LIMIT $most
RETURN count(*) AS waiting, min(CASE WHEN dueAt <= $now THEN dueAt ELSE null END) AS oldest
