// Ends parts of bulk requests. Of their items there is a node for each that is asked for by its id, waits or has failed.
// $rows: [{id, completed: [{…}], deferred: [{…}], failed: [{…}]}], each item: {id, name, list, subject, state, body, missing, faults, attempts,
//   createdAt, logicalTime, processedAt, dueAt}
// returns: nothing
UNWIND $rows AS row
MATCH (p:BulkPart {id: row.id})-[:PART_OF]->(r:BulkRequest)
FOREACH (item IN row.completed | CREATE (r)<-[:PART_OF]-(i:BulkItem {id: item.id, name: item.name, list: item.list, subject: item.subject,
  state: item.state, missing: item.missing, faults: item.faults, attempts: item.attempts, createdAt: item.createdAt,
  processedAt: item.processedAt}))
FOREACH (item IN row.deferred | CREATE (r)<-[:PART_OF]-(i:BulkItem:DeferredItem {id: item.id, name: item.name, list: item.list, subject: item.subject,
  state: item.state, body: item.body, missing: item.missing, faults: item.faults, attempts: item.attempts, createdAt: item.createdAt,
  logicalTime: item.logicalTime, dueAt: item.dueAt}))
FOREACH (item IN row.failed | CREATE (r)<-[:PART_OF]-(i:BulkItem:DeadLetter {id: item.id, name: item.name, list: item.list, subject: item.subject,
  state: item.state, body: item.body, missing: item.missing, faults: item.faults, attempts: item.attempts, createdAt: item.createdAt,
  processedAt: item.processedAt}))
DETACH DELETE p
