//! The test support tested: the server starts, answers, forgets nothing when stopped, and leaves nothing behind.
//!
//! Where none can be started, the test is reported as ignored, with the reason; with `CI=true` that is a failure.

use std::path::Path;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Completion, Trial};
use neo4rs::{ConfigBuilder, Graph, query};
use test_support::neo4j::{self, Neo4j};

fn main() {
    let life = Trial::ignorable_test("a_private_server_from_start_to_end", || match neo4j::private_available() {
        Ok(()) => {
            tokio::runtime::Runtime::new().unwrap().block_on(a_private_server_from_start_to_end());
            Ok(Completion::Completed)
        }
        Err(reason) => Ok(Completion::ignored_with(reason)),
    });
    libtest_mimic::run(&Arguments::from_args(), vec![life]).exit();
}

fn connect(server: &Neo4j) -> Graph {
    let config = ConfigBuilder::default().uri(server.bolt_url()).user(server.user()).password(server.password());
    Graph::connect(config.build().unwrap()).unwrap()
}

async fn number(server: &Neo4j, text: &str) -> Result<i64, neo4rs::Error> {
    let mut rows = connect(server).execute(query(text)).await?;
    let row = rows.next().await?.expect("a row");
    Ok(row.get("n").expect("a number"))
}

/// One test for the whole life of a server: starting one takes ten seconds.
async fn a_private_server_from_start_to_end() {
    let server = Neo4j::start().unwrap();
    assert_eq!(number(&server, "RETURN 1 AS n").await.unwrap(), 1);
    let wrong = ConfigBuilder::default().uri(server.bolt_url()).user(server.user()).password("wrong").build().unwrap();
    assert!(Graph::connect(wrong).unwrap().run(query("RETURN 1")).await.is_err(), "the password is checked");

    number(&server, "CREATE (:Kept {id: 'a'}) RETURN 1 AS n").await.unwrap();
    server.stop().unwrap();
    assert!(number(&server, "RETURN 1 AS n").await.is_err(), "a stopped server refuses connections");
    server.start_again().unwrap();
    assert_eq!(number(&server, "MATCH (k:Kept) RETURN count(k) AS n").await.unwrap(), 1);

    number(&server, "CREATE (:Kept {id: 'b'}) RETURN 1 AS n").await.unwrap();
    server.kill().unwrap();
    server.start_again().unwrap();
    assert_eq!(number(&server, "MATCH (k:Kept) RETURN count(k) AS n").await.unwrap(), 2, "what was committed survives a crash");

    server.pause().unwrap();
    let silence = tokio::time::timeout(Duration::from_millis(700), number(&server, "RETURN 1 AS n")).await;
    assert!(silence.is_err(), "a paused server says nothing");
    server.resume().unwrap();
    assert_eq!(number(&server, "RETURN 1 AS n").await.unwrap(), 1);

    for schema in ["CREATE CONSTRAINT kept FOR (k:Kept) REQUIRE k.id IS UNIQUE", "CREATE INDEX kept_since FOR (k:Kept) ON (k.since)"] {
        connect(&server).run(query(schema)).await.unwrap();
    }
    let schema = "SHOW INDEXES YIELD type WHERE type <> 'LOOKUP' RETURN count(*) AS n";
    number(&server, "UNWIND ['1', '2'] AS id CREATE (:Migration {id: id}) RETURN count(*) AS n").await.unwrap();
    server.empty(&["2", "3"]).unwrap();
    assert_eq!(number(&server, "MATCH (n) WHERE n:Migration AND n.id = '2' RETURN count(n) AS n").await.unwrap(), 1);
    assert_eq!(number(&server, "MATCH (n) RETURN count(n) AS n").await.unwrap(), 1);
    assert_eq!(number(&server, schema).await.unwrap(), 2, "where a migration stays its schema does");
    server.empty(&[]).unwrap();
    assert_eq!(number(&server, "MATCH (n) RETURN count(n) AS n").await.unwrap(), 0);
    assert_eq!(number(&server, schema).await.unwrap(), 0, "what was emptied is as new");

    let home = server.home().unwrap().to_owned();
    let process = server.process_id().unwrap();
    server.pause().unwrap();
    drop(server);
    wait_until_gone(&home, process);
}

fn wait_until_gone(home: &Path, process: u32) {
    let deadline = Instant::now() + Duration::from_secs(120);
    let process = Path::new("/proc").join(process.to_string());
    while home.exists() || process.exists() {
        assert!(Instant::now() < deadline, "{} or {} is left", home.display(), process.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}
