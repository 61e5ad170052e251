// Findings, and whether somebody has given feedback on them, acted on them, dismissed them or made a case of them.
// $ids
// returns: id, score (or null), observedAt (epoch milliseconds), transactionIds, belowTheLine, handled, actors: [id, primary]
UNWIND $ids AS id
MATCH (o:Observation {id: id})
CALL {
  WITH o
  MATCH (o)-[r:ABOUT]->(a:Actor)
  WITH a, coalesce(r.primary, false) AS primary ORDER BY a.id
  RETURN collect([a.id, primary]) AS actors
}
RETURN id, o.score AS score, o.observedAt AS observedAt, o.transactionIds AS transactionIds, coalesce(o.btlFlag, false) AS belowTheLine,
  EXISTS { MATCH (o)<-[:RAISED_FROM|GIVEN_ON|TAKEN_ON|DISMISSES]-(act) } AS handled, actors
