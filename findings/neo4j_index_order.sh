#!/usr/bin/env bash
# Neo4j 5.26.24: the first payments of one account are found by reading all of its payments and sorting them, though an index has them in that order.
# An index on (account, at) keeps the payments of an account by their time. The planner takes its order only where `ORDER BY` begins with the account too,
# which is the same for all of them, so that the rows are the same. Then it reads ten entries for ten rows, forwards or backwards (`n.at DESC`).
# The greatest time reads them all too, unless it is asked for as the first row of such an order. Where `n.at IS NOT NULL` is not asked, the index is of no
# use, as it has no payments without a time, and all payments of all accounts are read; this much is documented.
# Seen: 10,000 payments, 2,500 of the account: 2,501 hits and a sort, or 11 hits.
# Expected: what a filter holds at one value has no part in an order; so both texts have one plan.
# Needs a JDK 17 or later and Maven. Exits with 1 when a plan has changed.
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
import java.util.concurrent.TimeUnit;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.*;

public class Finding {
  static final String OF_ACCOUNT = "MATCH (n:Payment) WHERE n.account = $account ";
  static final String WITH_TIME = OF_ACCOUNT + "AND n.at IS NOT NULL ";

  record Case(String statement, String known, String expected) {}

  static final List<Case> CASES = List.of(
      new Case(WITH_TIME + "RETURN n.at AS at ORDER BY n.at LIMIT 10", "Top NodeIndexSeek, 2501 hits", "NodeIndexSeek, 11 hits"),
      new Case(WITH_TIME + "RETURN n.at AS at ORDER BY n.account, n.at LIMIT 10", "NodeIndexSeek, 11 hits", "NodeIndexSeek, 11 hits"),
      new Case(WITH_TIME + "RETURN n.at AS at ORDER BY n.at DESC LIMIT 10", "Top NodeIndexSeek, 2501 hits", "NodeIndexSeek, 11 hits"),
      new Case(WITH_TIME + "RETURN n.at AS at ORDER BY n.account, n.at DESC LIMIT 10", "NodeIndexSeek, 11 hits", "NodeIndexSeek, 11 hits"),
      new Case(OF_ACCOUNT + "AND n.at > $at RETURN n.at AS at ORDER BY n.at LIMIT 10", "Top NodeIndexSeek, 1251 hits", "NodeIndexSeek, 11 hits"),
      new Case(OF_ACCOUNT + "AND n.at > $at RETURN n.at AS at ORDER BY n.account, n.at LIMIT 10", "NodeIndexSeek, 11 hits", "NodeIndexSeek, 11 hits"),
      new Case(WITH_TIME + "RETURN max(n.at) AS at", "EagerAggregation NodeIndexSeek, 2501 hits", "NodeIndexSeek, 2 hits"),
      new Case(WITH_TIME + "RETURN n.at AS at ORDER BY n.account, n.at DESC LIMIT 1", "NodeIndexSeek, 2 hits", "NodeIndexSeek, 2 hits"),
      new Case(WITH_TIME + "RETURN count(*) AS at", "EagerAggregation NodeIndexSeek, 2501 hits", "EagerAggregation NodeIndexSeek, 2501 hits"),
      new Case(OF_ACCOUNT + "RETURN count(*) AS at", "EagerAggregation NodeByLabelScan, 20001 hits", "EagerAggregation NodeByLabelScan, 20001 hits"));

  /** How the rows come: what sorts or gathers, what is read, and the hits of all. */
  static String plan(ExecutionPlanDescription whole) {
    List<String> names = new ArrayList<>();
    long hits = 0;
    for (var part = whole; part != null; part = part.getChildren().isEmpty() ? null : part.getChildren().get(0)) {
      if (List.of("Top", "Sort", "EagerAggregation", "NodeIndexSeek", "NodeByLabelScan").contains(part.getName())) names.add(part.getName());
      hits += part.getProfilerStatistics().getDbHits();
    }
    return String.join(" ", names) + ", " + hits + " hits";
  }

  public static void main(String[] arguments) {
    var server = new DatabaseManagementServiceBuilder(Path.of(arguments[0])).build();
    GraphDatabaseService database = server.database("neo4j");
    database.executeTransactionally("UNWIND range(1, 10000) AS number CREATE (:Payment {account: number % 4, at: number})");
    database.executeTransactionally("CREATE INDEX payments FOR (n:Payment) ON (n.account, n.at)");
    try (Transaction transaction = database.beginTx()) {
      transaction.schema().awaitIndexesOnline(1, TimeUnit.MINUTES);
    }
    int changed = 0;
    System.out.println("Neo4j 5.26.24");
    for (Case one : CASES) {
      String found;
      Object first;
      try (Transaction transaction = database.beginTx()) {
        Result result = transaction.execute("PROFILE " + one.statement, Map.of("account", 1L, "at", 5000L));
        List<Object> rows = result.stream().map(row -> row.get("at")).toList();
        first = rows.get(0);
        found = plan(result.getExecutionPlanDescription());
      }
      System.out.printf("%n  %s: %s%n    comes:    %s%n    expected: %s%n", one.statement, first, found, one.expected);
      if (!found.equals(one.known)) {
        System.out.printf("    CHANGED:  it was %s%n", one.known);
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
