#!/usr/bin/env bash
# Neo4j 5.26.24: an index changes the number that is read, and misses a zero.
# An exact seek hands on the number that was asked for instead of the stored one: 5.0 is read as 5, and halved as a whole number.
# To the index and to a unique constraint -0.0 is not 0, though `=` says that they are equal.
# Expected: an index changes no answer, and a unique constraint allows no two values that are equal.
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
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.Result;

public class Finding {
  /** Each line: a statement; the rows that come; what one expects. A statement alone only prepares. */
  static final String[][] CASES = {
    {"CREATE (:Plain {amount: 5.0}), (:Indexed {amount: 5.0}), (:Plain {amount: -0.0}), (:Indexed {amount: -0.0})"},
    {"CREATE INDEX FOR (n:Indexed) ON (n.amount)"},
    {"CREATE CONSTRAINT FOR (n:Unique) REQUIRE n.amount IS UNIQUE"},
    {"CALL db.awaitIndexes()"},
    {"MATCH (n:Plain) WHERE n.amount = 5 RETURN n.amount / 2 AS half, valueType(n.amount) AS type",
      "[{half=2.5, type=FLOAT NOT NULL}]", "the same"},
    {"MATCH (n:Indexed) WHERE n.amount = 5 RETURN n.amount / 2 AS half, valueType(n.amount) AS type",
      "[{half=2, type=INTEGER NOT NULL}]", "2.5 and FLOAT"},
    {"MATCH (n:Indexed {amount: 5}) RETURN properties(n) AS all",
      "[{all={amount=5}}]", "5.0: nothing has been written"},
    {"MATCH (n:Indexed) WHERE n.amount > 1 RETURN properties(n) AS all",
      "[{all={amount=5.0}}]", "the same"},
    {"MATCH (n:Plain) WHERE n.amount = 0 RETURN n.amount AS zero",
      "[{zero=-0.0}]", "the same"},
    {"MATCH (n:Indexed) WHERE n.amount = 0 RETURN n.amount AS zero",
      "[]", "-0.0, as without the index"},
    {"CREATE (:Unique {amount: 0})"},
    {"CREATE (:Unique {amount: -0.0})"},
    {"MATCH (n:Unique) WITH collect(n.amount) AS found RETURN size(found) AS nodes, found[0] = found[1] AS equal",
      "[{equal=true, nodes=2}]", "one node: the second is refused, as 5 beside 5.0 is"},
  };

  static String rows(Result result) {
    List<String> rows = new ArrayList<>();
    while (result.hasNext()) rows.add(new TreeMap<>(result.next()).toString());
    return rows.toString();
  }

  public static void main(String[] arguments) {
    var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    var database = server.database("neo4j");
    int changed = 0;
    System.out.println("Neo4j 5.26.24");
    for (String[] line : CASES) {
      String found = database.executeTransactionally(line[0], Map.of(), Finding::rows);
      if (line.length == 1) continue;
      System.out.printf("%n  %s%n    comes:    %s%n    expected: %s%n", line[0], found, line[2]);
      if (!found.equals(line[1])) {
        System.out.printf("    CHANGED:  it was %s%n", line[1]);
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
