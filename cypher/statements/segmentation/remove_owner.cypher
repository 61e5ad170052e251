// Takes the ownership of groups from actors. That it was there is kept, with the time and who ended it.
// $rows: [{actor, group, at, by (a name), byId}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})-[o:OWNS_GROUP]->(g:SegmentationGroup {id: row.group})
CREATE (a)-[:OWNED_GROUP {since: o.since, by: o.by, byId: o.byId, until: CASE WHEN o.since > row.at THEN o.since ELSE row.at END, endedBy: row.by,
  endedById: row.byId}]->(g)
DELETE o
