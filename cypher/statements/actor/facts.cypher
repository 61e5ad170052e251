// What is to be shown of actors, placeholders included.
// $ids
// returns: id, name, known, kind, status, asOfDate, nationality, domicile, dateOfBirth, recordedAt
UNWIND $ids AS id
MATCH (n:Actor {id: id})
// A placeholder has no type, and the embedded engine would make one up.
RETURN id, n.name AS name, NOT n:Placeholder AS known, CASE WHEN n:Placeholder THEN null ELSE n.type END AS kind, n.status AS status, n.asOfDate AS asOfDate,
  n.nationality AS nationality, n.domicile AS domicile, n.dateOfBirth AS dateOfBirth, n.recordedAt AS recordedAt
