// What payments add up to in observations that cite them, after the payments were recorded again or came at last: as observation/record says. The
// observations are locked before, so that of two that do it at once the second sees what the first has written.
// $payments: ids of transactions, $writeId
// returns: nothing
// allows: 19 because millions, what is left of them and billionths are each far below 64 bits for as many payments as a record may name
UNWIND $payments AS payment
MATCH (p:Transaction {id: payment})<-[:CITES]-(o:Observation)
WITH DISTINCT o ORDER BY o.id
SET o.writeId = $writeId
WITH o
