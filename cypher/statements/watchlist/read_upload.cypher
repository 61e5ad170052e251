// What is needed to import files that were uploaded.
// $ids
// returns: id, key (under which the content is in the store of files), size, sha256, uploadedAt (epoch milliseconds), uploadedBy
UNWIND $ids AS id
MATCH (u:WatchlistUpload {id: id})
RETURN u.id AS id, u.key AS key, u.size AS size, u.sha256 AS sha256, u.uploadedAt AS uploadedAt, u.uploadedBy AS uploadedBy
