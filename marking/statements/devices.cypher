// Signs in to accounts from devices.
// $rows: [{from (the account), to (the device), name, since (when, in epoch milliseconds; null for long ago)}]
// returns: nothing
UNWIND $rows AS row
MATCH (b:Account {id: row.from})
MERGE (d:Device {id: row.to})
ON CREATE SET d.name = row.name
CREATE (d)-[:SIGNED_IN {at: coalesce(row.since, 0)}]->(b)
