// How many are known, or are not.
// $known: boolean
// returns: total
MATCH (n:Account)
WHERE (n.record IS NOT NULL) = $known
RETURN count(n) AS total
