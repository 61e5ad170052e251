// Locks cases until the transaction ends, and tells how a request for data on each stands, and which of the things that are to answer it the case has.
// A placeholder answers nothing: its record has not come.
// $rows: [{id, writeId, request, actors: [id], communications: [id], files: [id]}]
// returns: id, version, eventSequence, statuses: [status] (of the request; none where it is not the case's), answered: [id] (of what has answered it),
//   actors: [id], communications: [id], files: [id]
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c.writeId = row.writeId
WITH c, row.request AS request, row.actors AS people, row.communications AS letters, row.files AS papers
CALL {
  WITH c, request
  MATCH (q:RequestForData {id: request})
  MATCH (q)-[:ABOUT]->(c)
  RETURN collect(q.status) AS statuses
}
CALL {
  WITH request
  MATCH (q:RequestForData {id: request})-[:ANSWERED_BY]->(x)
  RETURN collect(x.id) AS answered
}
CALL {
  WITH c, people
  UNWIND people AS person
  MATCH (a:Actor {id: person})
  WHERE NOT a:Placeholder
  MATCH (c)-[:FOCUSES_ON|CONCERNS]->(a)
  RETURN collect(a.id) AS actors
}
CALL {
  WITH c, letters
  UNWIND letters AS letter
  MATCH (m:Communication {id: letter})
  WHERE NOT m:Placeholder
  MATCH (c)-[:HAS_COMMUNICATION]->(m)
  RETURN collect(m.id) AS communications
}
CALL {
  WITH c, papers
  UNWIND papers AS paper
  MATCH (f:File {id: paper})
  MATCH (c)-[:HAS_FILE]->(f)
  RETURN collect(f.id) AS files
}
RETURN c.id AS id, c.version AS version, c.eventSequence AS eventSequence, statuses, answered, actors, communications, files
