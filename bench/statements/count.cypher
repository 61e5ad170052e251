// How many transactions there are, from the store's own count.
// returns: total
MATCH (t:Transaction)
RETURN count(t) AS total
