// The API key with a hash, unless it was revoked.
// $hash
// returns: id, role, name
MATCH (k:ApiKey)
WHERE k.hash = $hash AND k.revokedAt IS NULL
RETURN k.id AS id, k.role AS role, k.name AS name
