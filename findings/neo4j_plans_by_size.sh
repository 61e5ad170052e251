#!/usr/bin/env bash
# Neo4j 5.26.24: one parameterised statement is planned anew for each order of size of a list or text that it is given, and again behind a change.
# Where planning takes a second, the first batches of each size take that second.
# Expected: one plan a statement, which is what parameters are for. What is a member of a map has no size to the planner: `$batch.ids` has one plan.
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
import java.util.*;
import java.util.stream.*;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.*;

public class Finding {
  static GraphDatabaseService database;
  static int changed = 0;

  static List<Long> list(int size) {
    return LongStream.range(0, size).boxed().collect(Collectors.toList());
  }

  static void run(String statement, Object value) {
    database.executeTransactionally(statement, Map.of("it", value));
  }

  /** Says how many plans were kept since the last call, and clears them. */
  static void plans(String what, int known, int expected) {
    String said = database.executeTransactionally("CALL db.clearQueryCaches()", Map.of(), result -> (String) result.next().get("value"));
    String number = said.replaceAll("[^0-9]", "");
    System.out.printf("  %s: %s plans, expected %d%n", what, number, expected);
    if (!number.equals("" + known)) {
      System.out.printf("    CHANGED: it was %d%n", known);
      changed++;
    }
  }

  public static void main(String[] arguments) {
    var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    database = server.database("neo4j");
    database.executeTransactionally("CALL db.clearQueryCaches()");
    System.out.println("Neo4j 5.26.24");
    String lists = "UNWIND $it AS id MATCH (n:Item {id: id}) RETURN n.id AS id";
    int[] sizes = {0, 1, 5, 50, 500, 5000};
    for (int run = 0; run < 3; run++) run(lists, list(1));
    plans("three lists of one", 1, 1);
    for (int size : sizes) run(lists, list(size));
    plans("lists of 0, 1, 5, 50, 500, 5000", 6, 1);
    for (int size : sizes) run("UNWIND $it.ids AS id MATCH (n:Item {id: id}) RETURN n.id AS id", Map.of("ids", list(size)));
    plans("the same in a map", 1, 1);
    for (int size : new int[] {1, 20, 200}) run("MATCH (n:Item {id: $it}) RETURN n.id AS id", "x".repeat(size));
    plans("texts of 1, 20, 200 characters", 3, 1);
    run(lists, list(1));
    try (Transaction transaction = database.beginTx()) {
      transaction.createNode();
      transaction.execute(lists, Map.of("it", list(1))).close();
    }
    plans("a list of one, and again behind a change of the same transaction", 2, 1);
    server.shutdown();
    System.exit(changed == 0 ? 0 : 1);
  }
}
JAVA
opened=()
for package in java.nio java.io sun.nio.ch; do opened+=("--add-opens=java.base/$package=ALL-UNNAMED"); done
java -Xmx512m "${opened[@]}" -cp "$(cat "$folder/classpath")" "$folder/Finding.java" "$folder/data"
