#!/usr/bin/env bash
# Neo4j 5.26.24: a sum of whole numbers that passes 64 bits on its way becomes a fraction for good, without an error.
# Expected: the error that `+` raises for the same numbers, and one sum whatever the order of the rows.
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
    {"UNWIND [9223372036854775807, 1] AS x RETURN sum(x) AS s",
      "[{s=9.223372036854776E18}]", "an error, as of 9223372036854775807 + 1"},
    {"UNWIND [9223372036854775807, 1, -2] AS x RETURN sum(x) AS s",
      "[{s=9.223372036854776E18}]", "9223372036854775806, which a whole number holds"},
    {"UNWIND [-2, 9223372036854775807, 1] AS x RETURN sum(x) AS s",
      "[{s=9223372036854775806}]", "the same whatever the order of rows"},
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
