// Payments between monitored actors and counterparties that are politically exposed persons, by their latest assessment that was known then.
// $payments: LIST<STRING>, ids of what monitored actors reported in the window
// $knownUpTo: INTEGER, assessments and roles on accounts are those that were known then, in epoch milliseconds
// returns: actor, anchor (the counterparty), transactions (ids), measures (none beside those of all marks)
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
MATCH (q)-[:HAS_RISK_ASSESSMENT]->(x:RiskAssessment)
WITH p, q, t, CASE WHEN x.value IS NULL THEN null ELSE x.type END AS kind, x.asOfDate AS date, x.value AS value, x.recordedAt AS recordedAt
WHERE kind = 'PEP' AND recordedAt <= $knownUpTo
WITH p.id AS actor, q.id AS anchor, t.id AS transaction, date, toLower(trim(value)) AS value ORDER BY date DESC, value, transaction
WITH actor, anchor, collect(DISTINCT transaction) AS transactions, collect({date: date, value: value}) AS assessments
WHERE any(x IN assessments WHERE x.date = assessments[0].date AND NOT x.value IN ['no', 'false', 'none'])
RETURN actor, anchor, transactions, {} AS measures
