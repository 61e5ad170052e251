// Part of transaction/record and transaction/record_by_number: each row with the two accounts that it is between, and the external ones that it makes.
UNWIND $batch.rows AS row
OPTIONAL MATCH (old:Transaction {id: row.id})
WITH row, now, lookup WHERE old IS NULL
WITH row, now, [at IN row.pairs WHERE NOT lookup.named[at]] AS apart, [f IN [at IN row.numbers | lookup.found[at]] WHERE f.holder IS NOT NULL] AS held,
  CASE WHEN any(at IN row.beside WHERE row.hint IN lookup.found[at].owners) THEN row.hint ELSE null END AS hinted
WITH row, now, apart, held, hinted, CASE WHEN size(held) = 0 THEN row.fresh ELSE null END AS fresh
OPTIONAL MATCH (there:Account {id: fresh})
WITH row, now, there, apart, held, hinted
WHERE (size(held) = size(row.numbers) AND size(apart) = 0) OR (size(held) = 0 AND row.fresh IS NOT NULL AND there IS NULL)
FOREACH (e IN CASE WHEN size(held) = 0 THEN row.externals ELSE [] END |
  MERGE (x:Account {id: e.id}) ON CREATE SET x:ExternalAccount, x.name = e.name
  FOREACH (_ IN CASE WHEN x.name = e.name THEN [] ELSE [1] END | SET x.name = e.name)
  FOREACH (n IN e.numbers | MERGE (i:AccountIdentifier {id: n}) MERGE (x)-[l:IDENTIFIED_BY]->(i) ON CREATE SET l.source = 'PAYMENT')
  FOREACH (two IN e.pairs | MERGE (i:AccountIdentifier {id: two.one}) MERGE (j:AccountIdentifier {id: two.other}) MERGE (i)-[:NAMED_WITH]->(j)))
WITH row, now,
  CASE WHEN row.outbound THEN row.account
    ELSE coalesce(row.other, hinted, head([h IN held WHERE h.known IS NOT NULL | h.known]), head([h IN held | h.holder]), row.fresh) END AS from,
  CASE WHEN row.outbound THEN coalesce(row.other, hinted, head([h IN held WHERE h.known IS NOT NULL | h.known]), head([h IN held | h.holder]), row.fresh)
    ELSE row.account END AS to
