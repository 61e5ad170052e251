// Records payments of which some name the other account by numbers (IBAN, number at a bank): as transaction/record, and who is paid by number is whoever
// has it, or an external account where nobody has any. The numbers are locked before it is read who has them, so that whoever arrives with one of them
// meanwhile waits, and what is read stays true. (That two were named together is never taken back, and may be read before.)
// Left alone as well: a payment whose numbers nobody has ever named together, or of which only some are anybody's: whose they all are must be settled
// first (identifier/read). An account's id that is named beside numbers is one more number, and so the last; it counts before the others where the
// account's own record names one of them.
// Whose the numbers are is found once for all rows, and a row says which of them are its own by their places. (A pair of nobody at the end, so that
// there is one row where no payment names two numbers.) What was found is in a map, which the embedded engine does not copy into each row.
// $batch: in it
// numbers: [{id, name, at}], those of all rows, each once, sorted by id, one at least; at: its place in this list
// pairs: [{one, other, at}]: numbers that rows name together, each pair once; at: its place in this list
// rows: as for transaction/record
// $batch.changeSet: {id, stamp, createdAt} of the set of these changes
// returns: written (the writeIds of those recorded)
UNWIND $batch.pairs + [{at: size($batch.pairs)}] AS pair
OPTIONAL MATCH (i:AccountIdentifier {id: pair.one})-[together:NAMED_WITH]->(j:AccountIdentifier {id: pair.other})
WITH pair.at AS at, count(together) > 0 AS known ORDER BY at
WITH {named: collect(known)} AS pairs
UNWIND $batch.numbers AS number
MERGE (i:AccountIdentifier {id: number.id})
ON CREATE SET i.name = number.name
SET i.paid = true
WITH pairs, number, i
OPTIONAL MATCH (i)<-[l:IDENTIFIED_BY|HINTED_BY]-(a:Account)
WITH pairs, number.at AS at, min(CASE WHEN l.source = 'PAYMENT' THEN null ELSE a.id END) AS known, min(a.id) AS holder,
  collect(CASE WHEN l.source = 'PAYMENT' THEN null ELSE a.id END) AS owners ORDER BY at
WITH pairs, collect({known: known, holder: holder, owners: owners}) AS found
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH {named: pairs.named, found: found} AS lookup, clock.time AS now
