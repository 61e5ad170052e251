// Over how many others money has gone from one account to another.
// $one: STRING, id of an account
// $other: STRING, id of another
// returns: steps
MATCH (a:Account {id: $one})
MATCH (b:Account {id: $other})
MATCH way = shortestPath((a)-[:TRANSFERRED_TO*1..4]->(b))
RETURN length(way) AS steps
