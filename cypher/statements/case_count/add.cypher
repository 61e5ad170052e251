// Adds to counts of cases, and makes those that are not there. No two rows are about one count.
// $rows: [{id, props: {…} (of a count that is made, which has 0), change}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:CaseCount {id: row.id})
ON CREATE SET n += row.props
SET n.count = n.count + row.change
