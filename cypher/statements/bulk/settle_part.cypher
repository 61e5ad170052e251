// Ends parts of bulk requests. Of their items there is a node for each that is asked for by its id, waits or has failed. The job of a request has
// ended when all of its items were tried: what waits then is looked at again as often as it takes, which is no part of it.
// $rows: [{id, completed: [{…}], deferred: [{…}], failed: [{…}]}], each item: {id, name, list, subject, state, body, missing, faults, attempts,
//   createdAt, logicalTime, processedAt, dueAt}; $now: epoch milliseconds
// allows: 19 because a request has at most some thousands of items
// returns: nothing
UNWIND $rows AS row
MATCH (p:BulkPart {id: row.id})-[:PART_OF]->(r:BulkRequest)
SET p.settledAt = $now
WITH p, r, row
FOREACH (item IN row.completed | CREATE (r)<-[:PART_OF]-(i:BulkItem {id: item.id, name: item.name, list: item.list, subject: item.subject,
  state: item.state, missing: item.missing, faults: item.faults, attempts: item.attempts, createdAt: item.createdAt,
  processedAt: item.processedAt}))
FOREACH (item IN row.deferred | CREATE (r)<-[:PART_OF]-(i:BulkItem:DeferredItem {id: item.id, name: item.name, list: item.list, subject: item.subject,
  state: item.state, body: item.body, missing: item.missing, faults: item.faults, attempts: item.attempts, createdAt: item.createdAt,
  logicalTime: item.logicalTime, dueAt: item.dueAt}))
FOREACH (item IN row.failed | CREATE (r)<-[:PART_OF]-(i:BulkItem:DeadLetter {id: item.id, name: item.name, list: item.list, subject: item.subject,
  state: item.state, body: item.body, missing: item.missing, faults: item.faults, attempts: item.attempts, createdAt: item.createdAt,
  processedAt: item.processedAt}))
WITH r, p, p.size AS size
DETACH DELETE p
WITH r, sum(size) AS tried
OPTIONAL MATCH (j:JobInstance {id: r.id})
WITH j, j.done + tried AS done
FOREACH (_ IN CASE WHEN j IS NULL THEN [] ELSE [1] END |
  SET j.done = done, j.savedAt = $now, j.startedAt = coalesce(j.startedAt, $now), j.runs = 1,
    j.status = CASE WHEN j.cancelRequestedAt IS NOT NULL THEN 'CANCELLED' WHEN done < j.total THEN 'RUNNING' ELSE 'DONE' END,
    j.endedAt = CASE WHEN j.cancelRequestedAt IS NOT NULL THEN coalesce(j.endedAt, $now) WHEN done < j.total THEN null ELSE $now END)
