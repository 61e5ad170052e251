// The schemas of custom properties, as far as they are defined.
// $ids
// returns: id, schema
UNWIND $ids AS id
MATCH (p:CustomProperty {id: id})
RETURN p.id AS id, p.schema AS schema
