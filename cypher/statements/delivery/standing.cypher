// Notes how webhooks do, after attempts: a success ends what had failed before it; the first failure begins to count; who says that it is gone, or has
// had nothing but failures for too long, is told nothing more. That is decided here, under the webhook's lock: who made the attempt knows it from before.
// Mostly there is nothing to note, and nothing is locked. What concerns an address that the webhook no longer has is not noted.
// $rows: [{id, url, failedAt (epoch milliseconds, or null: there was a success), gone: [] or [true], patience (epoch milliseconds: who has failed since
//   then or longer)}], sorted by id
// allows: 16 because of the rows about one webhook one at most has the address that it has
// returns: nothing
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
WHERE w.url = row.url AND (size(row.gone) > 0 OR (row.failedAt IS NULL AND w.failingSince IS NOT NULL)
  OR (row.failedAt IS NOT NULL AND coalesce(w.failingSince, 0) <= row.patience))
SET w.claimant = 'standing'
WITH w, row
WHERE w.url = row.url AND w.status = 'ACTIVE'
SET w.failingSince = CASE WHEN row.failedAt IS NULL THEN null ELSE coalesce(w.failingSince, row.failedAt) END
FOREACH (_ IN CASE WHEN size(row.gone) = 0 AND row.failedAt IS NOT NULL AND w.failingSince <= row.patience THEN [1] ELSE [] END |
  SET w.status = 'INACTIVE', w.disabledBecause = 'ONLY_FAILURES')
FOREACH (_ IN row.gone | SET w.status = 'INACTIVE', w.disabledBecause = 'GONE')
