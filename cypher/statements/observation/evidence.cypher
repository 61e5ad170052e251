// What findings rest on: the payments that they cite as evidence, the necessary ones first, with the accounts at their ends and whose they are, as far as they
// have come; how many there are in all; and whom the findings are about. Others' observations do not say what is evidence.
// $ids; $most: payments of each at most
// returns: id, metadata (JSON text, or null), payments: [id, name, evidence, account (that reported it), from, fromName, to, toName (ids and names of accounts,
//   or null), owner, ownerName (of the actor whose record it is, or null)], cited, actors: [id, name, primary]
UNWIND $ids AS id
MATCH (o:Observation {id: id})
CALL {
  WITH o
  MATCH (o)-[r:CITES]->(t:Transaction)
  WITH t, r.evidence AS evidence
  WHERE evidence IS NOT NULL AND NOT t:AwaitedTransaction
  WITH t, evidence, t.id AS payment, t.name AS name, t.accountId AS account, t.createdAt AS at
  ORDER BY evidence, at, payment LIMIT $most
  OPTIONAL MATCH (f:Account)-[:SENT]->(t)
  OPTIONAL MATCH (t)-[:RECEIVED_BY]->(s:Account)
  OPTIONAL MATCH (t)-[:OWNED_BY]->(w:Actor)
  RETURN collect([payment, name, evidence, account, f.id, CASE WHEN f IS NULL THEN null ELSE f.name END, s.id,
    CASE WHEN s IS NULL THEN null ELSE s.name END, w.id, CASE WHEN w IS NULL THEN null ELSE w.name END]) AS payments
}
CALL {
  WITH o
  MATCH (o)-[r:CITES]->(t:Transaction)
  WITH t, r.evidence AS evidence
  WHERE evidence IS NOT NULL AND NOT t:AwaitedTransaction
  RETURN count(t) AS cited
}
CALL {
  WITH o
  MATCH (o)-[r:ABOUT]->(a:Actor)
  WITH a, coalesce(r.primary, false) AS primary ORDER BY a.id
  RETURN collect([a.id, a.name, primary]) AS actors
}
RETURN id, o.metadata AS metadata, payments, cited, actors
