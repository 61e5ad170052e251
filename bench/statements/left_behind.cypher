// What a payment has left behind: names of properties, labels, types of links. One row, if it is there once with all that belongs to it.
// $id
// returns: to, payment, links, total, audit, account, accountKeys, numberKeys (a list for each number), sources (of its links to numbers)
MATCH (t:Transaction {id: $id})
MATCH (t)<-[:SENT]-(f:Account)-[r:TRANSFERRED_TO]->(s:Account)<-[:RECEIVED_BY]-(t)
MATCH (t)-[:OWNED_BY]->(o:Actor)
MATCH (a:AuditEntry)
WHERE a.objectId = $id
WITH t, r, s, a
OPTIONAL MATCH (s)-[l:IDENTIFIED_BY]->(i:AccountIdentifier)
WITH t, r, s, a, collect(keys(i)) AS numberKeys, collect(l.source) AS sources
MATCH (t)-[x]-()
WITH t, r, s, a, numberKeys, sources, collect(type(x)) AS links
RETURN s.id AS to, keys(t) AS payment, links, keys(r) AS total, keys(a) AS audit, labels(s) AS account, keys(s) AS accountKeys, numberKeys, sources
