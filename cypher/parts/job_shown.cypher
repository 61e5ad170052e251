// Part of job_instance/list and job_instance/read: what is shown of a job j.
RETURN {id: j.id, kind: j.kind, caption: j.name, status: j.status, payload: j.payload, done: j.done, total: j.total, priority: j.priority,
    createdAt: j.createdAt, createdBy: j.createdBy, createdByName: j.createdByName, startedAt: j.startedAt, savedAt: j.savedAt, endedAt: j.endedAt,
    attempts: j.runs, lastError: j.lastError, cancelRequestedAt: j.cancelRequestedAt, cancelledBy: j.cancelledBy, result: j.result} AS job
