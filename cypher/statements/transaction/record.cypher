// Records payments between two accounts, with audit entry and idempotency key, and adds them to the roll-ups. The other account is named by its
// id, or by numbers (IBAN, number at a bank): then it is whoever has them, or an external account where nobody has any. The numbers are locked
// first, so that whoever arrives with one of them meanwhile waits, and what is read of them stays true.
// Left alone, without a trace and missing in the answer: a transaction that was there before; one whose numbers nobody has ever named together,
// or of which only some are anybody's: whose they all are must be settled first (identifier/read).
// Without sub-queries, because the embedded engine writes in place only what has none: whose the numbers are is found once for all rows, and a row
// says which of them are its own by their places. (A number of nobody at the end, so that there is one row where no payment names a number.)
// $batch: a map, so that Neo4j makes one plan for batches of all sizes: planning this takes it seconds. In it
// numbers: [{id, name, at}], those of all rows, each once, sorted by id; at: its place in this list
// pairs: [{one, other, at}]: numbers that rows name together, each pair once; at: its place in this list
// rows: [{id, writeId, account, other (the other account's id, or null), outbound, owner, props: {…}, currency, countedAt (null when it does not
//   count), sentCount, sentUnits, sentNanos, sentStandardUnits, sentStandardNanos, receivedCount, receivedUnits, receivedNanos,
//   receivedStandardUnits, receivedStandardNanos (of these ten those that are not zero), numbers: [at] (the strongest first), pairs: [at],
//   externals: [{id, name, numbers: [id], pairs: [{one, other}]}] (to be made), fresh (the external account's id, when it is for numbers that
//   nobody has; or null), devices: [{id, name}], ips: [{id, name}], locations: [id], parties: [{id, name}], audit: {as in trail/append; its
//   id is the writeId, its objectId the id}, keys: [{id, bodyHash, answer, createdAt}]}]
// returns: ids (those recorded, a list for each pair of accounts)
FOREACH (number IN $batch.numbers |
  MERGE (i:AccountIdentifier {id: number.id}) ON CREATE SET i.name = number.name
  SET i.paid = true)
WITH size($batch.numbers) AS many
UNWIND $batch.pairs + [{at: size($batch.pairs)}] AS pair
OPTIONAL MATCH (i:AccountIdentifier {id: pair.one})-[together:NAMED_WITH]->(j:AccountIdentifier {id: pair.other})
WITH many, pair.at AS at, count(together) > 0 AS known ORDER BY at
WITH many, collect(known) AS named
UNWIND $batch.numbers + [{at: many}] AS number
OPTIONAL MATCH (i:AccountIdentifier {id: number.id})<-[l:IDENTIFIED_BY]-(a:Account)
WITH named, number.at AS at, min(CASE WHEN l.source = 'PAYMENT' THEN null ELSE a.id END) AS known, min(a.id) AS holder ORDER BY at
WITH named, collect({known: known, holder: holder}) AS found
UNWIND $batch.rows AS row
OPTIONAL MATCH (old:Transaction {id: row.id})
WITH row, named, found WHERE old IS NULL
OPTIONAL MATCH (there:Account {id: row.fresh})
WITH row, there, [at IN row.pairs WHERE NOT named[at]] AS apart, [at IN row.numbers WHERE found[at].holder IS NOT NULL | found[at]] AS held
WHERE (size(held) = size(row.numbers) AND size(apart) = 0) OR (size(held) = 0 AND row.fresh IS NOT NULL AND there IS NULL)
FOREACH (e IN CASE WHEN size(held) = 0 THEN row.externals ELSE [] END |
  MERGE (x:Account {id: e.id}) ON CREATE SET x:ExternalAccount, x.name = e.name
  FOREACH (_ IN CASE WHEN x.name = e.name THEN [] ELSE [1] END | SET x.name = e.name)
  FOREACH (n IN e.numbers | MERGE (i:AccountIdentifier {id: n}) MERGE (x)-[l:IDENTIFIED_BY]->(i) ON CREATE SET l.source = 'PAYMENT')
  FOREACH (two IN e.pairs | MERGE (i:AccountIdentifier {id: two.one}) MERGE (j:AccountIdentifier {id: two.other}) MERGE (i)-[:NAMED_WITH]->(j)))
WITH row,
  CASE WHEN row.outbound THEN row.account
    ELSE coalesce(row.other, head([h IN held WHERE h.known IS NOT NULL | h.known]), head([h IN held | h.holder]), row.fresh) END AS from,
  CASE WHEN row.outbound THEN coalesce(row.other, head([h IN held WHERE h.known IS NOT NULL | h.known]), head([h IN held | h.holder]), row.fresh)
    ELSE row.account END AS to
