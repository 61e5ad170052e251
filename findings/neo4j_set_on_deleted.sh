#!/usr/bin/env bash
# Neo4j 5.26.24: what a transaction sets of a node that it has found, and that is deleted by the time the node's lock is had, vanishes. Nothing is said: the
# property is counted as set, the transaction commits, and MERGE creates no node in its stead. The same statement reads null of what it has just set.
# It is so for properties, of SET and ON MATCH SET, behind MERGE or MATCH, with a unique constraint or without. A label or a relationship of such a node is
# an error, EntityNotFound; DELETE of it is none, and DETACH DELETE counts it a second time. That a property is set first as a lock does not help: the
# first SET vanishes as the second does. What helps: a lock and then MERGE once more; a label that is set as well, so that it fails; or both lock a node
# that stays first.
# Its twin: a condition on a property is not asked again once the lock is had, so a node is deleted for what it no longer is. There a lock before helps.
# Expected: of a clearing of what is done and a request that makes it due again, a due node is left, whichever comes first. MERGE leaves what it merges, or
# fails. Read committed, which is all that Neo4j promises, lets the twin happen; but a write that is lost should be told from one that is kept.
# Needs a JDK 17 or later and Maven; takes up to a minute. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/pom.xml" << 'XML'
<project>
  <modelVersion>4.0.0</modelVersion><groupId>findings</groupId><artifactId>finding</artifactId><version>1</version>
  <dependencies><dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>5.26.24</version></dependency></dependencies>
</project>
XML
nice mvn --quiet --batch-mode --file "$folder/pom.xml" dependency:build-classpath "-Dmdep.outputFile=$folder/classpath"
cat > "$folder/Finding.java" << 'JAVA'
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.*;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.*;

public class Finding {
  static final int TIMES = 5;
  static final String MAKE = "CREATE (:Gate), (:Job {id: 1, state: 'done', lock: false})";
  static final String BLOCKED = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked by' RETURN count(*) AS transactions";
  static final String LEFT = "MATCH (j:Job) RETURN j.state AS left";
  static final String CLEAR = "MATCH (j:Job {id: 1}) WHERE j.state = 'done' DELETE j";
  static final String DUE = "SET j.state = 'due'";
  static final String ASK = "MERGE (j:Job {id: 1}) " + DUE;
  static final String NOT_FOUND = "Neo.ClientError.Statement.EntityNotFound, left []";

  static GraphDatabaseService database;

  /** What the first transaction does before the second begins, and commits when the second waits for it; what comes without a constraint, and with one. */
  record Case(String first, String second, String plain, String unique, String expected) {}

  static Case both(String first, String second, String known, String expected) {
    return new Case(first, second, known, known, expected);
  }

  static final List<Case> CASES = List.of(
    both(CLEAR, ASK, "set 1, created 0, deleted 0, left []", "left due"),
    both(CLEAR, "MERGE (j:Job {id: 1}) ON CREATE " + DUE + " ON MATCH " + DUE, "set 1, created 0, deleted 0, left []", "left due"),
    both(CLEAR, "MATCH (j:Job {id: 1}) " + DUE, "set 1, created 0, deleted 0, left []", "left due, or nothing set, or an error"),
    both(CLEAR, "MERGE (j:Job {id: 1}) SET j += {state: 'due'}", "set 1, created 0, deleted 0, left []", "left due"),
    both(CLEAR, ASK + " RETURN j.id AS id, j.state AS state", "[{id=null, state=null}], set 1, created 0, deleted 0, left []", "1, due; left due"),
    both(CLEAR, ASK + " RETURN labels(j) AS labels, properties(j) AS all", "[{all={}, labels=[]}], set 1, created 0, deleted 0, left []", "a Job; left due"),
    // It is locked by a write of its own first, by the one that asks or by the one that clears.
    both(CLEAR, "MERGE (j:Job {id: 1}) SET j.lock = true WITH j " + DUE, "set 2, created 0, deleted 0, left []", "left due"),
    both(CLEAR, "MERGE (j:Job {id: 1}) REMOVE j.lock WITH j " + DUE, "set 1, created 0, deleted 0, left []", "left due"),
    both("MATCH (j:Job {id: 1}) SET j.lock = true WITH j WHERE j.state = 'done' DELETE j", ASK, "set 1, created 0, deleted 0, left []", "left due"),
    // There is a job of this id at all times. With the constraint, it is waited for before the node is looked for.
    new Case("MATCH (j:Job {id: 1}) DELETE j CREATE (:Job {id: 1, state: 'other'})", ASK,
      "set 1, created 0, deleted 0, left [{left=other}]", "set 1, created 0, deleted 0, left [{left=due}]", "left due"),
    // Other writes of what is gone.
    both(CLEAR, "MATCH (j:Job {id: 1}) SET j:Asked", NOT_FOUND, "as with a property"),
    both(CLEAR, "MATCH (g:Gate) MERGE (j:Job {id: 1}) CREATE (g)-[:LETS_IN]->(j)", NOT_FOUND, "as with a property"),
    both(CLEAR, "MATCH (j:Job {id: 1}) DELETE j", "set 0, created 0, deleted 0, left []", "this"),
    both(CLEAR, "MATCH (j:Job {id: 1}) DETACH DELETE j", "set 0, created 0, deleted 1, left []", "deleted 0"),
    // What helps.
    both(CLEAR, "MERGE (j:Job {id: 1}) SET j:Job " + DUE, NOT_FOUND, "left due, or this"),
    both(CLEAR, "MERGE (l:Job {id: 1}) SET l.lock = true WITH count(*) AS all " + ASK, "set 3, created 1, deleted 0, left [{left=due}]", "left due"),
    both("MATCH (g:Gate) SET g.at = 1 WITH g " + CLEAR, "MATCH (g:Gate) SET g.at = 2 WITH g " + ASK,
      "set 3, created 1, deleted 0, left [{left=due}]", "left due"),
    // The twin.
    both(ASK, CLEAR, "set 0, created 0, deleted 1, left []", "left due, though read committed does not promise it"),
    both(ASK, "MATCH (j:Job {id: 1}) WITH j, j.state AS state SET j.lock = true WITH j, state WHERE state = 'done' DELETE j",
      "set 1, created 0, deleted 1, left []", "as above"),
    both(ASK, "MATCH (j:Job {id: 1}) SET j.lock = true WITH j WHERE j.state = 'done' DELETE j",
      "set 1, created 0, deleted 0, left [{left=due}]", "left due"));

  static String rows(Result result) {
    List<String> rows = new ArrayList<>();
    while (result.hasNext()) rows.add(new TreeMap<>(result.next()).toString());
    return rows.toString();
  }

  /** What a transaction of this one statement says once it has committed. */
  static String write(String statement) {
    try (var transaction = database.beginTx()) {
      String said;
      try (var result = transaction.execute(statement)) {
        String rows = rows(result);
        var counts = result.getQueryStatistics();
        said = (rows.equals("[]") ? "" : rows + ", ")
          + String.format("set %d, created %d, deleted %d", counts.getPropertiesSet(), counts.getNodesCreated(), counts.getNodesDeleted());
      }
      transaction.commit();
      return said;
    } catch (QueryExecutionException e) {
      return e.getStatusCode();
    }
  }

  static void makeAnew() {
    database.executeTransactionally("MATCH (n) DETACH DELETE n");
    database.executeTransactionally(MAKE);
  }

  static String left() {
    return "left " + database.executeTransactionally(LEFT, Map.of(), Finding::rows);
  }

  /** The second begins while the first is open, and the first commits as soon as the second is seen to wait for it. */
  static String overlapped(ExecutorService other, String first, String second) throws Exception {
    makeAnew();
    Future<String> said;
    boolean waits = false;
    try (var transaction = database.beginTx()) {
      transaction.execute(first).close();
      said = other.submit(() -> write(second));
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!waits && !said.isDone() && System.nanoTime() < until) {
        waits = database.executeTransactionally(BLOCKED, Map.of(), result -> (Long) result.next().get("transactions")) > 0;
        Thread.sleep(5);
      }
      transaction.commit();
    }
    return (waits ? "" : "without waiting, ") + said.get(30, TimeUnit.SECONDS) + ", " + left();
  }

  static String inTurn(String first, String second) {
    makeAnew();
    write(first);
    write(second);
    return left();
  }

  static Map<String, Integer> repeated(Callable<String> one) throws Exception {
    var found = new TreeMap<String, Integer>();
    for (int time = 0; time < TIMES; time++) found.merge(one.call(), 1, Integer::sum);
    return found;
  }

  static int changed = 0;

  static void show(String schema, Map<String, Integer> found, String known) {
    System.out.printf("    %s: %s%n", schema, found.size() == 1 ? found.keySet().iterator().next() : found);
    if (!found.equals(Map.of(known, TIMES))) {
      System.out.printf("    CHANGED: it was %s%n", known);
      changed++;
    }
  }

  public static void main(String[] arguments) throws Exception {
    var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      database = server.database("neo4j");
      System.out.printf("Neo4j 5.26.24, each %d times%n", TIMES);
      List<Map<String, Integer>> plain = new ArrayList<>();
      for (Case one : CASES) plain.add(repeated(() -> overlapped(other, one.first, one.second)));
      database.executeTransactionally("CREATE CONSTRAINT FOR (j:Job) REQUIRE j.id IS UNIQUE");
      for (var pair : List.of(List.of(CLEAR, ASK), List.of(ASK, CLEAR))) {
        System.out.printf("%n  one after the other: %s%n    %s%n", pair.get(0), pair.get(1));
        show("comes", repeated(() -> inTurn(pair.get(0), pair.get(1))), "left [{left=due}]");
      }
      for (int place = 0; place < CASES.size(); place++) {
        Case one = CASES.get(place);
        System.out.printf("%n  while this commits:    %s%n  this waits, and does:  %s%n", one.first, one.second);
        show("no constraint", plain.get(place), one.plain);
        show("unique id", repeated(() -> overlapped(other, one.first, one.second)), one.unique);
        System.out.printf("    expected: %s%n", one.expected);
      }
    } finally {
      other.shutdownNow();
      server.shutdown();
    }
    System.exit(changed == 0 ? 0 : 1);
  }
}
JAVA
opened=()
for package in java.nio java.io sun.nio.ch; do opened+=("--add-opens=java.base/$package=ALL-UNNAMED"); done
nice java -Xmx512m "${opened[@]}" -cp "$(cat "$folder/classpath")" "$folder/Finding.java" "$folder/data"
