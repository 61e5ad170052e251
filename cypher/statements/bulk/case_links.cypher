// What cases that are there have already of what bulk cases name. A case that is not there has no row.
// $rows: [{id, actors: [id], observations: [id], communications: [id]}]
// returns: id, actors: [id], observations: [id], communications: [id]
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
WITH c, row.actors AS people, row.observations AS named, row.communications AS written
CALL {
  WITH c, people
  UNWIND people AS person
  MATCH (a:Actor {id: person})
  MATCH (c)-[:FOCUSES_ON|CONCERNS]->(a)
  RETURN collect(a.id) AS actors
}
CALL {
  WITH c, named
  UNWIND named AS observation
  MATCH (o:Observation {id: observation})
  MATCH (c)-[:RAISED_FROM]->(o)
  RETURN collect(o.id) AS observations
}
CALL {
  WITH c, written
  UNWIND written AS communication
  MATCH (m:Communication {id: communication})
  MATCH (m)<-[:HAS_COMMUNICATION]-(c)
  RETURN collect(m.id) AS communications
}
RETURN c.id AS id, actors, observations, communications
