// Users who are known, by their ids.
// $ids
// returns: id, name, enabled, groups
UNWIND $ids AS id
MATCH (u:User {id: id})
WHERE NOT u:Placeholder
RETURN u.id AS id, u.name AS name, u.enabled AS enabled, coalesce(u.groups, []) AS groups
