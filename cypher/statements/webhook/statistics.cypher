// How deliveries to webhooks stand that were queued within a time, and how long their attempts took; of more than ten thousand the latest. An attempt is kept as
// JSON text, in which its milliseconds come before all that is not the service's own.
// $ids, $from, $to
// returns: id, states: [state, number], middle (milliseconds of the attempt in the middle, or null), slow (the same of the 95th of a hundred, or null)
UNWIND $ids AS id
CALL {
  WITH id
  MATCH (d:Delivery)
  WHERE d.webhookId = id AND d.createdAt >= $from AND d.createdAt < $to
  WITH d.state AS state, count(*) AS number
  WITH state, number ORDER BY state
  RETURN collect([state, number]) AS states
}
CALL {
  WITH id
  MATCH (d:Delivery)
  WHERE d.webhookId = id AND d.createdAt >= $from AND d.createdAt < $to
  WITH d ORDER BY d.createdAt DESC, d.id LIMIT 10000
  UNWIND d.attemptLog AS attempt
  WITH toInteger(split(split(attempt, '"millis":')[1], ',')[0]) AS millis
  WITH millis ORDER BY millis
  RETURN collect(millis) AS times
}
WITH id, states, times, size(times) AS attempts
RETURN id, states, CASE WHEN attempts = 0 THEN null ELSE times[toInteger(ceil(attempts * 0.5)) - 1] END AS middle,
  CASE WHEN attempts = 0 THEN null ELSE times[toInteger(ceil(attempts * 0.95)) - 1] END AS slow
