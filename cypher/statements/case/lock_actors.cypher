// Locks cases until the transaction ends, and tells which of the actors named are theirs, and what the cases say of them.
// $rows: [{id, writeId, actors: [id]}]
// returns: id, version, eventSequence, actors: [id, FOCUSES_ON or CONCERNS, decision, customData, customProperties],
//   requests: [id, step it was on before (its node), step it waits at (its node)]: the requests for data that are open
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c.writeId = row.writeId
WITH c, row.actors AS actors
CALL {
  WITH c, actors
  UNWIND actors AS actor
  MATCH (a:Actor {id: actor})
  MATCH (c)-[r:FOCUSES_ON|CONCERNS]->(a)
  RETURN collect([a.id, type(r), r.decision, r.customData, r.customProperties]) AS found
}
CALL {
  WITH c
  MATCH (c)<-[:ABOUT]-(q:RequestForData)
  WHERE q.status = 'REQUESTED'
  WITH q ORDER BY q.id
  RETURN collect([q.id, q.stepBefore, q.waitsAt]) AS requests
}
RETURN c.id AS id, c.version AS version, c.eventSequence AS eventSequence, found AS actors, requests
