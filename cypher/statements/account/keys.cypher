// Ids of accounts behind one of them, in order, as transaction/keys has those of payments.
// $after: an id, or '' for the first ones
// returns: id
MATCH (a:Account)
WHERE a.id > $after
RETURN a.id AS id
ORDER BY id LIMIT 10000
