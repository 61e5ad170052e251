// What completed payments of actors add up to, by direction and currency: those that were made in a time and whose record names the actor as the owner. Of each
// actor at most so many are looked at. Units are added up in millions and what is left of them, so that no sum passes 64 bits.
// $ids; $begin, $behind: epoch milliseconds, the second one not included; $most: payments
// allows: 19 because units are added up in millions and what is left of them, of payments below 10^15 each
// returns: id, tallies [[direction, currency, count, millions, units, nanos, standardMillions, standardUnits, standardNanos]]
UNWIND $ids AS id
MATCH (a:Actor {id: id})
CALL {
  WITH a
  MATCH (a)<-[:OWNED_BY]-(t:Transaction)
  WITH t, t.createdAt AS at, t.status AS status
  WHERE at >= $begin AND at < $behind AND status = 'COMPLETED'
  WITH t LIMIT $most
  WITH t.direction AS direction, t.currency AS currency, count(*) AS count, sum(coalesce(t.amountUnits, 0) / 1000000) AS millions,
    sum(coalesce(t.amountUnits, 0) % 1000000) AS units, sum(coalesce(t.amountNanos, 0)) AS nanos,
    sum(coalesce(t.standardUnits, 0) / 1000000) AS standardMillions, sum(coalesce(t.standardUnits, 0) % 1000000) AS standardUnits,
    sum(coalesce(t.standardNanos, 0)) AS standardNanos
  RETURN collect([direction, currency, count, millions, units, nanos, standardMillions, standardUnits, standardNanos]) AS tallies
}
RETURN id, tallies
