// Some of the events that nobody was told of yet, and who is to be told of events. Webhooks are looked for last: whoever was there before one of the
// events is among them.
// $most
// returns: events: [id, caseId, sequence, eventName], subscribers: [id, events (names; * is all)]; no row where no event waits
MATCH (e:Pending)
WITH e LIMIT $most
WITH collect([e.id, e.caseId, e.sequence, e.name]) AS events
WHERE size(events) > 0
CALL {
  MATCH (w:Webhook)
  WHERE w.status = 'ACTIVE' AND w.removedAt IS NULL
  RETURN collect([w.id, w.events]) AS subscribers
}
RETURN events, subscribers
