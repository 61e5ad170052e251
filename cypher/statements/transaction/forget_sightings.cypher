// Devices and addresses of payments that were amended: where no other payment and no sign-in shows the device at the address, it was not seen there.
// Locks the devices, so that a payment that is recorded at the same moment is waited for.
// $rows: [{device, ip}]; $writeId
// returns: nothing
UNWIND $rows AS row
MATCH (d:Device {id: row.device})
SET d.writeId = $writeId
WITH d, row
MATCH (d)-[seen:SEEN_AT]->(p:IpAddress)
WHERE p.id = row.ip
  AND NOT EXISTS { MATCH (d)<-[:USED]-(:Transaction)-[:CONNECTED_FROM]->(p) }
  AND NOT EXISTS { MATCH (d)-[s:SIGNED_IN]->(:Account) WHERE s.ipAddress = row.ip }
DELETE seen
