// Which of the external accounts are there.
// $ids
// returns: id
UNWIND $ids AS id
MATCH (e:Account {id: id})
RETURN e.id AS id
