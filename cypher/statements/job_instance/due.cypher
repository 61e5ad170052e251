// Jobs that can be claimed now, of each kind those that come first: as many as may be under way besides those that are. One that somebody wants cancelled
// can be claimed whatever it waits for.
// $perKind: [{kind, most: of it at a time}], $now: epoch milliseconds
// returns: id, kind, runs, cancelled
UNWIND $perKind AS wanted
CALL {
  WITH wanted
  MATCH (held:OpenJob)
  WHERE held.kind = wanted.kind AND held.leaseUntil > $now
  RETURN count(*) AS held
}
CALL {
  WITH wanted
  MATCH (j:OpenJob)
  WHERE j.kind = wanted.kind AND j.leaseUntil <= $now AND (j.dueAt <= $now OR j.cancelRequestedAt IS NOT NULL)
  WITH j, j.cancelRequestedAt IS NOT NULL AS cancelled ORDER BY cancelled DESC, j.priority DESC, j.createdAt, j.id LIMIT 40
  RETURN j.id AS id, j.runs AS runs, cancelled
}
WITH wanted, held, id, runs, cancelled
WHERE cancelled OR held < wanted.most
RETURN id, wanted.kind AS kind, runs, cancelled
