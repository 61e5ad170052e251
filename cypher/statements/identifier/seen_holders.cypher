// Which account has a number just now, without locking anything: what a payment to it is likely to lock. Of several the one that transaction/record_by_number
// takes: a known one before one that payments have made.
// $ids: of the numbers
// returns: id (of the number), account (no row for a number that nobody has)
UNWIND $ids AS id
MATCH (i:AccountIdentifier {id: id})
MATCH (a:Account)-[l:IDENTIFIED_BY|HINTED_BY]->(i)
WITH id, min(CASE WHEN l.source = 'PAYMENT' THEN null ELSE a.id END) AS known, min(a.id) AS holder
RETURN id, coalesce(known, holder) AS account
