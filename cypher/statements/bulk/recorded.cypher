// When payments and observations were recorded last.
// $transactions, $observations: ids
// returns: kind (the label), id, recordedAt (epoch milliseconds)
UNWIND $transactions AS id MATCH (n:Transaction {id: id}) WHERE NOT n:Placeholder RETURN 'Transaction' AS kind, n.id AS id, n.recordedAt AS recordedAt
UNION ALL UNWIND $observations AS id MATCH (n:Observation {id: id}) WHERE NOT n:Placeholder RETURN 'Observation' AS kind, n.id AS id, n.recordedAt AS recordedAt
