// Payments that came in bulk or by an import, wait to be screened and are due: some nodes, each for several of them.
// $now: epoch milliseconds
// returns: id, payments (JSON text: [{id, submission}]), operations (with commas between them), tries (how often a provider has said nothing)
MATCH (p:PendingPaymentScreening)
WHERE p.bulkDueAt <= $now
WITH p LIMIT 20
RETURN p.id AS id, p.payments AS payments, p.operations AS operations, p.tries AS tries
