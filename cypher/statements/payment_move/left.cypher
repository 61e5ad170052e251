// Payments that are with an account by a number it had, and belong to whom the number is now. A payment belongs to who has the first of its numbers
// that an account's own record names, else to who has them by what payments say (as in transaction/record_by_number).
// $account; $most
// returns: id, numbers
MATCH (m:PaymentMove {id: $account})-[:BY]->(i:AccountIdentifier)
WITH collect(i.id) AS given
MATCH (b:Account {id: $account})-[r:SENT|RECEIVED_BY]-(t:Transaction)
WHERE type(r) = CASE t.direction WHEN 'OUTBOUND' THEN 'RECEIVED_BY' ELSE 'SENT' END AND any(number IN t.counterpartyNumbers WHERE number IN given)
CALL {
  WITH t
  UNWIND range(0, size(t.counterpartyNumbers) - 1) AS at
  MATCH (i:AccountIdentifier {id: t.counterpartyNumbers[at]})<-[l:IDENTIFIED_BY|HINTED_BY]-(a:Account)
  WITH at, a, l ORDER BY CASE
    WHEN l.source = 'PAYMENT' THEN 2
    WHEN type(l) = 'IDENTIFIED_BY' AND 'id:' + a.id = t.counterpartyNumbers[size(t.counterpartyNumbers) - 1] THEN 0
    ELSE 1 END, at, a.id
  RETURN collect(a.id)[0] AS place
}
WITH t, place
WHERE place <> $account
RETURN t.id AS id, t.counterpartyNumbers AS numbers
LIMIT $most
