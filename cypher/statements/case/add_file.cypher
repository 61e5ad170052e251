// Adds files to cases, whose contents are in the store of files, and completes the request for data that each answers.
// $rows: [{id, props: {…} (of the case), file, fields: {…}, answered: [{id, props: {…}}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
CREATE (f:File {id: row.file})
SET f += row.fields
CREATE (c)-[:HAS_FILE]->(f)
FOREACH (q IN row.answered | MERGE (x:RequestForData {id: q.id}) SET x += q.props MERGE (x)-[:ANSWERED_BY]->(f))
