// Which of the files are a case's own.
// $ids
// returns: id
UNWIND $ids AS id
MATCH (f:File {id: id})
RETURN f.id AS id
