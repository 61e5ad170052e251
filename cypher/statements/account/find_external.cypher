// Which external accounts payments have made, before the accounts with those numbers were known.
// $externals: ids such as `external:iban:DE89…`
// returns: external
UNWIND $externals AS external
MATCH (e:Account {id: external})
RETURN e.id AS external
