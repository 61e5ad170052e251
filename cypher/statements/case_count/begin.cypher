// Begins a fold of cases into counts: the number of the counting becomes odd, and another than before, by which readers know that counts are being changed. A
// fold that was cut short has left an odd one. The first fold of a store makes the counting, and the first SET locks it until the transaction ends.
// $writeId
// returns: number (of the counting now)
MERGE (k:CaseCounting {id: 'cases'})
ON CREATE SET k.name = 'Counting of cases', k.number = 0
SET k.writeId = $writeId
WITH k, k.number + 1 + k.number % 2 AS number
SET k.number = number
RETURN number
