// Which of the things that items name are there, not as placeholders only.
// $actors, $locations, $communications, $groups, $observations, $transactions, $workflows: ids
// returns: kind (the label), id
UNWIND $actors AS id MATCH (n:Actor {id: id}) WHERE NOT n:Placeholder RETURN 'Actor' AS kind, n.id AS id
UNION ALL UNWIND $locations AS id MATCH (n:ChannelLocation {id: id}) WHERE n.record IS NOT NULL RETURN 'ChannelLocation' AS kind, n.id AS id
UNION ALL UNWIND $communications AS id MATCH (n:Communication {id: id}) WHERE NOT n:Placeholder RETURN 'Communication' AS kind, n.id AS id
UNION ALL UNWIND $groups AS id MATCH (n:SegmentationGroup {id: id}) RETURN 'SegmentationGroup' AS kind, n.id AS id
UNION ALL UNWIND $observations AS id MATCH (n:Observation {id: id}) WHERE NOT n:Placeholder RETURN 'Observation' AS kind, n.id AS id
UNION ALL UNWIND $transactions AS id MATCH (n:Transaction {id: id}) WHERE NOT n:Placeholder RETURN 'Transaction' AS kind, n.id AS id
UNION ALL UNWIND $workflows AS id MATCH (n:Workflow {id: id}) RETURN 'Workflow' AS kind, n.id AS id
