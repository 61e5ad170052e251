// Locks the counting of cases until the transaction ends.
// $writeId
// returns: number (of the counting)
MATCH (k:CaseCounting {id: 'cases'})
SET k.writeId = $writeId
RETURN k.number AS number
