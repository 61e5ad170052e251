// How far the change feed goes, which credentials of open connections have ended (keys and clients that were revoked, users who are not enabled), and the
// groups of users whose roles follow them. One statement answers for all connections of a process.
// $keys: ids of API keys, $tokens: ids of clients and users, $users: ids of users whose groups are wanted
// returns: position (of the last set of changes), forgotten (of the last that is kept no more; 0 for none), shutOut (the id of a credential that has
//   ended, in a row of its own; else empty), user (the id of a user, in a row of its own; else empty), groups (the user's)
MATCH (f:ChangeFeed {id: 'changes'}) RETURN f.position AS position, f.forgotten AS forgotten, '' AS shutOut, '' AS user, [] AS groups
UNION ALL UNWIND $keys AS id MATCH (n:ApiKey {id: id}) WHERE n.revokedAt IS NOT NULL
RETURN 0 AS position, 0 AS forgotten, n.id AS shutOut, '' AS user, [] AS groups
UNION ALL UNWIND $tokens AS id MATCH (n:Client {id: id}) WHERE n.revokedAt IS NOT NULL
RETURN 0 AS position, 0 AS forgotten, n.id AS shutOut, '' AS user, [] AS groups
UNION ALL UNWIND $tokens AS id MATCH (n:User {id: id}) WHERE n.enabled = false
RETURN 0 AS position, 0 AS forgotten, n.id AS shutOut, '' AS user, [] AS groups
UNION ALL UNWIND $users AS id MATCH (n:User {id: id})
RETURN 0 AS position, 0 AS forgotten, '' AS shutOut, n.id AS user, coalesce(n.groups, []) AS groups
