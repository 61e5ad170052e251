// Cases that were made before a case and focus on an actor that it focuses on, the newest first.
// $ids; $most: cases of each at most
// returns: id, cases: [id, name]
UNWIND $ids AS id
MATCH (c:`Case` {id: id})
CALL {
  WITH c
  MATCH (c)-[:FOCUSES_ON]->(a:Actor)
  MATCH (a)<-[:FOCUSES_ON]-(b:`Case`)
  WITH DISTINCT b.id AS earlier, b.name AS name, b.createdAt AS at, c.id AS present, c.createdAt AS since
  WHERE at < since OR (at = since AND earlier < present)
  WITH earlier, name, at ORDER BY at DESC, earlier DESC LIMIT $most
  RETURN collect([earlier, name]) AS cases
}
RETURN id, cases
