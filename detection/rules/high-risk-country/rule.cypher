// Payments between monitored actors and counterparties in countries of high risk: where a counterparty lives, where its account is by its IBAN, or what the
//   payment says. A payment within the actor's own country (where it lives or has an IBAN) is none, unless it was said to be international.
// $payments: LIST<STRING>, ids of what monitored actors reported in the window
// $knownUpTo: INTEGER, roles on accounts are those that were known then, in epoch milliseconds
// $countries: LIST<STRING>, codes of countries of high risk
// returns: actor, anchor (the country), transactions (ids), measures (none beside those of all marks)
// limit: 30s
// rows: 100000
CALL {
  UNWIND $payments AS id
  MATCH (t:Transaction {id: id})
  UNWIND split(coalesce(t.counterpartyCountries, ''), ' ') + [n IN coalesce(t.counterpartyNumbers, []) WHERE n STARTS WITH 'iban:' | substring(n, 5, 2)] AS country
  WITH t, country
  WHERE country IN $countries
  RETURN t, country
  UNION
  UNWIND $payments AS id
  MATCH (t:Transaction {id: id})-[:INVOLVES]->(q:Actor)
  WITH t, q.domicile AS country
  WHERE country IN $countries
  RETURN t, country
  UNION
  UNWIND $payments AS id
  MATCH (t:Transaction {id: id})-[:SENT|RECEIVED_BY]-(b:Account)
  WHERE b.id <> t.accountId
  // Each account is left once, however many of the payments are its own: it may have a great many others.
  WITH b, collect(id) AS own
  MATCH (b)<-[h:HAS_ROLE|HAD_ROLE]-(q:Actor)
  WHERE (h.since IS NULL OR h.since <= $knownUpTo) AND (h.until IS NULL OR h.until > $knownUpTo)
  WITH q, q.domicile AS country, own
  WHERE country IN $countries
  UNWIND own AS id
  MATCH (t:Transaction {id: id})-[:OWNED_BY]->(p:Actor)
  WHERE q.id <> p.id
  RETURN t, country
  UNION
  UNWIND $payments AS id
  MATCH (t:Transaction {id: id})-[:SENT|RECEIVED_BY]-(b:Account)
  WHERE b.id <> t.accountId
  WITH b, collect(id) AS own
  MATCH (b)-[:IDENTIFIED_BY]->(n:AccountIdentifier)
  WHERE n.id STARTS WITH 'iban:'
  WITH substring(n.id, 5, 2) AS country, own
  WHERE country IN $countries
  UNWIND own AS id
  MATCH (t:Transaction {id: id})
  RETURN t, country
}
WITH DISTINCT t, country
MATCH (t)-[:OWNED_BY]->(p:Actor)
WHERE coalesce(t.international, false) OR (coalesce(p.domicile, '') <> country
  AND NOT EXISTS { MATCH (p)-[:HAS_ROLE]->(:Account)-[:IDENTIFIED_BY]->(n:AccountIdentifier) WHERE n.id STARTS WITH 'iban:' + country })
WITH p.id AS actor, country AS anchor, t.id AS transaction ORDER BY transaction
WITH actor, anchor, collect(transaction) AS transactions
RETURN actor, anchor, transactions, {} AS measures
