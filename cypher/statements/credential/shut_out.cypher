// Which of those who have sent something come in no more: keys and clients that were revoked, users that are not enabled.
// $ids
// returns: id
UNWIND $ids AS id MATCH (n:ApiKey {id: id}) WHERE n.revokedAt IS NOT NULL RETURN n.id AS id
UNION ALL UNWIND $ids AS id MATCH (n:Client {id: id}) WHERE n.revokedAt IS NOT NULL RETURN n.id AS id
UNION ALL UNWIND $ids AS id MATCH (n:User {id: id}) WHERE n.enabled = false RETURN n.id AS id
