// What is needed to give files out.
// $ids
// returns: id, name, mediaType, size, key (under which the content is in the store of files)
UNWIND $ids AS id
MATCH (f:File {id: id})
RETURN f.id AS id, f.name AS name, f.mediaType AS mediaType, f.size AS size, f.key AS key
