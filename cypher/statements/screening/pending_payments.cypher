// Payments that were sent alone, wait to be screened and are due: some of them.
// $now: epoch milliseconds
// returns: id, payments (JSON text: [{id, submission}]), operations (with commas between them), tries (how often a provider has said nothing)
MATCH (p:PendingPaymentScreening)
WHERE p.dueAt <= $now
WITH p LIMIT 200
RETURN p.id AS id, p.payments AS payments, p.operations AS operations, p.tries AS tries
