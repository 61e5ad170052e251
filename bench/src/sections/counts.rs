//! Numbers of cases by status, assignee and day of 100,000 cases: gone through against counted, and what the label costs a write by which a case waits to be
//! counted.
//!
//! Both sides ask the same service. The one side bounds the time at which cases were made by one that all pass and that is no midnight, so that no count answers it.
//! The writes are of one property, by a client of the database itself, while the service brings what they leave to the counts. Without the label they leave nothing.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use cypher::{Engine, Params, Statement, Value};
use test_support::neo4j::Neo4j;

use crate::asked::{Asked, requests};
use crate::cell::{Plan, Side, Work, settled_by_turns};
use crate::database::{self, write};
use crate::machine::Processes;
use crate::metrics::Metrics;
use crate::payments::Random;
use crate::report;
use crate::service::{Content, Program, Service, Store};

const CASES: i64 = 100_000;
const BATCH: i64 = 2_000;
const USERS: u64 = 20;
const CONNECTIONS: [usize; 2] = [1, 8];
/// Of writers, on Neo4j.
const WRITERS: [usize; 2] = [1, 16];
const KEYS: [(&str, &str); 4] =
    [("by status", "STATUS"), ("by assignee", "ASSIGNEE"), ("by status and assignee", "STATUS, ASSIGNEE"), ("by day", "CREATED_DAY")];
/// A step of the job has so many cases.
const STEP: i64 = 100;
/// Longer than anybody should wait for it.
const LONGEST: Duration = Duration::from_secs(600);

/// Cases of each status are made on each day of two years, those of a day and status for different users: a day says nothing of either.
const FILL: Statement = Statement::new(
    "fill/cases",
    "UNWIND range($from, $to) AS i
WITH i, CASE i % 5 WHEN 0 THEN 'TO_DO' WHEN 1 THEN 'IN_PROGRESS' WHEN 2 THEN 'ON_HOLD' WHEN 3 THEN 'WAITING_FOR_DATA' ELSE 'CLOSED' END AS status,
  1700000000000 + ((i / 5) % 730) * 86400000 AS at, (i / 5 + i / 3650) % 21 AS user
WITH i, status, at, CASE user WHEN 20 THEN null ELSE 'user-' + toString(user) END AS user
CREATE (c:`Case`:UncountedCase {id: 'case-' + toString(i), name: 'Case', type: 'ANALYSIS', workflowId: 'default-analysis', version: 1, eventSequence: 0,
  createdAt: at, updatedAt: at, record: '{}', status: status, state: CASE WHEN status = 'CLOSED' THEN 'CLOSED' ELSE 'OPEN' END, assigneeId: user,
  closedAt: CASE WHEN status = 'CLOSED' THEN at + 86400000 ELSE null END})",
);
const PLAIN: Statement = Statement::new("raw/assign", "MATCH (c:`Case` {id: $id})\nSET c.assigneeId = $user");
const LABELLED: Statement = Statement::new("raw/assign_uncounted", "MATCH (c:`Case` {id: $id})\nSET c.assigneeId = $user, c:UncountedCase");

/// Gives cases to users.
struct Writer {
    engine: Engine,
    statement: Statement,
    random: Random,
}

impl Work for Writer {
    async fn once(&mut self) -> Result<()> {
        let case = format!("case-{}", self.random.below(CASES as u64));
        let user = format!("user-{}", self.random.below(USERS));
        write(&self.engine, self.statement, Params::none().with("id", case).with("user", user)).await?;
        Ok(())
    }
}

/// Fills a store that is empty but for its schema.
pub async fn fill(engine: &Engine) -> Result<()> {
    for from in (0..CASES).step_by(BATCH as usize) {
        write(engine, FILL, Params::none().with("from", Value::from(from)).with("to", Value::from(from + BATCH - 1))).await?;
    }
    Ok(())
}

/// The questions on one engine, whose store is filled; on Neo4j the writes, too.
pub async fn run(program: &Program, store: Store<'_>, engine: &str, server: Option<&Neo4j>, plan: Plan) -> Result<()> {
    report::doing(&format!("numbers of cases, {engine}"));
    let service = program.serve(store, Content::AsItIs).await?;
    let took = until_counted(&service).await?;
    let processes = Processes { database: server.and_then(Neo4j::process_id), service: Some(service.id()) };
    report::heading(&format!("Numbers of {CASES} cases, {engine}"));
    println!("All of them came to their counts within {:.1} s of the start.\n", took.as_secs_f64());
    report::two_sided_head("gone through", "counted", "requests");
    for (caption, keys) in KEYS {
        for connections in CONNECTIONS {
            let ask = async |filter: &str| {
                let document = format!("{{ caseStatistics({filter}groupBy: [{keys}]) {{ rows {{ status createdDay count }} }} }}");
                Asked::on(service.address, &requests(&document, &[String::new()]), connections).await
            };
            let gone_through = ask("filter: {createdFrom: \"1970-01-01T00:00:00.001Z\"}, ").await?;
            let gone_through = Side { name: "gone through", workers: gone_through, processes: &processes };
            let counted = Side { name: "counted", workers: ask("").await?, processes: &processes };
            report::compared(caption, connections, &settled_by_turns(gone_through, counted, plan).await?);
        }
    }
    if let Some(server) = server {
        report::heading("One property of a case, without and with the label by which it waits to be counted, Neo4j");
        report::two_sided_head("without", "with, and counted meanwhile", "writes");
        for connections in WRITERS {
            let raw = database::raw(server, connections)?;
            let writers = |statement: Statement| -> Vec<Writer> {
                (0..connections as u64).map(|seed| Writer { engine: raw.clone(), statement, random: Random::new(seed) }).collect()
            };
            let without = Side { name: "without the label", workers: writers(PLAIN), processes: &processes };
            let with = Side { name: "with the label", workers: writers(LABELLED), processes: &processes };
            report::compared("assigned", connections, &settled_by_turns(without, with, plan).await?);
        }
    }
    service.stop().await
}

/// Waits until all cases are counted; how long that took.
async fn until_counted(service: &Service) -> Result<Duration> {
    let began = Instant::now();
    loop {
        let metrics = Metrics::of(service.address).await?;
        let steps = metrics.statements().get("case_count/counted").copied().unwrap_or_default();
        if steps >= (CASES / STEP) as f64 {
            return Ok(began.elapsed());
        }
        ensure!(began.elapsed() < LONGEST, "the cases are not counted within {LONGEST:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
