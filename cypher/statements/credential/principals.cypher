// Who has these ids: API keys, token clients and users, revoked and disabled ones too, but nobody whom others have only named.
// $ids
// returns: id, name, kind
UNWIND $ids AS id MATCH (n:ApiKey {id: id}) RETURN n.id AS id, n.name AS name, 'API_KEY' AS kind
UNION ALL UNWIND $ids AS id MATCH (n:Client {id: id}) RETURN n.id AS id, n.name AS name, 'CLIENT' AS kind
UNION ALL UNWIND $ids AS id MATCH (n:User {id: id}) WHERE NOT n:Placeholder RETURN n.id AS id, n.name AS name, 'USER' AS kind
