// What transfer/of_senders answers with, of single pairs of accounts and while nobody changes it: whoever adds to a roll-up locks the sender first, and so
// does this. The receiver is locked as well, or a roll-up that is there may be missed, as add_to_roll_up says. (To Neo4j a label that a node has already is a
// lock and no change.)
// $rows: [{sender, receiver, currency}], by senders
// allows: 19 because units are added up in millions and what is left of them, of payments below 10^15 each
// returns: from, to, currency, tallies, rollUps
UNWIND $rows AS row
MATCH (f:Account {id: row.sender})
SET f:Account
WITH f, row.receiver AS other, row.currency AS wanted
MATCH (o:Account {id: other})
SET o:Account
WITH f, o, wanted
CALL {
  WITH f, o, wanted
  MATCH (f)-[:SENT]->(t:Transaction)-[:RECEIVED_BY]->(o)
  WHERE t.counted = true AND t.currency = wanted
  WITH o.id AS to, t.currency AS currency, t.direction AS direction, count(*) AS count, sum(t.amountUnits / 1000000) AS millions,
    sum(t.amountUnits % 1000000) AS units, sum(t.amountNanos) AS nanos, sum(t.standardUnits / 1000000) AS standardMillions,
    sum(t.standardUnits % 1000000) AS standardUnits, sum(t.standardNanos) AS standardNanos, min(t.createdAt) AS first, max(t.createdAt) AS last
  RETURN collect([to, currency, direction, count, millions, units, nanos, standardMillions, standardUnits, standardNanos, first, last]) AS tallies
}
CALL {
  WITH f, o, wanted
  MATCH (f)-[r:TRANSFERRED_TO]->(o)
  WHERE r.currency = wanted
  RETURN collect([o.id, r.currency, r.sentCount, r.sentUnits, r.sentNanos, r.sentCarry, r.sentStandardUnits, r.sentStandardNanos, r.sentStandardCarry,
    r.receivedCount, r.receivedUnits, r.receivedNanos, r.receivedCarry, r.receivedStandardUnits, r.receivedStandardNanos, r.receivedStandardCarry,
    r.count, r.totalUnits, r.totalNanos, r.totalCarry, r.first, r.last]) AS rollUps
}
RETURN f.id AS from, o.id AS to, wanted AS currency, tallies, rollUps
