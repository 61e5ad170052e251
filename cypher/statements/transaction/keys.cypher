// Ids of payments behind one of them, in order: where a stream of payments goes on. As few at a time as the embedded engine, which looks at all of the label
// for it, keeps in order while it looks: it does so where what is sorted by is what is returned, and the limit is written here.
// $after: an id, or '' for the first ones
// returns: id
MATCH (t:Transaction)
WHERE t.id > $after
RETURN t.id AS id
ORDER BY id LIMIT 10000
