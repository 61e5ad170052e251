// To whom payments belong by their numbers (as in transaction/record_by_number).
// $ids
// returns: id, numbers, place (null when nobody has any)
UNWIND $ids AS id
MATCH (t:Transaction {id: id})
CALL {
  WITH t
  UNWIND range(0, size(t.counterpartyNumbers) - 1) AS at
  MATCH (i:AccountIdentifier {id: t.counterpartyNumbers[at]})<-[l:IDENTIFIED_BY]-(a:Account)
  WITH at, a, l ORDER BY CASE l.source WHEN 'PAYMENT' THEN 1 ELSE 0 END, at, a.id
  RETURN collect(a.id)[0] AS place
}
RETURN t.id AS id, t.counterpartyNumbers AS numbers, place
