// Notes that a migration was applied.
// $id, $name, $at
// returns: nothing
MERGE (m:Migration {id: $id})
ON CREATE SET m.name = $name, m.appliedAt = $at
