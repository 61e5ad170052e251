// Requests for data with all that is shown of them.
// $ids
// returns: id, type, caseId, status, request, createdAt, dueAt, reason
UNWIND $ids AS id
MATCH (q:RequestForData {id: id})
RETURN q.id AS id, q.type AS type, q.caseId AS caseId, q.status AS status, q.request AS request, q.createdAt AS createdAt, q.dueAt AS dueAt,
  q.reason AS reason
