// Ids of payments of an account in a span of time, the latest first; nothing of an account that has sent or received more than so many
// in all.
// $id: of the account, $begin (included), $behind (not included): epoch milliseconds; $most
// returns: id, createdAt (epoch milliseconds)
MATCH (a:Account {id: $id})
WITH a, COUNT { (a)-[:SENT]->() } AS sent, COUNT { (a)<-[:RECEIVED_BY]-() } AS received
WHERE sent <= $most AND received <= $most
MATCH (a)-[:SENT|RECEIVED_BY]-(t:Transaction)
WITH t.id AS id, t.createdAt AS createdAt
WHERE createdAt >= $begin AND createdAt < $behind
RETURN id, createdAt
ORDER BY createdAt DESC, id LIMIT 10001
