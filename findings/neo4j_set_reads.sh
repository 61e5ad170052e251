#!/usr/bin/env bash
# Neo4j 5.26.24: whether an item of a SET reads the old or the new value depends on what stands beside it.
# Items of one node that follow each other are written at once, so the second reads the old value. A label, a map or another node parts them.
# Expected: one rule for every SET.
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
    {"MATCH (n) DETACH DELETE n"},
    {"CREATE (:Item {id: 1, x: 1}), (:Item {id: 2, x: 9})"},
    {"MATCH (n:Item {id: 1}) MATCH (m:Item {id: 2}) SET n.x = 2, n.y = n.x RETURN n.x AS x, n.y AS y",
      "[{x=2, y=1}]", "the old value, or the new one: always the same"},
    {"MATCH (n) DETACH DELETE n"},
    {"CREATE (:Item {id: 1, x: 1}), (:Item {id: 2, x: 9})"},
    {"MATCH (n:Item {id: 1}) MATCH (m:Item {id: 2}) SET n.x = 2, n:Marked, n.y = n.x RETURN n.x AS x, n.y AS y",
      "[{x=2, y=2}]", "as above: a label has nothing to do with it"},
    {"MATCH (n) DETACH DELETE n"},
    {"CREATE (:Item {id: 1, x: 1}), (:Item {id: 2, x: 9})"},
    {"MATCH (n:Item {id: 1}) MATCH (m:Item {id: 2}) SET n.x = 2, n.y = n.x, n:Marked RETURN n.x AS x, n.y AS y",
      "[{x=2, y=1}]", "as above"},
    {"MATCH (n) DETACH DELETE n"},
    {"CREATE (:Item {id: 1, x: 1}), (:Item {id: 2, x: 9})"},
    {"MATCH (n:Item {id: 1}) MATCH (m:Item {id: 2}) SET n += {x: 2}, n.y = n.x RETURN n.x AS x, n.y AS y",
      "[{x=2, y=2}]", "as above: a map of one property is that property"},
    {"MATCH (n) DETACH DELETE n"},
    {"CREATE (:Item {id: 1, x: 1}), (:Item {id: 2, x: 9})"},
    {"MATCH (n:Item {id: 1}) MATCH (m:Item {id: 2}) SET n.x = 2, m.x = 5, n.y = n.x RETURN n.x AS x, n.y AS y",
      "[{x=2, y=2}]", "as above: m is another node"},
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
