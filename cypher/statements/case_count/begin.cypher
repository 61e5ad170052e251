// Begins a fold of cases into counts: the number of the counting becomes odd, and another than before, by which readers know that counts are being changed. A
// fold that was cut short has left an odd one. The first SET locks the counting until the transaction ends.
// $writeId
// returns: number (of the counting now)
MATCH (k:CaseCounting {id: 'cases'})
SET k.writeId = $writeId
WITH k, k.number + 1 + k.number % 2 AS number
SET k.number = number
RETURN number
