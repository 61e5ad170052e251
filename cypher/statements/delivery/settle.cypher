// Says how attempts went, where the lane is still its holder's: another who has it meanwhile tells his own.
// $rows: [{laneId, holder, deliveryId, attempt (JSON text), props: {state, failures, finishedAt}, dueAt,
//   released: [] or [true], ended: [] or [true]}]
// returns: id (of lanes that were the holder's)
UNWIND $rows AS row
MATCH (l:DeliveryLane {id: row.laneId})
SET l.claimant = row.holder
WITH l, row
WHERE l.holder = row.holder
SET l.dueAt = row.dueAt
FOREACH (_ IN row.released | SET l.holder = '')
WITH l, row
MATCH (d:Delivery {id: row.deliveryId})
SET d += row.props
SET d.attempts = d.attempts + 1, d.attemptLog = d.attemptLog + row.attempt
WITH l, row, d
OPTIONAL MATCH (d)-[waits:WAITS_IN]->(l)
FOREACH (link IN CASE WHEN size(row.ended) = 0 OR waits IS NULL THEN [] ELSE [waits] END | DELETE link)
RETURN DISTINCT l.id AS id
