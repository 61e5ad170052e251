// Makes accounts with records, and their owners' roles, which were always known.
// $rows: [{id, name, owners: [id]}]
// returns: nothing
UNWIND $rows AS row
CREATE (b:Account {id: row.id, name: row.name, record: '{}'})
WITH row, b
UNWIND row.owners AS owner
MATCH (a:Actor {id: owner})
CREATE (a)-[:HAS_ROLE {role: 'HOLDER'}]->(b)
