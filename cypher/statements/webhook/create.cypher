// Makes webhooks. Their secrets come sealed.
// $rows: [{id, props: {name, url, events: [names, or '*'], status, createdAt, tenant, secret, secretShown}}]
// returns: nothing
UNWIND $rows AS row
CREATE (w:Webhook {id: row.id})
SET w += row.props
