// Open cases in which detection gathers findings about actors, the oldest first.
// $ids: of actors
// returns: id (the actor's), cases: [id, createdAt (epoch milliseconds)]
UNWIND $ids AS id
MATCH (a:Actor {id: id})
CALL {
  WITH a
  MATCH (a)<-[:FOCUSES_ON]-(c:`Case`)
  WITH c, c.gatheredBy AS gatheredBy, c.state AS state
  WHERE gatheredBy IS NOT NULL AND state = 'OPEN'
  WITH c ORDER BY c.createdAt, c.id
  RETURN collect([c.id, c.createdAt]) AS cases
}
RETURN id, cases
