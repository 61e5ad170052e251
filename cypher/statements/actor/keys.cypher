// Ids of actors behind one of them, in order, as transaction/keys has those of payments.
// $after: an id, or '' for the first ones
// returns: id
MATCH (a:Actor)
WHERE a.id > $after
RETURN a.id AS id
ORDER BY id LIMIT 10000
