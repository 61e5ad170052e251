#!/usr/bin/env bash
# Neo4j 5.26.24: in the hour that comes twice when summer time ends, two moments an hour apart are equal, though one is less than the other.
# `=` looks at the local time and the name of the zone; `<`, DISTINCT and an index look at the moment. Truncating and rebuilding go back an hour.
# Expected: openCypher's dates and times (CIP2015-08-06) order moments by their point in time, and two points in time are not equal.
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
    {"WITH datetime('2024-10-27T02:31:05+02:00[Europe/Amsterdam]') AS first, datetime('2024-10-27T02:31:05+01:00[Europe/Amsterdam]') AS second UNWIND [first, second] AS at CREATE (:Plain {at: at}), (:Indexed {at: at})"},
    {"CREATE INDEX FOR (n:Indexed) ON (n.at)"},
    {"CALL db.awaitIndexes()"},
    {"MATCH (a:Plain), (b:Plain) WHERE a.at < b.at RETURN a.at = b.at AS equal, duration.between(a.at, b.at) AS apart",
      "[{apart=PT1H, equal=true}]", "false: they are an hour apart"},
    {"MATCH (n:Plain) RETURN count(DISTINCT n.at) AS moments",
      "[{moments=2}]", "the same"},
    {"MATCH (n:Plain) WHERE n.at = datetime('2024-10-27T02:31:05+02:00[Europe/Amsterdam]') RETURN count(*) AS found",
      "[{found=2}]", "1"},
    {"MATCH (n:Indexed) WHERE n.at = datetime('2024-10-27T02:31:05+02:00[Europe/Amsterdam]') RETURN count(*) AS found",
      "[{found=1}]", "the same"},
    {"WITH datetime('2024-10-27T02:31:05+01:00[Europe/Amsterdam]') AS at RETURN datetime.truncate('minute', at) AS minute",
      "[{minute=2024-10-27T02:31+02:00[Europe/Amsterdam]}]", "02:31+01:00, five seconds before and not an hour"},
    {"WITH datetime('2024-10-27T02:31:05+01:00[Europe/Amsterdam]') AS at RETURN datetime({datetime: at}) = at AS equal, datetime({datetime: at}).epochSeconds - at.epochSeconds AS seconds",
      "[{equal=true, seconds=-3600}]", "0 seconds: it is made of the same moment"},
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
