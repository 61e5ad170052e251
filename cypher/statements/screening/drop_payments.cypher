// Takes payments from those that wait, once what was said of them is kept. Whoever lets the same wait meanwhile wants nothing else.
// $ids
// returns: nothing
UNWIND $ids AS id
MATCH (p:PendingPaymentScreening {id: id})
DETACH DELETE p
