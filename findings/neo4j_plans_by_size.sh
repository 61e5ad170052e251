#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""Neo4j: one parameterised statement is planned many times: anew for each order of size of a list or text it is given, and again behind a change.

Parameters are what keeps plans few, one thinks. What is a member of a map has no size to the planner: `$batch.ids` has one plan. Where planning takes a
second, the first batches of each size take that second.
"""

from common import NEO4J_VERSION, java, seen

SOURCE = """
import java.nio.file.Path;
import java.util.*;
import java.util.stream.*;
import org.neo4j.dbms.api.*;
import org.neo4j.graphdb.*;

public class Plans {
  static GraphDatabaseService database;

  static List<Long> list(int size) {
    return LongStream.range(0, size).boxed().collect(Collectors.toList());
  }

  static void run(String statement, Object value) {
    database.executeTransactionally(statement, Map.of("it", value));
  }

  /** How many plans were kept since the last call; none are kept any more. */
  static void plans(String what) {
    String said = database.executeTransactionally("CALL db.clearQueryCaches()", Map.of(), result -> (String) result.next().get("value"));
    String number = said.replaceAll("[^0-9]", "");
    System.out.println(what + "\\t" + (number.isEmpty() ? "0" : number));
  }

  public static void main(String[] arguments) {
    DatabaseManagementService server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    database = server.database("neo4j");
    plans("before");
    String lists = "UNWIND $it AS id MATCH (n:Item {id: id}) RETURN n.id AS id";
    for (int size : new int[] {1, 1, 1}) run(lists, list(size));
    plans("three lists of one");
    for (int size : new int[] {0, 1, 5, 50, 500, 5000}) run(lists, list(size));
    plans("lists of 0, 1, 5, 50, 500, 5000");
    for (int size : new int[] {0, 1, 5, 50, 500, 5000}) run("UNWIND $it.ids AS id MATCH (n:Item {id: id}) RETURN n.id AS id", Map.of("ids", list(size)));
    plans("the same in a map");
    for (int size : new int[] {1, 20, 200}) run("MATCH (n:Item {id: $it}) RETURN n.id AS id", "x".repeat(size));
    plans("texts of 1, 20, 200 characters");
    run(lists, list(1));
    try (Transaction transaction = database.beginTx()) {
      transaction.createNode();
      transaction.execute(lists, Map.of("it", list(1))).close();
    }
    plans("a list of one, and again behind a change of the same transaction");
    server.shutdown();
    System.exit(0);
  }
}
"""
answers = dict(line.split("\t") for line in java("Plans", NEO4J_VERSION, SOURCE).splitlines() if "\t" in line)
KNOWN = {
    "three lists of one": ("1", "1"),
    "lists of 0, 1, 5, 50, 500, 5000": ("6", "1: the statement is the same, and so are the types"),
    "the same in a map": ("1", "1"),
    "texts of 1, 20, 200 characters": ("3", "1"),
    "a list of one, and again behind a change of the same transaction": ("2", "1"),
}
seen("Neo4j: how many plans are kept of one statement", NEO4J_VERSION,
     [(what, answers.get(what), known, expected) for what, (known, expected) in KNOWN.items()])
PYTHON
