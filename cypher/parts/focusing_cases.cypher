// Part of risk/score and risk/add_score: of actors `n` whose band was another one `before`, the cases that focus on them. They are locked, so that of two actors
// of one case the second sees the first one's score; in the order of their ids, so that neither waits for the other.
WITH n, row, before
WHERE coalesce(before, '') <> coalesce(n.riskBand, '')
MATCH (n)<-[:FOCUSES_ON]-(c:`Case`)
WITH c, row.scoreId AS scoreId ORDER BY c.id
SET c.writeId = scoreId
