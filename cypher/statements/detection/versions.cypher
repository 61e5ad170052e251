// Former versions of payments that were known at a moment: what transaction/stream would have answered with then. The id is the version's.
// $ids; $knownUpTo: epoch milliseconds
// returns: id, payment (a map of the columns of transaction/stream)
UNWIND $ids AS id
MATCH (t:Transaction)-[:HAD_VERSION]->(v:TransactionVersion {id: id})
WITH t, v, v.knownFrom AS knownFrom, v.knownUntil AS knownUntil
WHERE knownFrom <= $knownUpTo AND knownUntil > $knownUpTo
RETURN v.id AS id, {id: t.id, accountId: v.accountId, accountOwnerId: v.accountOwnerId, from: v.senderId, to: v.receiverId, createdAt: v.createdAt,
    amountUnits: v.amountUnits, amountNanos: v.amountNanos, standardUnits: v.standardUnits, standardNanos: v.standardNanos, currency: v.currency,
    status: v.status, direction: v.direction, counted: v.counted, recordedAt: v.knownFrom, logicalTime: v.logicalTime,
    excluded: v.excludedFromMonitoring} AS payment
