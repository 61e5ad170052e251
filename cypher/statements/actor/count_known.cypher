// How many are known, or are not.
// $known: boolean
// returns: total
MATCH (n:Actor)
WHERE (NOT n:Placeholder) = $known
RETURN count(n) AS total
