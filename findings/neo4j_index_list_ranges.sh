#!/usr/bin/env bash
# Neo4j 5.26.24: a range index loses rows when lists are compared with < or >=.
# The index keeps lists by the type of their items, and an empty list has none. So it seeks in one type only.
# Expected: what the same condition gives without the index. Lists compare item by item, and a list comes behind its own beginning.
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
    {"UNWIND [['[]', []], ['[1]', [1]], ['[1.5]', [1.5]], ['[1, 2]', [1, 2]], ['[a]', ['a']], ['[true]', [true]]] AS pair CREATE (:Plain {text: pair[0], list: pair[1]}), (:Indexed {text: pair[0], list: pair[1]})"},
    {"CREATE INDEX FOR (n:Indexed) ON (n.list)"},
    {"CALL db.awaitIndexes()"},
    {"MATCH (n:Plain) WHERE n.list < [1, 2] WITH n.text AS text ORDER BY text RETURN collect(text) AS found",
      "[{found=[[1], []]}]", "the same"},
    {"MATCH (n:Indexed) WHERE n.list < [1, 2] WITH n.text AS text ORDER BY text RETURN collect(text) AS found",
      "[{found=[[1]]}]", "[[1], []]"},
    {"MATCH (n:Plain) WHERE n.list >= [] WITH n.text AS text ORDER BY text RETURN collect(text) AS found",
      "[{found=[[1, 2], [1.5], [1], [], [a], [true]]}]", "the same"},
    {"MATCH (n:Indexed) WHERE n.list >= [] WITH n.text AS text ORDER BY text RETURN collect(text) AS found",
      "[{found=[[], [a]]}]", "all six, as above"},
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
