// Who is to be told of events.
// $names: those of the events
// returns: id, events (names; * is all)
MATCH (w:Webhook)
WHERE w.status = 'ACTIVE' AND w.removedAt IS NULL AND any(name IN w.events WHERE name = '*' OR name IN $names)
RETURN w.id AS id, w.events AS events
