// Other actors that share an identity with actors, by identity.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name, link type, identity id, identity name]
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)-[r:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]->(i)<-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]-(b:Actor)
  WHERE b.id <> n.id
  WITH b, b.id + '\n' + type(r) + ' ' + i.id AS key, r, i
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name, type(r), i.id, i.name]) AS rows
}
RETURN id, rows
