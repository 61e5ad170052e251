// Keeps the records of payments that are about to be replaced and are locked (transaction/lock), each with the time in which it was known. Accounts,
// device and address are ids: a version stays as it is, whatever becomes of those.
// $rows: [{id, versionId, from, to (ids of accounts, or null), device, ip (ids, or null), knownUntil}]
// returns: nothing
UNWIND $rows AS row
MATCH (t:Transaction {id: row.id})
OPTIONAL MATCH (t)-[:INVOLVES]->(p:Actor)
CREATE (v:TransactionVersion {id: row.versionId, name: t.name, record: t.record, writeId: t.writeId, transactionId: t.id, logicalTime: t.logicalTime,
  knownFrom: t.recordedAt, knownUntil: row.knownUntil, accountId: t.accountId, accountOwnerId: t.accountOwnerId, senderId: row.from, receiverId: row.to, partyId: p.id,
  deviceId: row.device, ipAddress: row.ip, amount: t.amount, amountUnits: t.amountUnits, amountNanos: t.amountNanos, currency: t.currency,
  standardizedAmount: t.standardizedAmount, standardUnits: t.standardUnits, standardNanos: t.standardNanos, createdAt: t.createdAt,
  direction: t.direction, status: t.status, counted: t.counted, counterpartyKind: t.counterpartyKind, counterpartyName: t.counterpartyName,
  counterpartyNumbers: t.counterpartyNumbers, accountBalance: t.accountBalance, channel: t.channel, channelLocationId: t.channelLocationId,
  description: t.description, method: t.method, purpose: t.purpose, userId: t.userId, userName: t.userName,
  excludedFromMonitoring: t.excludedFromMonitoring, counterpartyCountries: t.counterpartyCountries, international: t.international})
CREATE (t)-[:HAD_VERSION]->(v)
