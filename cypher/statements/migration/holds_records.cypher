// Whether anything was recorded: actors and accounts, known or only named, or cases.
// returns: total
OPTIONAL MATCH (a:Actor)
WITH count(a) AS actors
OPTIONAL MATCH (b:Account)
WITH actors, count(b) AS accounts
OPTIONAL MATCH (c:`Case`)
WITH actors, accounts, count(c) AS cases
RETURN actors + accounts + cases AS total
