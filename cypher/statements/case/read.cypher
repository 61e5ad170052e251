// Cases with all that Get Case shows.
// $ids
// returns: id, fields: {…}, workflow: {…}, actors: [id, FOCUSES_ON or CONCERNS, decision, customProperties], observations: [id, feedback], tags: [id, label]
UNWIND $ids AS id
MATCH (c:`Case` {id: id})-[:AT_STEP]->(s:WorkflowStep)<-[:HAS_STEP]-(w:Workflow)
CALL {
  WITH c
  MATCH (c)-[r:FOCUSES_ON|CONCERNS]->(a:Actor)
  WITH r, a ORDER BY type(r) DESC, a.id
  RETURN collect([a.id, type(r), r.decision, r.customProperties]) AS actors
}
CALL {
  WITH c
  MATCH (c)-[r:RAISED_FROM]->(o:Observation)
  WITH r, o ORDER BY o.id
  RETURN collect([o.id, r.feedback]) AS observations
}
CALL {
  WITH c
  MATCH (c)-[:HAS_TAG]->(t:Tag)
  WITH t ORDER BY t.id
  RETURN collect([t.id, t.label]) AS tags
}
RETURN id, {createdAt: c.createdAt, updatedAt: c.updatedAt, type: c.type, source: c.source, jurisdiction: c.jurisdiction, narrative: c.narrative,
    metadata: c.metadata, resolution: c.resolution, customProperties: c.customProperties} AS fields,
  {id: w.id, name: w.name, type: w.type, version: w.version, stepId: s.stepId, status: s.status, state: s.state} AS workflow,
  actors, observations, tags
