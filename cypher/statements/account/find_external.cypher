// Which external accounts payments have made under the numbers of accounts that have arrived now.
// $numbers: ids such as `iban:DE89…`
// returns: number, external
UNWIND $numbers AS number
MATCH (i:AccountIdentifier {id: number})<-[:IDENTIFIED_BY]-(e:Account)
WHERE e:ExternalAccount
RETURN number, e.id AS external
