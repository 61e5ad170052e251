// Part of risk/score and risk/add_score: the cases that focus on actors `n`, locked, so that of two actors of one case the second sees the first one's score.
WITH n, row.scoreId AS scoreId
MATCH (n)<-[:FOCUSES_ON]-(c:`Case`)
SET c.writeId = scoreId
