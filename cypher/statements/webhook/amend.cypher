// Changes webhooks, which webhook/lock has locked. One whose lanes are to be looked at again (it became active, or was removed) waits for that
// as a WakingWebhook: there may be very many lanes.
// $rows: [{id, props: {…}, waking: [id] or []}]
// returns: nothing
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
SET w += row.props
FOREACH (id IN row.waking | MERGE (x:Webhook {id: id}) SET x:WakingWebhook, x.wakingId = w.writeId)
