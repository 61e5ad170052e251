// What is to be shown of transactions: one row each, its values in the order that all lists of transactions use.
// $ids
// returns: id, row
UNWIND $ids AS id
MATCH (t:Transaction {id: id})
RETURN id, [t.id, t.name, t.amountUnits, t.amountNanos, t.currency, t.createdAt, t.direction, t.status, t.channel, t.method, t.purpose,
  t.description, t.accountId, t.accountOwnerId, t.counterpartyName, t.channelLocationId, t.standardUnits, t.standardNanos] AS row
