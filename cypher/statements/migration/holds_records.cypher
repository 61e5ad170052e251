// Whether anything was recorded: actors and accounts, known or only named.
// returns: total
OPTIONAL MATCH (a:Actor)
WITH count(a) AS actors
OPTIONAL MATCH (b:Account)
WITH actors, count(b) AS accounts
RETURN actors + accounts AS total
