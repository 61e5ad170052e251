// Notes how webhooks do: since when all attempts have failed, or that one has not, or that they are told no more.
// $rows: [{id, failingSince (epoch milliseconds, or null: not any more), disabled: [] or [why], now}], sorted by id
// returns: nothing
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
SET w.failingSince = CASE WHEN row.failingSince IS NULL THEN null ELSE coalesce(w.failingSince, row.failingSince) END
FOREACH (why IN row.disabled | SET w.status = 'INACTIVE', w.disabledBecause = why)
