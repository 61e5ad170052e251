// Records transactions whose other side is not known (cash over the counter, fees): as transaction/record, with one account and no roll-up.
// $batch.rows: as for transaction/record. What is said of the other side and tallies is not read.
// $batch.changeSet: {id, stamp, createdAt} of the set of these changes
// returns: written (the writeIds of those recorded)
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH clock.time AS now
UNWIND $batch.rows AS row
OPTIONAL MATCH (old:Transaction {id: row.id})
WITH row, now, row.account AS from, row.account AS to WHERE old IS NULL
