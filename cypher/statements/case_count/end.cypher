// Ends a fold: the number of the counting becomes even, unless another fold has begun meanwhile.
// $number: the fold's, $writeId
// returns: nothing
MATCH (k:CaseCounting {id: 'cases'})
SET k.writeId = $writeId
WITH k
WHERE k.number = $number
SET k.number = $number + 1
