// How far the change feed goes, and which credentials of open connections have ended: keys and clients that were revoked, users who are not enabled.
// One statement answers for all connections of a process.
// $keys: ids of API keys, $tokens: ids of clients and users
// returns: position (of the last set of changes), forgotten (of the last that is kept no more; 0 for none), shutOut (the id of a credential that has
//   ended, in a row of its own; empty in the row of the feed)
MATCH (f:ChangeFeed {id: 'changes'}) RETURN f.position AS position, f.forgotten AS forgotten, '' AS shutOut
UNION ALL UNWIND $keys AS id MATCH (n:ApiKey {id: id}) WHERE n.revokedAt IS NOT NULL RETURN 0 AS position, 0 AS forgotten, n.id AS shutOut
UNION ALL UNWIND $tokens AS id MATCH (n:Client {id: id}) WHERE n.revokedAt IS NOT NULL RETURN 0 AS position, 0 AS forgotten, n.id AS shutOut
UNION ALL UNWIND $tokens AS id MATCH (n:User {id: id}) WHERE n.enabled = false RETURN 0 AS position, 0 AS forgotten, n.id AS shutOut
