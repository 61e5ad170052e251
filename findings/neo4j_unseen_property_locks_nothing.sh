#!/usr/bin/env bash
# Neo4j 5.26.24: REMOVE of a property takes the node's lock, unless no node of the database has ever had a property of that name.
# So a statement that locks by a write that changes nothing works in every test, and not on a store where the name is new.
# Expected: the same statement locks the same node on every store.
# Needs a JDK 17 or later and Maven. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/pom.xml" << 'XML'
<project>
  <modelVersion>4.0.0</modelVersion><groupId>findings</groupId><artifactId>finding</artifactId><version>1</version>
  <dependencies><dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>5.26.24</version></dependency></dependencies>
</project>
XML
mvn --quiet --batch-mode --file "$folder/pom.xml" dependency:build-classpath "-Dmdep.outputFile=$folder/classpath"
cat > "$folder/Finding.java" << 'JAVA'
import java.nio.file.Path;
import java.util.concurrent.*;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;

public class Finding {
  /** Whether another transaction's write has to wait behind this statement, whose transaction is still open. */
  static boolean locks(GraphDatabaseService database, ExecutorService other, String statement) throws Exception {
    Future<?> waiting;
    boolean waits = false;
    try (var transaction = database.beginTx()) {
      transaction.execute(statement).close();
      waiting = other.submit(() -> database.executeTransactionally("MATCH (n:Item) SET n.other = 1"));
      try {
        waiting.get(5, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        waits = true;
      }
      transaction.commit();
    }
    waiting.get();
    return waits;
  }

  public static void main(String[] arguments) throws Exception {
    var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    GraphDatabaseService database = server.database("neo4j");
    ExecutorService other = Executors.newSingleThreadExecutor();
    database.executeTransactionally("CREATE (:Item {id: 1, other: 0}), (:Second {once: 1})");
    database.executeTransactionally("MATCH (n:Second) REMOVE n.once");
    database.executeTransactionally("MATCH (n:Item) SET n.other = 1");
    String[] statements = {"MATCH (n:Item) REMOVE n.never", "MATCH (n:Item) REMOVE n.once", "MATCH (n:Item) SET n:Item"};
    boolean[] known = {false, true, true};
    int changed = 0;
    System.out.println("Neo4j 5.26.24: does another transaction's write wait behind this one?");
    for (int place = 0; place < statements.length; place++) {
      boolean waits = locks(database, other, statements[place]);
      System.out.printf("  %s: %s, expected true%n", statements[place], waits);
      if (waits != known[place]) {
        System.out.printf("    CHANGED: it was %s%n", known[place]);
        changed++;
      }
    }
    server.shutdown();
    System.exit(changed == 0 ? 0 : 1);
  }
}
JAVA
opened=()
for package in java.nio java.io sun.nio.ch; do opened+=("--add-opens=java.base/$package=ALL-UNNAMED"); done
java -Xmx512m "${opened[@]}" -cp "$(cat "$folder/classpath")" "$folder/Finding.java" "$folder/data"
