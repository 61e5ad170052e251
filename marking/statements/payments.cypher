// Makes payments between two accounts, each with the actor who reported it.
// $rows: [{id, from, to, owners: [id], props: {…}}]
// returns: nothing
UNWIND $rows AS row
MATCH (f:Account {id: row.from})
MATCH (s:Account {id: row.to})
CREATE (t:Transaction {id: row.id})
SET t += row.props
CREATE (f)-[:SENT]->(t)
CREATE (t)-[:RECEIVED_BY]->(s)
WITH row, t
UNWIND row.owners AS owner
MATCH (a:Actor {id: owner})
CREATE (t)-[:OWNED_BY]->(a)
