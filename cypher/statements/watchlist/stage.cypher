// Stages entries for the next version of a list. Until that counts, nobody is shown them; and what they replace is shown until then.
// Nothing where the import has its list no more.
// $rows: [{id, list, props: {…}, former: id of what it replaces (or null), ending: {…} (of that)}], $holder: the import's job
// returns: nothing
UNWIND $rows AS row
MATCH (l:Watchlist {id: row.list})
WHERE l.heldBy = $holder
OPTIONAL MATCH (f:WatchlistEntry {id: row.former})
MERGE (e:WatchlistEntry {id: row.id})
SET e += row.props
MERGE (e)-[:LISTED_ON]->(l)
FOREACH (_ IN CASE WHEN f IS NULL THEN [] ELSE [1] END | MERGE (e)-[:REPLACES]->(f) SET f += row.ending)
