// Payments between monitored actors and counterparties that have an owner in common, or own one the other, and how many links of ownership are between.
// $payments: LIST<STRING>, ids of what monitored actors reported in the window
// $knownUpTo: INTEGER, ownership and roles on accounts are those that were known then, in epoch milliseconds
// returns: actor, anchor (the owner, and the counterparty), transactions (ids), measures (layers: links of ownership from the owner to both parties)
// limit: 30s
// rows: 100000
CALL {
  UNWIND $payments AS id
  MATCH (t:Transaction {id: id})-[:INVOLVES]->(q:Actor)
  MATCH (t)-[:OWNED_BY]->(p:Actor)
  RETURN p, q, t
  UNION
  UNWIND $payments AS id
  MATCH (t:Transaction {id: id})-[:SENT|RECEIVED_BY]-(b:Account)
  WHERE b.id <> t.accountId
  // Each account is left once, however many of the payments are its own: it may have a great many others.
  WITH b, collect(id) AS own
  MATCH (b)<-[h:HAS_ROLE|HAD_ROLE]-(q:Actor)
  WHERE (h.since IS NULL OR h.since <= $knownUpTo) AND (h.until IS NULL OR h.until > $knownUpTo)
  UNWIND own AS id
  MATCH (t:Transaction {id: id})-[:OWNED_BY]->(p:Actor)
  RETURN p, q, t
}
WITH DISTINCT p, q, t
WHERE q.id <> p.id
WITH p, q, t.id AS transaction ORDER BY transaction
WITH p, q, collect(transaction) AS transactions
// The owners of each are looked for once, however many there are at the other end.
WHERE EXISTS { MATCH (p)<-[:ASSOCIATED_WITH|WAS_ASSOCIATED_WITH]-(:Actor) } OR EXISTS { MATCH (q)<-[:ASSOCIATED_WITH|WAS_ASSOCIATED_WITH]-(:Actor) }
WITH p, collect({id: q.id, transactions: transactions}) AS others
CALL {
  WITH p
  MATCH way = (p)<-[:ASSOCIATED_WITH|WAS_ASSOCIATED_WITH*1..4]-(u:Actor)
  WHERE all(r IN relationships(way) WHERE (r.since IS NULL OR r.since <= $knownUpTo) AND (r.until IS NULL OR r.until > $knownUpTo)
    AND (coalesce(r.ratio, 0.0) > 0.0 OR r.type IN ['INVESTOR', 'OWNER', 'SHAREHOLDER', 'PARENT', 'UBO', 'BENEFICIAL_OWNER']))
  WITH u.id AS owner, min(length(way)) AS layers ORDER BY owner
  RETURN collect({owner: owner, layers: layers}) AS owners_of_p
}
UNWIND others AS other
WITH other.id AS party, collect({id: p.id, owners: owners_of_p, transactions: other.transactions}) AS payers
MATCH (q:Actor {id: party})
CALL {
  WITH q
  MATCH way = (q)<-[:ASSOCIATED_WITH|WAS_ASSOCIATED_WITH*1..4]-(u:Actor)
  WHERE all(r IN relationships(way) WHERE (r.since IS NULL OR r.since <= $knownUpTo) AND (r.until IS NULL OR r.until > $knownUpTo)
    AND (coalesce(r.ratio, 0.0) > 0.0 OR r.type IN ['INVESTOR', 'OWNER', 'SHAREHOLDER', 'PARENT', 'UBO', 'BENEFICIAL_OWNER']))
  WITH u.id AS owner, min(length(way)) AS layers ORDER BY owner
  RETURN collect({owner: owner, layers: layers}) AS owners_of_q
}
UNWIND payers AS payer
WITH party, payer.id AS actor, payer.transactions AS transactions, coalesce(payer.owners, []) AS owners_of_p, owners_of_q
WHERE size(owners_of_p) + size(owners_of_q) > 0
WITH party, actor, transactions, owners_of_p + [{owner: actor, layers: 0}] AS own, owners_of_q + [{owner: party, layers: 0}] AS theirs
UNWIND own AS one
UNWIND theirs AS other
WITH party, actor, transactions, one, other
WHERE one.owner = other.owner
WITH party, actor, transactions, one.owner AS owner, one.layers + other.layers AS layers ORDER BY layers, owner
WITH party, actor, transactions, collect({owner: owner, layers: layers}) AS common
RETURN actor, common[0].owner + ' / ' + party AS anchor, transactions, {layers: toFloat(common[0].layers)} AS measures
