// How jobs stand: what every worker asks every second, and changes nothing. A kind of work that waits for a job whichever process brought it
// has a branch of its own below, which answers with the job's id and nothing else, and must cost nothing where there is none:
//   UNION ALL MATCH (n:WhatWaits) WITH n LIMIT 1 RETURN 'the job' AS id, null AS state
// $ids: the jobs a worker knows, $now: epoch milliseconds
// returns: id, state ({runs, dueAt, restUntil, leaseUntil, holder, failures, succeededAt}, succeededAt being createdAt at first, and holder null; null: work
//   waits for it)
UNWIND $ids AS id
MATCH (j:Job {id: id})
RETURN j.id AS id, {runs: j.runs, dueAt: j.dueAt, restUntil: j.restUntil, leaseUntil: j.leaseUntil, holder: j.holder, failures: j.failures,
  succeededAt: coalesce(j.succeededAt, j.createdAt)} AS state
UNION ALL MATCH (n:PaymentMove) WITH n LIMIT 1 RETURN 'payment-moves' AS id, null AS state
UNION ALL MATCH (n:BulkPart) WITH n LIMIT 1 RETURN 'bulk' AS id, null AS state
UNION ALL MATCH (n:Pending) WITH n LIMIT 1 RETURN 'events' AS id, null AS state
UNION ALL MATCH (n:DeliveryLane) WHERE n.dueAt <= $now WITH n LIMIT 1 RETURN 'deliveries' AS id, null AS state
UNION ALL MATCH (n:PendingScreening) WHERE n.dueAt <= $now WITH n LIMIT 1 RETURN 'actor-screenings' AS id, null AS state
UNION ALL MATCH (n:PendingPaymentScreening) WHERE n.dueAt <= $now WITH n LIMIT 1 RETURN 'payment-screenings' AS id, null AS state
UNION ALL MATCH (n:PendingPaymentScreening) WHERE n.bulkDueAt <= $now WITH n LIMIT 1 RETURN 'payment-screenings' AS id, null AS state
UNION ALL MATCH (n:WakingWebhook) WITH n LIMIT 1 RETURN 'webhook-lanes' AS id, null AS state
UNION ALL MATCH (n:Unsequenced) WITH n LIMIT 1 RETURN 'change-feed' AS id, null AS state
UNION ALL MATCH (n:UncountedCase) WITH n LIMIT 1 RETURN 'case-counts' AS id, null AS state
UNION ALL MATCH (n:ImportingWatchlist) MATCH (j:JobInstance {id: n.importId}) WITH j, j.endedAt AS endedAt WHERE endedAt IS NOT NULL WITH j LIMIT 1
  RETURN 'watchlists' AS id, null AS state
