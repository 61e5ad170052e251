// Detection runs, those asked for last first, from a place on, each with the job that did it last.
// $until: epoch milliseconds; $untilId: of those asked for at that moment only what comes behind this id, or null; $limit
// returns: run (a map), job (a map as in job_instance/list, or null)
MATCH (d:DetectionRun)
WHERE d.requestedAt <= $until AND (d.requestedAt < $until OR $untilId IS NULL OR d.id < $untilId)
WITH d ORDER BY d.requestedAt DESC, d.id DESC LIMIT $limit
OPTIONAL MATCH (j:JobInstance {id: d.jobId})
RETURN {id: d.id, closeOfBusinessDate: d.closeOfBusinessDate, lineOfBusiness: d.lineOfBusiness, processType: d.processType, requestedAt: d.requestedAt,
    requestedBy: d.requestedBy, requestedByName: d.requestedByName, jobId: d.jobId, knownUpTo: d.knownUpTo} AS run,
  CASE WHEN j IS NULL THEN null ELSE {status: j.status, done: j.done, total: j.total, startedAt: j.startedAt, endedAt: j.endedAt,
    lastError: j.lastError, result: j.result} END AS job
