// Observations with all that Get Observation shows.
// $ids
// returns: id, record (null for a placeholder), fields: {…}, actors: [id, primary], missing: [id, link], cases: [id] (the last linked first)
UNWIND $ids AS id
MATCH (o:Observation {id: id})
CALL {
  WITH o
  MATCH (o)-[r:ABOUT]->(a:Actor)
  WITH r, a ORDER BY a.id
  RETURN collect([a.id, r.primary]) AS actors
}
CALL {
  WITH o
  MATCH (o)-[r:CITES|ABOUT|MENTIONS]->(x)
  WHERE x:Placeholder
  WITH r, x ORDER BY type(r), x.id
  RETURN collect([x.id, type(r)]) AS missing
}
CALL {
  WITH o
  MATCH (o)<-[r:RAISED_FROM]-(c:`Case`)
  WITH c.id AS raised, coalesce(r.linkedAt, c.recordedAt, c.createdAt) AS linkedAt, coalesce(r.linkedBy, '') AS linkedBy
  WITH raised ORDER BY linkedAt DESC, linkedBy DESC, raised
  RETURN collect(raised) AS cases
}
RETURN id, o.record AS record, {recordedAt: o.recordedAt, internalId: o.internalId, submittedBy: o.submittedBy} AS fields, actors, missing, cases
