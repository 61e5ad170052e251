// What is to be shown of accounts, placeholders and external accounts included.
// $ids
// returns: id, name, known, external, accountType, status, currencyCode, iban, accountNumber, domicile, asOfDate, openedDate, recordedAt
UNWIND $ids AS id
MATCH (n:Account {id: id})
RETURN id, n.name AS name, n.record IS NOT NULL AS known, n:ExternalAccount AS external, n.accountType AS accountType, n.status AS status,
  n.currencyCode AS currencyCode, n.iban AS iban, n.accountNumber AS accountNumber, n.domicile AS domicile, n.asOfDate AS asOfDate,
  n.openedDate AS openedDate, n.recordedAt AS recordedAt
