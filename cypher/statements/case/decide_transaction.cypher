// Says of transactions of cases what is to become of them, in place of what was decided before.
// $rows: [{id, props: {…} (of the case), transaction, decision: {decision, by, at, comment}}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MATCH (t:Transaction {id: row.transaction})
SET c += row.props
MERGE (t)<-[r:DECIDED_ON]-(c)
SET r += row.decision
