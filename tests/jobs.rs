//! Work in the background as those who run the service see it. How workers share it is tested in `resolvers/tests/jobs.rs`.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::support::jobs::{self, Shown};
use crate::support::{Engine, Server, Store, tests};

tests![both: jobs_are_shown_and_none_is_left, a_stopped_server_lets_go, a_worker_works_alone, a_killed_server_leaves_nothing_behind];

const HOUSEKEEPING: &str =
    "MATCH (j:Job {id: 'housekeeping'}) RETURN j.holder AS holder, j.leaseUntil AS leaseUntil, j.runs AS runs, j.failures AS failures";

async fn jobs_are_shown_and_none_is_left(engine: Engine) {
    let server = Server::start(engine);
    jobs::none_left(&server).await;
    let shown = Shown::now(&server).await;
    // In the database of all tests it may have been a while ago.
    let age = shown.of("amlgraph_job_success_age_seconds")["housekeeping"];
    assert!((0.0..3700.0).contains(&age), "{age}");
    assert_eq!(shown.of("amlgraph_job_failures")["housekeeping"], 0.0);
}

async fn a_stopped_server_lets_go(engine: Engine) {
    let mut server = Server::start(engine);
    jobs::none_left(&server).await;
    assert_eq!(server.stop().code(), Some(0));
    server.start_again();
    is_free(&server.cypher(HOUSEKEEPING));
}

fn is_free(rows: &[serde_json::Value]) {
    let [row] = rows else { panic!("one node: {rows:?}") };
    assert_eq!((&row["holder"], &row["leaseUntil"], &row["failures"]), (&"".into(), &0.into(), &0.into()), "{row}");
    assert!(row["runs"].as_i64().is_some_and(|runs| runs >= 1), "{row}");
}

/// `amlgraph work` does what is due without an API, and ends well.
async fn a_worker_works_alone(engine: Engine) {
    let store = Store::private(engine);
    let mut worker = store.command(&["work"]).env("AMLGRAPH_LOG", "resolvers=debug").stderr(Stdio::piped()).spawn().expect("it starts");
    let mut log = BufReader::new(worker.stderr.take().expect("its log")).lines().map_while(Result::ok);
    assert!(log.any(|line| line.contains("let go") && line.contains("housekeeping")), "it ended before it had done anything");
    let signalled = Command::new("kill").args(["-TERM", &worker.id().to_string()]).status().expect("kill runs");
    assert!(signalled.success());
    let said: Vec<String> = log.collect();
    assert_eq!(worker.wait().expect("it ends").code(), Some(0), "{said:?}");
    is_free(&store.cypher(HOUSEKEEPING));
}

/// Whatever a worker was at when it was killed, another does it.
async fn a_killed_server_leaves_nothing_behind(engine: Engine) {
    let mut server = Server::start(engine);
    for _ in 0..3 {
        server.kill();
        server.start_again();
    }
    jobs::none_left(&server).await;
}
