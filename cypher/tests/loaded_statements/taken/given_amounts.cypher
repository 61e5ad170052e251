// What is given is answered: of each type of parameter one.
// $rows: LIST<MAP>, id and amount
// $flag: BOOLEAN, whether it counts
// $note: STRING?, what is said of it
// $shape: MAP, whatever it is
// returns: id, amount, flag, note, x
UNWIND $rows AS row
RETURN row.id AS id, row.amount AS amount, $flag AS flag, $note AS note, $shape.x AS x
