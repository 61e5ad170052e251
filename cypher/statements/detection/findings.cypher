// Earlier findings of the same rules that cite some of these payments.
// $rows: [{place, behavior, payments: ids}]
// returns: place, id, primary: [ids of the actors that it is about], transactionIds, businessDate, start, until (of its window), detectedAt (these three epoch
//   milliseconds), belowTheLine
UNWIND $rows AS row
UNWIND row.payments AS payment
MATCH (t:Transaction {id: payment})<-[:CITES]-(o:Observation)
WITH DISTINCT row.place AS place, row.behavior AS behavior, o
WITH place, o, behavior, o.behaviorId AS found, o.dataSource AS source
WHERE found = behavior AND source = 'Service - Detection'
CALL {
  WITH o
  MATCH (o)-[r:ABOUT]->(a:Actor)
  WITH a, r.primary AS primary
  WHERE primary = true
  WITH a ORDER BY a.id
  RETURN collect(a.id) AS primary
}
RETURN place, o.id AS id, primary, o.transactionIds AS transactionIds, o.businessDate AS businessDate, o.businessDateStart AS start,
  o.businessDateEnd AS until, o.detectionDate AS detectedAt,
  coalesce(o.btlFlag, false) AS belowTheLine
