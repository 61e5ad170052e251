#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""Neo4j: REMOVE (or SET … = null) of a property takes the node's lock, unless no node of the database has ever had a property of that name.

A statement that locks by a write that changes nothing therefore works in every test, and not on a store where the name is new.
"""

from common import NEO4J_VERSION, java, seen

SOURCE = """
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.*;
import org.neo4j.dbms.api.*;
import org.neo4j.graphdb.GraphDatabaseService;

public class Locks {
  /** Whether another transaction's write has to wait behind this one, which is still open. */
  static boolean locks(GraphDatabaseService database, ExecutorService other, String statement) throws Exception {
    Future<?> waiting;
    boolean waits = false;
    try (var transaction = database.beginTx()) {
      transaction.execute(statement).close();
      waiting = other.submit(() -> database.executeTransactionally("MATCH (n:Item) SET n.other = 1"));
      try {
        waiting.get(3, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        waits = true;
      }
      transaction.commit();
    }
    waiting.get();
    return waits;
  }

  public static void main(String[] arguments) throws Exception {
    DatabaseManagementService server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    GraphDatabaseService database = server.database("neo4j");
    ExecutorService other = Executors.newSingleThreadExecutor();
    database.executeTransactionally("CREATE (:Item {id: 1, other: 0}), (:Second {once: 1})");
    database.executeTransactionally("MATCH (n:Second) REMOVE n.once");
    for (String statement : new String[] {"MATCH (n:Item) REMOVE n.never", "MATCH (n:Item) REMOVE n.once", "MATCH (n:Item) SET n:Item"}) {
      System.out.println(statement + "\\t" + locks(database, other, statement));
    }
    server.shutdown();
    System.exit(0);
  }
}
"""
answers = dict(line.split("\t") for line in java("Locks", NEO4J_VERSION, SOURCE).splitlines() if "\t" in line)
KNOWN = {
    "MATCH (n:Item) REMOVE n.never": ("false", "true, as for a property that some node had once: the statement is the same"),
    "MATCH (n:Item) REMOVE n.once": ("true", "true"),
    "MATCH (n:Item) SET n:Item": ("true", "true, though it changes nothing"),
}
seen("Neo4j: does another transaction's write wait behind this one?", NEO4J_VERSION,
     [(statement, answers.get(statement), known, expected) for statement, (known, expected) in KNOWN.items()])
PYTHON
