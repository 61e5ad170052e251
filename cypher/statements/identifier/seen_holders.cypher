// Which accounts have numbers just now, without locking anything: what a payment to one of them is likely to lock.
// $ids: of the numbers
// returns: id (of the number), accounts: [ids] (no row for a number that nobody has)
UNWIND $ids AS id
MATCH (i:AccountIdentifier {id: id})
MATCH (a:Account)-[:IDENTIFIED_BY]->(i)
RETURN id, collect(a.id) AS accounts
