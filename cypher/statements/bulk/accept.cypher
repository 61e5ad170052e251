// Takes bulk requests that bulk/lock has made: what they say of themselves, and the parts of their lists, which wait to be processed in the order of
// their ids. Each is a job, which the job `bulk` does.
// $rows: [{id, props: {…}, parts: [{id, name, list, body, first, size, subjects,
//   logicalTime (of its first item; the others follow)}],
//   job: {as in job_instance/create}}]
// returns: nothing
UNWIND $rows AS row
MATCH (r:BulkRequest {id: row.id})
SET r += row.props
FOREACH (part IN row.parts | CREATE (r)<-[:PART_OF]-(p:BulkPart {id: part.id, name: part.name, list: part.list, body: part.body, first: part.first,
  size: part.size, subjects: part.subjects, logicalTime: part.logicalTime}))
WITH row.job AS row
