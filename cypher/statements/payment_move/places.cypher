// To whom payments belong by their numbers (as in transaction/record_by_number).
// $ids
// returns: id, numbers, place (null when nobody has any)
UNWIND $ids AS id
MATCH (t:Transaction {id: id})
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
RETURN t.id AS id, t.counterpartyNumbers AS numbers, place
