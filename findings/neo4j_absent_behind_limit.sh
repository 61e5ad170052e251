#!/usr/bin/env bash
# Neo4j 5.26.24: an index on a property changes what is counted behind a LIMIT or SKIP.
# The planner turns `count(n.size)` into "has a size" on the scan below the LIMIT, so nodes without one are left out before it cuts.
# Expected: an index changes no answer. Another aggregate beside it (`count(*)`) hides the fault.
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
    {"UNWIND range(1, 10) AS i CREATE (n:Parcel {id: i}) SET n.size = CASE WHEN i > 5 THEN i END"},
    {"MATCH (n:Parcel) WITH n LIMIT 8 RETURN count(n.size) AS sized",
      "[{sized=3}]", "3 of the first 8 have a size"},
    {"CREATE INDEX FOR (n:Parcel) ON (n.size)"},
    {"CALL db.awaitIndexes()"},
    {"MATCH (n:Parcel) WITH n LIMIT 8 RETURN count(n.size) AS sized",
      "[{sized=5}]", "3, as without the index"},
    {"MATCH (n:Parcel) WITH n SKIP 3 RETURN count(n.size) AS sized",
      "[{sized=2}]", "5: the 3 that are passed over have none"},
    {"MATCH (n:Parcel) WITH n LIMIT 8 RETURN count(n.size) AS sized, count(*) AS all",
      "[{all=8, sized=3}]", "3 of 8"},
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
