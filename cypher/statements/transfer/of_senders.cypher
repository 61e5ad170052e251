// What accounts have sent, added up by receiver, currency and side of the report, and the roll-ups that say the same. Units are added up in millions and what
// is left of them, so that no sum passes 64 bits. Of an account that has sent more than so many payments neither: it is read by transfer/sums and
// transfer/roll_ups.
// $ids; $most: payments
// allows: 19 because units are added up in millions and what is left of them, of payments below 10^15 each
// returns: id, sent (how many payments), tallies [[to, currency, direction, count, millions, units, nanos, standardMillions, standardUnits, standardNanos,
//   first, last]], rollUps [[to, currency, their properties]]
UNWIND $ids AS id
MATCH (f:Account {id: id})
WITH f, COUNT { (f)-[:SENT]->() } AS sent
CALL {
  WITH f, sent
  UNWIND CASE WHEN sent <= $most THEN [1] ELSE [] END AS few
  MATCH (f)-[:SENT]->(t:Transaction)-[:RECEIVED_BY]->(s:Account)
  WHERE t.counted = true
  WITH s.id AS to, t.currency AS currency, t.direction AS direction, count(*) AS count, sum(t.amountUnits / 1000000) AS millions,
    sum(t.amountUnits % 1000000) AS units, sum(t.amountNanos) AS nanos, sum(t.standardUnits / 1000000) AS standardMillions,
    sum(t.standardUnits % 1000000) AS standardUnits, sum(t.standardNanos) AS standardNanos, min(t.createdAt) AS first, max(t.createdAt) AS last
  RETURN collect([to, currency, direction, count, millions, units, nanos, standardMillions, standardUnits, standardNanos, first, last]) AS tallies
}
CALL {
  WITH f, sent
  UNWIND CASE WHEN sent <= $most THEN [1] ELSE [] END AS few
  MATCH (f)-[r:TRANSFERRED_TO]->(s:Account)
  RETURN collect([s.id, r.currency, r.sentCount, r.sentUnits, r.sentNanos, r.sentCarry, r.sentStandardUnits, r.sentStandardNanos, r.sentStandardCarry,
    r.receivedCount, r.receivedUnits, r.receivedNanos, r.receivedCarry, r.receivedStandardUnits, r.receivedStandardNanos, r.receivedStandardCarry,
    r.count, r.totalUnits, r.totalNanos, r.totalCarry, r.first, r.last]) AS rollUps
}
RETURN f.id AS id, sent, tallies, rollUps
