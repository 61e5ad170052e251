// How risk rules were tuned, as it was known at a moment.
// $knownUpTo: epoch milliseconds
// returns: id, ruleId, version (whose weights they are), versions (whose status it is), status (or null), parameters (JSON text: weights), reason,
//   tunedAt (epoch milliseconds), tunedBy, tunedByName
MATCH (t:RiskRuleTuning)
WHERE t.tunedAt <= $knownUpTo
RETURN t.id AS id, t.ruleId AS ruleId, t.version AS version, t.versions AS versions, t.status AS status, t.parameters AS parameters,
  t.reason AS reason, t.tunedAt AS tunedAt, t.tunedBy AS tunedBy, t.tunedByName AS tunedByName
