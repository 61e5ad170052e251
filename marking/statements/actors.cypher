// Makes actors with records.
// $rows: [{id, name, type, domicile (or null)}]
// returns: nothing
UNWIND $rows AS row
CREATE (a:Actor {id: row.id, name: row.name, record: '{}', type: row.type, status: 'ACTIVE', domicile: row.domicile})
