// What the service asks for three hops of transfers, with fewer columns and without its condition: id, name, count and total of each step.
// $id
// returns: rows: [id, name, count, units, nanos, the next step's rows]
MATCH (a:Account {id: $id})
CALL {
  WITH a
  MATCH (a)-[t:TRANSFERRED_TO]->(b:Account)
  WITH b, t ORDER BY t.total DESC, b.id LIMIT 5
  CALL {
    WITH b
    MATCH (b)-[u:TRANSFERRED_TO]->(c:Account)
    WITH c, u ORDER BY u.total DESC, c.id LIMIT 5
    CALL {
      WITH c
      MATCH (c)-[v:TRANSFERRED_TO]->(d:Account)
      WITH d, v ORDER BY v.total DESC, d.id LIMIT 5
      RETURN collect([d.id, d.name, v.count, v.totalUnits, v.totalNanos]) AS rows3
    }
    RETURN collect([c.id, c.name, u.count, u.totalUnits, u.totalNanos, rows3]) AS rows2
  }
  RETURN collect([b.id, b.name, t.count, t.totalUnits, t.totalNanos, rows2]) AS rows
}
RETURN rows
