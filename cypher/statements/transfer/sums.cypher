// What an account has sent to receivers behind one of them, as transfer/of_senders adds it up. It goes through all that the account has sent, so that it is
// asked for many receivers at a time.
// $account; $after: a receiver's id, or '' for the first ones
// allows: 19 because units are added up in millions and what is left of them, of payments below 10^15 each
// returns: to, currency, direction, count, millions, units, nanos, standardMillions, standardUnits, standardNanos, first, last
MATCH (f:Account {id: $account})-[:SENT]->(t:Transaction)-[:RECEIVED_BY]->(s:Account)
WITH t, s.id AS to
WHERE to > $after AND t.counted = true
WITH to, t.currency AS currency, t.direction AS direction, count(*) AS count, sum(t.amountUnits / 1000000) AS millions,
    sum(t.amountUnits % 1000000) AS units, sum(t.amountNanos) AS nanos, sum(t.standardUnits / 1000000) AS standardMillions,
    sum(t.standardUnits % 1000000) AS standardUnits, sum(t.standardNanos) AS standardNanos, min(t.createdAt) AS first, max(t.createdAt) AS last
RETURN to, currency, direction, count, millions, units, nanos, standardMillions, standardUnits, standardNanos, first, last
ORDER BY to, currency, direction LIMIT 10000
