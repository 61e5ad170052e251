#!/usr/bin/env bash
# Neo4j 5.26.24: an index loses rows of `IS NOT :: STRING NOT NULL`, which is true of what is absent or of another type.
# The planner reads the condition as "has a value", and a text index has only texts.
# Expected: what the same condition gives without an index, as the type of null is not STRING NOT NULL.
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
    {"UNWIND [{id: 1, x: 'a'}, {id: 2, x: 5}, {id: 3}, {id: 4, x: true}] AS row CREATE (p:Plain), (r:Ranged), (t:Text) SET p = row, r = row, t = row"},
    {"CREATE INDEX FOR (n:Ranged) ON (n.x)"},
    {"CREATE TEXT INDEX FOR (n:Text) ON (n.x)"},
    {"CALL db.awaitIndexes()"},
    {"UNWIND range(1, 3000) AS i CREATE (:Plain:Ranged:Text:Filler)"},
    {"MATCH (n:Filler) DELETE n"},
    {"MATCH (n:Plain) WHERE n.x IS NOT :: STRING NOT NULL WITH n.id AS id ORDER BY id RETURN collect(id) AS found",
      "[{found=[2, 3, 4]}]", "the same"},
    {"MATCH (n:Ranged) WHERE n.x IS NOT :: STRING NOT NULL WITH n.id AS id ORDER BY id RETURN collect(id) AS found",
      "[{found=[2, 4]}]", "[2, 3, 4]"},
    {"MATCH (n:Text) WHERE n.x IS NOT :: STRING NOT NULL WITH n.id AS id ORDER BY id RETURN collect(id) AS found",
      "[{found=[]}]", "[2, 3, 4]"},
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
