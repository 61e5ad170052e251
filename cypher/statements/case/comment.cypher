// Adds comments to cases.
// $rows: [{id, props: {…} (of the case), commentId, comment: {name, text, userId, createdAt}}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
CREATE (m:CaseComment {id: row.commentId})
SET m += row.comment
CREATE (c)-[:HAS_COMMENT]->(m)
