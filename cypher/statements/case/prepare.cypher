// Makes sure the cases are there and locks them, so that of two that make the same case one comes second. A workflow that is not there, or
// is for cases of another type, has no row, and makes no case. Neither does a case that is to report on what is no analysis: it has its row, locks
// nothing, and is refused.
// $rows: [{id, writeId, workflow, caseType, communications: [id] (that come with it), analyses: [id] (of cases that it reports on, one at most)}]
// returns: id, record (null for a case that is new), workflow, step (the first one's node), stepId, status, state, clock,
//   communications: [{id, linked (false), known, communicationType, subject, content, metadata, customData, senderId, receiverId, createdAt, sentAt,
//   logicalTime, senders (none), receivers (none)}]: those that are there,
//   analyses: [id] (those of the row's that are there, and are analyses), reported: [id] (what the case reports on already)
UNWIND $rows AS row
MATCH (w:Workflow {id: row.workflow})-[:HAS_STEP]->(s:WorkflowStep)
WHERE s.position = 0 AND w.type = row.caseType
WITH row, w, s, row.id AS wanted, row.communications AS written, row.analyses AS named
CALL {
  WITH named
  UNWIND named AS analysis
  MATCH (a:`Case` {id: analysis})
  RETURN collect(CASE WHEN a.version IS NOT NULL AND a.type = 'ANALYSIS' THEN a.id END) AS analyses
}
FOREACH (made IN CASE WHEN size(analyses) = size(named) THEN [wanted] ELSE [] END |
  MERGE (c:`Case` {id: made}) SET c.writeId = row.writeId)
WITH w, s, wanted, written, analyses
CALL {
  WITH written
  UNWIND written AS communication
  MATCH (m:Communication {id: communication})
  RETURN collect({id: m.id, linked: false, known: NOT m:Placeholder, recordTime: CASE WHEN m.record IS NULL THEN null ELSE coalesce(m.recordTime, m.logicalTime) END,
    communicationType: m.communicationType, subject: m.subject, content: m.content,
    metadata: m.metadata, customData: m.customData, senderId: m.senderId, receiverId: m.receiverId, createdAt: m.createdAt, sentAt: m.sentAt,
    logicalTime: m.logicalTime, senders: [], receivers: []}) AS communications
}
CALL {
  WITH wanted
  MATCH (f:`Case` {id: wanted})-[:REPORTS_ON]->(r:`Case`)
  RETURN collect(r.id) AS reported
}
OPTIONAL MATCH (k:`Case` {id: wanted})
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN wanted AS id, k.record AS record, w.id AS workflow, s.id AS step, s.stepId AS stepId, s.status AS status, s.state AS state,
  clock.time AS clock, communications, analyses, reported
