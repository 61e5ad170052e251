// Everything was moved: the note goes.
// $account
// returns: nothing
MATCH (m:PaymentMove {id: $account})
DETACH DELETE m
