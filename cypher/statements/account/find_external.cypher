// Which external accounts payments have made under the numbers of accounts that have arrived now. Locks them until the transaction ends, so that
// what they have sent and received stays as it is read next.
// $numbers: ids such as `iban:DE89…`; $writeId
// returns: number, external
UNWIND $numbers AS number
MATCH (i:AccountIdentifier {id: number})<-[:IDENTIFIED_BY]-(e:Account)
WHERE e:ExternalAccount
SET e.writeId = $writeId
RETURN number, e.id AS external
