// An account's owners, their accounts, where the money of each went, and who owns what is there.
// $ids
// returns: id, rows: [id, name, rows: [id, name, rows: [total, count, id, name, rows: [id, name]]]]
UNWIND $ids AS id
MATCH (a:Account {id: id})
CALL {
  WITH a
  MATCH (a)<-[r:HAS_ROLE]-(o:Actor)
  WITH o, r ORDER BY o.id, r.role LIMIT 3
  CALL {
    WITH o
    MATCH (o)-[s:HAS_ROLE]->(b:Account)
    WITH b, s ORDER BY b.id, s.role LIMIT 5
    CALL {
      WITH b
      MATCH (b)-[t:TRANSFERRED_TO]->(c:Account) WHERE t.count > 0
      WITH c, t ORDER BY t.total DESC, c.id, t.currency LIMIT 3
      CALL {
        WITH c
        MATCH (c)<-[u:HAS_ROLE]-(p:Actor)
        WITH p, u ORDER BY p.id, u.role LIMIT 3
        RETURN collect([p.id, p.name]) AS rows4
      }
      RETURN collect([t.totalUnits, t.totalNanos, t.count, c.id, c.name, rows4]) AS rows3
    }
    RETURN collect([b.id, b.name, rows3]) AS rows2
  }
  RETURN collect([o.id, o.name, rows2]) AS rows
}
RETURN id, rows
