// How many nodes there are, from the store's own count.
// returns: total
MATCH (n:Account)
RETURN count(n) AS total
