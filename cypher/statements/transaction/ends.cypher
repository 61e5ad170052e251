// Where the money of transactions came from and went, what it was made with and where.
// $ids
// returns: id, from, fromName, to, toName, owner, ownerName, device, deviceName, ip, location, locationName
UNWIND $ids AS id
MATCH (t:Transaction {id: id})
OPTIONAL MATCH (t)<-[:SENT]-(f:Account)
OPTIONAL MATCH (t)-[:RECEIVED_BY]->(s:Account)
OPTIONAL MATCH (t)-[:OWNED_BY]->(o:Actor)
OPTIONAL MATCH (t)-[:USED]->(d:Device)
OPTIONAL MATCH (t)-[:CONNECTED_FROM]->(i:IpAddress)
OPTIONAL MATCH (t)-[:AT]->(l:ChannelLocation)
RETURN id, f.id AS from, f.name AS fromName, s.id AS to, s.name AS toName, o.id AS owner, o.name AS ownerName,
  d.id AS device, d.name AS deviceName, i.id AS ip, l.id AS location, l.name AS locationName
