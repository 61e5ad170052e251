// Some of the events that nobody was told of yet, and who is to be told of events. Webhooks are looked for last: whoever was there before one of the
// events is among them.
// $most
// returns: events: [id, caseId, sequence], subscribers: [id, events (names; * is all)]; no row where no event waits
MATCH (e:Pending)
WITH e LIMIT $most
WITH collect([e.id, e.caseId, e.sequence]) AS events
WHERE size(events) > 0
OPTIONAL MATCH (w:Webhook)
WHERE w.status = 'ACTIVE' AND w.removedAt IS NULL
RETURN events, [s IN collect([w.id, w.events]) WHERE s[0] IS NOT NULL] AS subscribers
