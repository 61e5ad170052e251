// How many API keys there are, revoked ones included: none means a first start.
// returns: total
MATCH (k:ApiKey)
RETURN count(k) AS total
