// Notes of cases as what they are counted.
// $rows: [{id, countedAs: JSON}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c.countedAs = row.countedAs
REMOVE c:UncountedCase
