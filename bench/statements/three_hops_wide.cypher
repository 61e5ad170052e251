// Where the money of accounts went, three steps in one statement, the largest totals first at each step.
// $ids, $limit (first step), $limit2, $limit3
// returns: id, rows: as account/transferred_to, each with the next step's rows behind
UNWIND $ids AS id
MATCH (a:Account {id: id})
CALL {
  WITH a
  MATCH (a)-[t:TRANSFERRED_TO]->(b:Account) WHERE t.count > 0
  WITH b, t ORDER BY t.total DESC, b.id, t.currency LIMIT $limit
  CALL {
    WITH b
    MATCH (b)-[u:TRANSFERRED_TO]->(c:Account) WHERE u.count > 0
    WITH c, u ORDER BY u.total DESC, c.id, u.currency LIMIT $limit2
    CALL {
      WITH c
      MATCH (c)-[v:TRANSFERRED_TO]->(d:Account) WHERE v.count > 0
      WITH d, v ORDER BY v.total DESC, d.id, v.currency LIMIT $limit3
      RETURN collect([d.id, d.name, v.currency, v.count, v.totalUnits, v.totalNanos, v.first, v.last]) AS rows3
    }
    RETURN collect([c.id, c.name, u.currency, u.count, u.totalUnits, u.totalNanos, u.first, u.last, rows3]) AS rows2
  }
  RETURN collect([b.id, b.name, t.currency, t.count, t.totalUnits, t.totalNanos, t.first, t.last, rows2]) AS rows
}
RETURN id, rows
