//! The screens of an analysts' user interface through two builds, before one Neo4j with the sample and casework about its actors, by turns.
//!
//! Each document of `docs/screens` is asked of both. Where the other build can't answer it, because its schema lacks fields, both are asked what was asked of
//! the same screen before (`bench/documents`). Both have to answer the same before the clock runs.

mod answers;
mod casework;
mod documents;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use test_support::neo4j::Neo4j;

use crate::asked::Asked;
use crate::cell::{Compared, Plan, Side, warmed};
use crate::database;
use crate::http::Connection;
use crate::machine::{Processes, resident_mib};
use crate::report;
use crate::service::{Content, Program, Service, Store};

use answers::{Lists, difference};
use casework::Casework;
pub use documents::{Screen, screens};

const CONNECTIONS: usize = 32;
/// Longer than jobs go on that casework has begun.
const QUIET: Duration = Duration::from_secs(5);
/// Who does the casework.
const ANALYST: &str = "ANALYST";

/// Both builds, the other one first.
struct Sides<'a> {
    other: &'a Service,
    this: &'a Service,
    processes: [Processes; 2],
    plan: Plan,
}

/// Which document of a screen is asked, as requests.
struct Question {
    /// Whether it is what is asked now.
    is_present: bool,
    requests: Arc<Vec<Vec<u8>>>,
}

/// The section.
pub async fn on_neo4j(program: &Program, other: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("screens: loading the sample");
    database::empty(server).await?;
    let store = Store::Neo4j(server);
    // The older one first: it refuses a store that the newer has migrated, but does not mind when that happens beside it.
    let other = other.serve(store, Content::Sample).await?;
    let this = program.serve(store, Content::AsItIs).await?;
    let roles: BTreeSet<&str> = screens().map(Screen::role).chain([ANALYST]).collect();
    let mut keys = BTreeMap::new();
    for role in roles {
        keys.insert(role, this.key(role).await?);
    }
    report::doing("screens: casework");
    let work = Casework::done(&this, &database::raw(server, 1)?, &keys[ANALYST]).await.context("casework")?;
    tokio::time::sleep(QUIET).await;
    let processes = [&other, &this].map(|service| Processes { database: server.process_id(), service: Some(service.id()) });
    let sides = Sides { other: &other, this: &this, processes, plan };
    let failed = sides.all(&work, &keys).await;
    let [others, its] = [&other, &this].map(|service| resident_mib(service.id()));
    println!("\nResident memory after these requests: the other {:.0} MiB, this {:.0} MiB.", others?, its?);
    this.stop().await?;
    other.stop().await?;
    ensure!(failed.is_empty(), "these were not answered alike: {}", failed.join("; "));
    Ok(())
}

impl Sides<'_> {
    /// The table. Answers with what was not answered, or not alike.
    async fn all(&self, work: &Casework, keys: &BTreeMap<&str, String>) -> Vec<String> {
        report::heading(&format!("Screens through two builds, {CONNECTIONS} connections, Neo4j"));
        report::two_sided_head("the other", "this", "requests");
        let (mut failed, mut ratios) = (Vec::new(), Vec::new());
        for screen in screens() {
            let caption = screen.caption;
            report::doing(&format!("screens: {caption}"));
            match self.measured(screen, &keys[screen.role()], work).await {
                Ok(Some((is_present, compared))) => {
                    let caption = if is_present { caption.to_owned() } else { format!("{caption}, as before") };
                    report::compared(&caption, CONNECTIONS, &compared);
                    ratios.push(compared.ratio());
                }
                Ok(None) => println!("| {caption} | {CONNECTIONS} | cannot answer any of it | | | | | |"),
                Err(error) => {
                    let text = format!("{error:#}");
                    println!(
                        "| {caption} | {CONNECTIONS} | **not alike**: {} | | | | | |",
                        text.chars().take(200).collect::<String>().replace('|', "/")
                    );
                    failed.push(format!("{caption}: {text}"));
                }
            }
        }
        let reached = ratios.iter().filter(|ratio| **ratio >= 1.0).count();
        println!("\n{reached} of {} are answered as often as by the other build, or more often.", ratios.len());
        failed
    }

    /// Whether the present document was asked, and what came of it; nothing where both can't be asked of this screen.
    async fn measured(&self, screen: &Screen, key: &str, work: &Casework) -> Result<Option<(bool, Compared)>> {
        let Some(Question { is_present, requests }) = self.question(screen, key, work).await? else { return Ok(None) };
        self.check(screen, &requests).await?;
        let workers = async || -> Result<[Vec<Asked>; 2]> {
            Ok([Asked::on(self.other.address, &requests, CONNECTIONS).await?, Asked::on(self.this.address, &requests, CONNECTIONS).await?])
        };
        let [others, its] = workers().await?;
        warmed(others, its, Plan { java: self.plan.java / 10, ..self.plan }).await?;
        let [others, its] = workers().await?;
        let [of_other, of_this] = &self.processes;
        let other = Side { name: "the other", workers: others, processes: of_other };
        let this = Side { name: "this", workers: its, processes: of_this };
        Ok(Some((is_present, by_turns(other, this, self.plan).await?)))
    }

    /// The present document, if both can answer it, or else the former one.
    async fn question(&self, screen: &Screen, key: &str, work: &Casework) -> Result<Option<Question>> {
        let present = screen.requests(screen.present, key, work);
        let first = present.first().context("there is nothing to ask about")?;
        answered(&mut Connection::open(self.this.address).await?, first).await.context("this build")?;
        if answered(&mut Connection::open(self.other.address).await?, first).await.is_ok() {
            return Ok(Some(Question { is_present: true, requests: Arc::new(present) }));
        }
        Ok(screen.former.map(|former| Question { is_present: false, requests: Arc::new(screen.requests(former, key, work)) }))
    }

    /// That both answer the same to each request, and that there is something.
    async fn check(&self, screen: &Screen, requests: &[Vec<u8>]) -> Result<()> {
        let (mut other, mut this) = (Connection::open(self.other.address).await?, Connection::open(self.this.address).await?);
        let mut lists = Lists::default();
        let mut nodes = 0;
        for request in requests {
            let others = answered(&mut other, request).await.context("the other build")?;
            let its = answered(&mut this, request).await.context("this build")?;
            if let Some(place) = difference(&others, &its) {
                bail!("{place}");
            }
            nodes += its.to_string().matches("\"id\":").count();
            lists.take_in(&its);
        }
        ensure!(nodes > requests.len(), "the answers have {nodes} nodes");
        let empty: Vec<&str> = lists.empty().collect();
        if !empty.is_empty() {
            report::doing(&format!("screens: {}: empty in all answers: {}", screen.caption, empty.join(" ")));
        }
        Ok(())
    }
}

/// The data of an answer without errors.
async fn answered(connection: &mut Connection, request: &[u8]) -> Result<Value> {
    let mut answer: Value = serde_json::from_slice(connection.send(request).await?.body)?;
    if !answer["errors"].is_null() || !answer["data"].is_object() {
        bail!("answered {answer}");
    }
    Ok(answer["data"].take())
}

/// Both, each the first by turns, once both have settled.
async fn by_turns(mut other: Side<'_, Asked>, mut this: Side<'_, Asked>, plan: Plan) -> Result<Compared> {
    other.settle(plan).await?;
    this.settle(plan).await?;
    let mut compared = Compared::default();
    for number in 1..=plan.rounds {
        let this_is_first = number.is_multiple_of(2);
        if this_is_first {
            this.measure(plan, &mut compared.subject).await?;
        }
        other.measure(plan, &mut compared.basis).await?;
        if !this_is_first {
            this.measure(plan, &mut compared.subject).await?;
        }
    }
    Ok(Compared { basis: compared.basis.in_order(), subject: compared.subject.in_order() })
}
