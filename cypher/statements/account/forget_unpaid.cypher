// Removes external accounts that have lost their last payment, with the numbers they were found by; they are locked first, so that who pays one of them
// at the same moment is waited for. Those stay whose numbers payments have named together: their numbers are one account's whatever comes.
// $rows: [{account, writeId}]
// returns: nothing
UNWIND $rows AS row
MATCH (e:Account {id: row.account})
SET e.writeId = row.writeId
WITH e
WHERE e:ExternalAccount AND NOT EXISTS { MATCH (e)-[:SENT|RECEIVED_BY]-(:Transaction) } AND NOT EXISTS { MATCH (:PaymentMove)-[:FROM]->(e) }
  AND NOT EXISTS { MATCH (e)-[:IDENTIFIED_BY]->(:AccountIdentifier)-[:NAMED_WITH]-(:AccountIdentifier) }
DETACH DELETE e
