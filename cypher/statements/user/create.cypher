// Makes users, whose names user/prepare has locked. Whom others have named already becomes the user in place.
// $rows: [{id, nameId, props: {name, username, firstName, lastName, enabled, groups, subject, createdAt}}]
// returns: nothing
UNWIND $rows AS row
MATCH (k:UniqueName {id: row.nameId})
SET k.holder = row.id
MERGE (u:User {id: row.id})
SET u += row.props
REMOVE u:Placeholder
