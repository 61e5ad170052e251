// Actors who share a phone, an address or a device and pay one account of somebody else, and how much of what they received they pay there.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $from: INTEGER, begin of the window in epoch milliseconds
// $to: INTEGER, its end, which is no part of it
// $knownUpTo: INTEGER, payments and roles on accounts are those that were known then, in epoch milliseconds
// $shared_by_at_most: INTEGER, what more actors have identifies nobody
// returns: actor, anchor (what is shared, and the account that is paid), transactions (ids of what they pay there),
//   measures (members: those who pay; paid_on: what they pay as a part of what they received)
// limit: 30s
// rows: 100000
UNWIND $actors AS id
MATCH (p:Actor {id: id})
CALL {
  WITH p
  MATCH (p)-[:HAS_PHONE]->(n:Phone)
  CALL {
    WITH n
    MATCH (n)<-[:HAS_PHONE]-(q:Actor)
    WITH DISTINCT q LIMIT 101
    RETURN collect(q) AS ring
  }
  RETURN n.id AS shared, ring
  UNION
  WITH p
  MATCH (p)-[:HAS_ADDRESS]->(n:Address)
  CALL {
    WITH n
    MATCH (n)<-[:HAS_ADDRESS]-(q:Actor)
    WITH DISTINCT q LIMIT 101
    RETURN collect(q) AS ring
  }
  RETURN n.id AS shared, ring
  UNION
  WITH p
  MATCH (p)-[h:HAS_ROLE|HAD_ROLE]->(a:Account)<-[s:SIGNED_IN]-(n:Device)
  WHERE (h.since IS NULL OR h.since <= $knownUpTo) AND (h.until IS NULL OR h.until > $knownUpTo) AND s.at < $to
  WITH DISTINCT n
  CALL {
    WITH n
    MATCH (n)-[s:SIGNED_IN]->(b:Account)
    WHERE s.at < $to
    WITH DISTINCT b LIMIT 101
    // A device of more accounts than these identifies nobody; some of them would be others each time.
    WITH collect(b.id) AS accounts
    UNWIND CASE WHEN size(accounts) > 100 THEN [] ELSE accounts END AS account
    MATCH (b:Account {id: account})
    MATCH (b)<-[h:HAS_ROLE|HAD_ROLE]-(q:Actor)
    WHERE (h.since IS NULL OR h.since <= $knownUpTo) AND (h.until IS NULL OR h.until > $knownUpTo)
    WITH DISTINCT q LIMIT 101
    RETURN collect(q) AS ring
  }
  RETURN n.id AS shared, ring
}
WITH p.id AS actor, shared, [q IN ring | q.id] AS members
WHERE size(members) >= 3 AND size(members) <= $shared_by_at_most
WITH shared, collect(DISTINCT actor) AS actors, collect(members)[0] AS members
UNWIND members AS member
MATCH (q:Actor {id: member})<-[:OWNED_BY]-(t:Transaction)
WITH shared, actors, members, member, t, t.createdAt AS at, t.status AS status, t.recordedAt AS recordedAt,
  t.excludedFromMonitoring AS excluded
WHERE at >= $from AND at < $to AND status = 'COMPLETED' AND recordedAt <= $knownUpTo AND excluded IS NULL
WITH shared, actors, members, member, sum(toFloat(CASE t.direction WHEN 'INBOUND' THEN t.standardizedAmount ELSE 0.0 END)) AS received,
  [t IN collect(t) WHERE t.direction = 'OUTBOUND'] AS sent
UNWIND sent AS t
MATCH (t)-[:RECEIVED_BY]->(z:Account)
WITH shared, actors, members, z, member, received, collect(t.id) AS ids, sum(toFloat(t.standardizedAmount)) AS paid
WITH shared, actors, members, z, collect(member) AS payers, collect(ids) AS lists, sum(toFloat(paid)) AS paid, sum(toFloat(received)) AS received
WHERE size(payers) >= 3 AND received > 0.0
OPTIONAL MATCH (z)<-[h:HAS_ROLE|HAD_ROLE]-(holder:Actor)
WHERE (h.since IS NULL OR h.since <= $knownUpTo) AND (h.until IS NULL OR h.until > $knownUpTo)
WITH shared, actors, members, z.id AS account, payers, lists, paid, received, collect(holder.id) AS holders
WHERE none(holder IN holders WHERE holder IN members)
UNWIND [actor IN actors WHERE actor IN payers] AS actor
UNWIND lists AS list
UNWIND list AS transaction
WITH actor, shared, account, size(payers) AS count, paid, received, transaction ORDER BY transaction
WITH actor, shared, account, count, paid, received, collect(transaction) AS transactions
RETURN actor, shared + ' / ' + account AS anchor, transactions,
  {members: toFloat(count), paid_on: CASE WHEN paid > received THEN 1.0 ELSE paid / received END} AS measures
