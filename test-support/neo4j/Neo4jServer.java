import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseInternalSettings;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.schema.ConstraintDefinition;
import org.neo4j.graphdb.schema.IndexDefinition;
import org.neo4j.graphdb.schema.IndexType;

/**
 * A Neo4j Community server for tests, run from source: java -cp "lib/*" Neo4jServer.java HOME PORT PASSWORD PAGE_CACHE_BYTES.
 *
 * It lives as long as its standard input is open. That is what makes it vanish with the test process, however that one ends:
 * the kernel closes the pipe even after a kill -9. The line "stop" ends it in order and keeps the store, to be started again;
 * the end of the input ends it and removes HOME, because then nobody is left to do so. The line "empty" takes all data and the
 * schema out of it, for a next test, and is answered with "empty". Behind it may stand ids of migrations, with spaces between: then
 * the schema stays, and so do the marks of these migrations, and Neo4j keeps the plans that it has made.
 */
public class Neo4jServer {
  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[0]);
    int port = Integer.parseInt(arguments[1]);
    String password = arguments[2];
    long pageCacheBytes = Long.parseLong(arguments[3]);
    try {
      boolean keepStore = serve(home, port, password, pageCacheBytes);
      if (!keepStore) {
        remove(home);
      }
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
    // Some of the server's threads are no daemons.
    System.exit(0);
  }

  /** Serves until told to stop or until nobody is there to tell; true in the first case. */
  private static boolean serve(Path home, int port, String password, long pageCacheBytes) throws IOException {
    DatabaseManagementService server = new DatabaseManagementServiceBuilder(home)
        .setConfig(BoltConnector.enabled, true)
        .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
        .setConfig(GraphDatabaseSettings.auth_enabled, true)
        .setConfig(GraphDatabaseSettings.auth_max_failed_attempts, 0)
        .setConfig(GraphDatabaseSettings.pagecache_memory, pageCacheBytes)
        // A store that lives for minutes needs no logs of 256 MB laid out beforehand.
        .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
        .setConfig(GraphDatabaseSettings.check_point_interval_time, Duration.ofMinutes(5))
        // Nobody waits for connections that tests left open.
        .setConfig(GraphDatabaseInternalSettings.netty_server_shutdown_quiet_period, 0)
        .setConfig(GraphDatabaseInternalSettings.netty_server_shutdown_timeout, Duration.ofSeconds(1))
        // Tests send nothing to anyone.
        .setConfig(GraphDatabaseSettings.udc_enabled, false)
        .build();
    try {
      setPassword(server, password, home.resolve("password-is-set"));
      System.out.println("ready");
      return askedToStop(server.database("neo4j"));
    } finally {
      server.shutdown();
    }
  }

  /** Setting the same password again is an error to Neo4j, so a store that is started again is left alone. */
  private static void setPassword(DatabaseManagementService server, String password, Path marker) throws IOException {
    if (!Files.exists(marker)) {
      server.database("system").executeTransactionally(
          "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
      Files.createFile(marker);
    }
  }

  /** True when "stop" was read, false when the other side is gone. */
  private static boolean askedToStop(GraphDatabaseService database) throws IOException {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      if (line.equals("stop")) {
        return true;
      }
      List<String> words = List.of(line.split(" "));
      if (words.get(0).equals("empty")) {
        empty(database, words.subList(1, words.size()));
        System.out.println("empty");
      }
    }
    return false;
  }

  /** As it was when it was new, or when it had these migrations and nothing else, but for what Java and Neo4j have learnt meanwhile. */
  private static void empty(GraphDatabaseService database, List<String> migrations) {
    if (migrations.isEmpty()) {
      dropSchema(database);
    }
    database.executeTransactionally(
        "MATCH (n) WHERE NOT (n:Migration AND n.id IN $migrations) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS",
        Map.of("migrations", migrations));
  }

  private static void dropSchema(GraphDatabaseService database) {
    try (Transaction transaction = database.beginTx()) {
      List<ConstraintDefinition> constraints = new ArrayList<>();
      transaction.schema().getConstraints().forEach(constraints::add);
      constraints.forEach(ConstraintDefinition::drop);
      transaction.commit();
    }
    try (Transaction transaction = database.beginTx()) {
      List<IndexDefinition> indexes = new ArrayList<>();
      transaction.schema().getIndexes().forEach(indexes::add);
      // Those of labels and types are there from the beginning.
      indexes.stream().filter(index -> index.getIndexType() != IndexType.LOOKUP).forEach(IndexDefinition::drop);
      transaction.commit();
    }
  }

  private static void remove(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> {
        try {
          Files.delete(path);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
  }
}
