// Links actors to observations, whatever the observations' own records say.
// $rows: [{id, actors: [{id, primary}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
FOREACH (a IN row.actors | MERGE (x:Actor {id: a.id}) ON CREATE SET x:Placeholder, x.name = a.id
  MERGE (o)-[r:ABOUT]->(x) SET r.primary = coalesce(a.primary, false), r.recorded = false)
