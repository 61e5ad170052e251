// Says of jobs that are locked that they are to be cancelled. What nobody is at ends at once; whoever was at it when his lease ran out has it no more.
// $rows: [{id, at, by, idle: [true] or []}]
// returns: nothing
UNWIND $rows AS row
MATCH (j:JobInstance {id: row.id})
SET j.cancelRequestedAt = row.at, j.cancelledBy = row.by
FOREACH (_ IN row.idle | SET j.status = 'CANCELLED', j.endedAt = row.at, j.holder = '', j.leaseUntil = 0 REMOVE j:OpenJob)
