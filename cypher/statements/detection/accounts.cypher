// When accounts were opened.
// $ids
// returns: id, openedDate (YYYY-MM-DD, or null)
UNWIND $ids AS id
MATCH (a:Account {id: id})
RETURN a.id AS id, a.openedDate AS openedDate
