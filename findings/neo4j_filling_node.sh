#!/usr/bin/env bash
# Neo4j 5.26.24: while a node gets its fiftieth relationship, a relationship that was committed long before is missed by some reads, or comes twice.
# At fifty (db.relationship_grouping_threshold) the links of a node are laid out anew, by type and direction. Who walks through them meanwhile may go on
# in the new order. So `OPTIONAL MATCH (a)-[r]->(b)` is no ground to create r, or to add to it, unless both nodes are locked. A lock of one end, or a node
# that has its links grouped already, shows what makes the difference.
# Expected: read committed means that what was committed before a read began is read, once. MERGE locks both ends before it creates, but what it finds
# it may find twice as well.
# Needs a JDK 17 or later and Maven; takes a minute. Exits with 1 when an answer has changed.
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
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.TransientFailureException;

public class Finding {
  static final int CROPS = 10, READERS = 3, WRITERS = 3;
  static final String MAKE = "CREATE (s:Silo {id: $silo}) WITH s UNWIND range(1, 10) AS i CREATE (:Crop {id: $silo + '/' + i})-[:FILLS]->(s)";
  static final String FILL = "MATCH (s:Silo {id: $silo}) UNWIND range(1, $links) AS i CREATE (:Check)-[:MADE_AT]->(s)";
  static final String LINK = "MATCH (s:Silo {id: $silo}) CREATE (:Check)-[:MADE_AT]->(s)";
  static final String ENDS = "MATCH (c:Crop {id: $crop}) MATCH (s:Silo {id: $silo}) ";
  static final String FOUND = "OPTIONAL MATCH (c)-[r:FILLS]->(s) RETURN count(r) AS found";

  static GraphDatabaseService database;

  static void write(String statement, Map<String, Object> values) {
    while (true) {
      try {
        database.executeTransactionally(statement, values);
        return;
      } catch (TransientFailureException e) {
        // Another was in the way.
      }
    }
  }

  /** How often one FILLS relationship was found so many times, over nodes that get 60 links each while it is looked for. */
  static Map<Long, Long> look(String name, String read, int linksBefore, int nodes) throws Exception {
    var found = new ConcurrentSkipListMap<Long, AtomicLong>();
    for (int node = 0; node < nodes; node++) {
      String silo = name + node;
      write(MAKE, Map.of("silo", silo));
      write(FILL, Map.of("silo", silo, "links", linksBefore));
      var linked = new AtomicInteger();
      var all = new ArrayList<Callable<Void>>();
      for (int w = 0; w < WRITERS; w++) all.add(() -> {
        while (linked.getAndIncrement() < 60) write(LINK, Map.of("silo", silo));
        return null;
      });
      for (int w = 0; w < READERS; w++) {
        int first = w;
        all.add(() -> {
          for (int at = first; linked.get() < 60; at++) {
            Map<String, Object> values = Map.of("silo", silo, "crop", silo + "/" + (1 + at % CROPS));
            try {
              long times = database.executeTransactionally(read, values, rows -> (Long) rows.next().get("found"));
              found.computeIfAbsent(times, one -> new AtomicLong()).incrementAndGet();
            } catch (TransientFailureException e) {
              // Another was in the way.
            }
          }
          return null;
        });
      }
      var pool = Executors.newFixedThreadPool(all.size());
      for (var one : pool.invokeAll(all)) one.get();
      pool.shutdown();
    }
    var counted = new TreeMap<Long, Long>();
    found.forEach((times, reads) -> counted.put(times, reads.get()));
    return counted;
  }

  static int changed = 0;

  static void show(String name, Map<Long, Long> found, boolean wrong, String expected) {
    long other = found.entrySet().stream().filter(one -> one.getKey() != 1).mapToLong(Map.Entry::getValue).sum();
    System.out.printf("%n  %s%n    times found, and reads of which that is so: %s%n    expected: %s%n", name, found, expected);
    if (other > 0 != wrong) {
      System.out.printf("    CHANGED: %s%n", wrong ? "all are once" : "not all are once");
      changed++;
    }
  }

  public static void main(String[] arguments) throws Exception {
    var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    database = server.database("neo4j");
    for (String label : List.of("Silo", "Crop")) database.executeTransactionally("CREATE CONSTRAINT FOR (n:" + label + ") REQUIRE n.id IS UNIQUE");
    System.out.println("Neo4j 5.26.24");
    look("warm", ENDS + FOUND, 5, 20);
    show("the node gets from 15 links to 75", look("filling", ENDS + FOUND, 5, 150), true, "once, always: it was committed before");
    show("as before, with a lock of the other end", look("one", ENDS + "SET c:Crop WITH * " + FOUND, 5, 150), true, "once, always");
    show("as before, with a lock of both ends", look("both", ENDS + "SET c:Crop SET s:Silo WITH * " + FOUND, 5, 150), false, "once, always");
    show("the node gets from 110 links to 170", look("filled", ENDS + FOUND, 100, 150), false, "once, always");
    server.shutdown();
    System.exit(changed == 0 ? 0 : 1);
  }
}
JAVA
opened=()
for package in java.nio java.io sun.nio.ch; do opened+=("--add-opens=java.base/$package=ALL-UNNAMED"); done
java -Xmx512m "${opened[@]}" -cp "$(cat "$folder/classpath")" "$folder/Finding.java" "$folder/data"
