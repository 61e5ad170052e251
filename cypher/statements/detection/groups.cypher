// Segmentation groups that had an owner at a moment, with their members and owners of then.
// $knownUpTo: epoch milliseconds
// returns: id, name, members, owners (ids of actors)
MATCH (:Actor)-[:OWNS_GROUP|OWNED_GROUP]->(g:SegmentationGroup)
WITH DISTINCT g
CALL {
  WITH g
  MATCH (a:Actor)-[m:OWNS_GROUP|OWNED_GROUP]->(g)
  WITH a, m.since AS since, m.until AS until
  WHERE since <= $knownUpTo AND (until IS NULL OR until > $knownUpTo)
  WITH DISTINCT a.id AS id ORDER BY id
  RETURN collect(id) AS owners
}
CALL {
  WITH g
  MATCH (a:Actor)-[m:MEMBER_OF|WAS_MEMBER_OF]->(g)
  WITH a, m.since AS since, m.until AS until
  WHERE since <= $knownUpTo AND (until IS NULL OR until > $knownUpTo)
  WITH DISTINCT a.id AS id ORDER BY id
  RETURN collect(id) AS members
}
RETURN g.id AS id, g.name AS name, members, owners
