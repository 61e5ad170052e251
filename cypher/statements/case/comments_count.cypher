// How many comments there are on cases.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:`Case` {id: id})
CALL {
  WITH n
  MATCH (n)-[:HAS_COMMENT]->(b:CaseComment)
  RETURN count(b) AS total
}
RETURN id, total
