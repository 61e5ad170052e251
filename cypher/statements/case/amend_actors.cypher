// Changes what cases say of some of their actors; a field that comes as null is removed.
// $rows: [{id, props: {…} (of the case), actors: [{id, props: {…}}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
WITH c, row
UNWIND row.actors AS actor
MATCH (a:Actor {id: actor.id})
MATCH (c)-[r:FOCUSES_ON|CONCERNS]->(a)
SET r += actor.props
