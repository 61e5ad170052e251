//! The first page of each queue of the inbox, and numbers of it, in a store of 100,000 cases and a million observations: whether they come from indexes, whatever
//! the store has.
//!
//! What has to come is worked out by plain code from what the store was filled with: of each page the ids in their order, of numbers each group's.

mod bank;
mod fill;
mod questions;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use cypher::{Engine, Params, Statement};
use serde_json::Value as Json;
use test_support::neo4j::Neo4j;

use crate::asked::{Asked, requests};
use crate::cell::{Measured, Plan, again, alone};
use crate::database::{self, number, read};
use crate::http::{self, Connection};
use crate::machine::Processes;
use crate::report;
use crate::service::{Content, KEY, Program, Service, Store};

use bank::{Bank, OBSERVATIONS};
use questions::{Answer, Question, Request};

/// Of what is measured, and of what is measured besides.
const CONNECTIONS: usize = 8;
/// Absolute times are for a machine on which so many connections have so many answers a second that read nothing.
const YARDSTICK: (usize, f64) = (32, 30_000.0);
/// A line has so many times less of warming up than a cell elsewhere: there are many, and most ask what those before them have warmed up.
const SOONER: u32 = 3;
/// Longer than anybody should wait for it.
const LONGEST: Duration = Duration::from_secs(3_600);
const LOOK: Duration = Duration::from_millis(500);
const UNCOUNTED: Statement = Statement::new("raw/uncounted", "MATCH (c:UncountedCase)\nRETURN count(c) AS n");

/// The section on Neo4j, whose store is empty but for its schema.
pub async fn run(program: &Program, server: &Neo4j, cases: i64, plan: Plan) -> Result<()> {
    let raw = database::raw(server, fill::WAYS)?;
    let bank = Bank { cases, now: now() };
    report::doing(&format!("queues: filling with {cases} cases"));
    let began = Instant::now();
    fill::fill(&raw, bank).await?;
    let filled = began.elapsed();
    report::doing("queues: waiting for counts");
    let began = Instant::now();
    let service = program.serve(Store::Neo4j(server), Content::AsItIs).await?;
    until_counted(&raw).await?;
    let counted = began.elapsed();
    report::heading(&format!("Queues of {cases} cases and {} observations, Neo4j", cases * OBSERVATIONS));
    println!("Filled within {:.0} s; all cases came to their counts within {:.0} s of the start.", filled.as_secs_f64(), counted.as_secs_f64());
    let processes = Processes { database: server.process_id(), service: Some(service.id()) };
    let pages = questions::pages(bank, now());
    warm_up(&service, &pages, plan, &processes).await?;
    let speed = speed_of(&service, plan, &processes).await?;
    let (connections, yardstick) = YARDSTICK;
    let (told, wanted) = (report::rate(speed), report::rate(yardstick));
    println!("`{{ __typename }}` on {connections} connections: {told} a second. Times are also told as they would be at {wanted} a second.\n");
    println!(
        "| | requests/s on {CONNECTIONS} connections | p50 / p99 ms | p99 at the yardstick | p50 / p99 ms on one | aim: p99 ms | met | cores then |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut table = Table { service: &service, plan, processes, speed, missed: 0, failed: Vec::new() };
    for question in pages.iter().chain(&questions::numbers(bank, now())) {
        table.ask(question).await;
    }
    let Table { missed, failed, .. } = table;
    let speed = speed_of(&service, plan, &processes).await?;
    println!("\n{missed} of them miss their aim. `{{ __typename }}` at the end: {} a second.", report::rate(speed));
    service.stop().await?;
    ensure!(failed.is_empty(), "these were not answered as they should be: {}", failed.join("; "));
    Ok(())
}

/// Lets Java compile what pages of cases need. What is not answered is told of by its own line later.
async fn warm_up(service: &Service, pages: &[Question], plan: Plan, processes: &Processes) -> Result<()> {
    let of_cases = pages.iter().filter(|page| page.caption.starts_with("`cases`")).flat_map(|page| &page.requests);
    let bodies = Arc::new(of_cases.map(|request| post(&request.body)).collect());
    let plan = Plan { measured: plan.java, rounds: 1, ..plan };
    if let Err(error) = alone(Asked::on(service.address, &bodies, CONNECTIONS).await?, plan, processes).await {
        report::doing(&format!("queues: the warming up has ended early: {error:#}"));
    }
    Ok(())
}

fn post(body: &Json) -> Vec<u8> {
    http::post("/graphql", KEY, &body.to_string())
}

/// Epoch milliseconds.
fn now() -> i64 {
    chrono::Utc::now().timestamp_millis()
}

/// Waits until all cases are counted.
async fn until_counted(raw: &Engine) -> Result<()> {
    let began = Instant::now();
    while number(&read(raw, UNCOUNTED, Params::none()).await?) > 0 {
        ensure!(began.elapsed() < LONGEST, "the cases are not counted within {LONGEST:?}");
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}

/// How many a second that read nothing.
async fn speed_of(service: &Service, plan: Plan, processes: &Processes) -> Result<f64> {
    let asked = Asked::on(service.address, &requests("{ __typename }", &[String::new()]), YARDSTICK.0).await?;
    Ok(alone(asked, plan, processes).await?.rate())
}

/// The table of the section, a line for each question.
struct Table<'a> {
    service: &'a Service,
    plan: Plan,
    processes: Processes,
    speed: f64,
    missed: usize,
    /// What was not answered, or wrongly.
    failed: Vec<String>,
}

impl Table<'_> {
    /// What is not answered has a line, too: one question that runs into a limit does not end all others.
    async fn ask(&mut self, question: &Question) {
        let Question { caption, aim, .. } = question;
        report::doing(&format!("queues: {caption}"));
        let aim = aim.as_secs_f64() * 1000.0;
        match self.measured(question).await {
            Ok([many, single]) => {
                let (p99, scaled) = (many.millis(0.99), many.millis(0.99) * self.speed / YARDSTICK.1);
                let met = match (p99 <= aim, scaled <= aim) {
                    (true, _) => "yes",
                    (false, true) => "at the yardstick",
                    (false, false) => "**no**",
                };
                self.missed += usize::from(p99 > aim && scaled > aim);
                println!(
                    "| {caption} | {} | {} | {scaled:.1} | {} | {aim:.0} | {met} | {} |",
                    report::rate(many.rate()),
                    report::times(&many),
                    report::times(&single),
                    report::share(many.cores()),
                );
            }
            Err(error) => {
                self.missed += 1;
                let text = format!("{error:#}");
                println!("| {caption} | | | | | {aim:.0} | **no**: {} | |", text.chars().take(200).collect::<String>().replace('|', "/"));
                self.failed.push(format!("{caption}: {text}"));
            }
        }
    }

    /// On many connections, and on one; the answers are right.
    async fn measured(&self, question: &Question) -> Result<[Measured; 2]> {
        let mut connection = Connection::open(self.service.address).await?;
        let mut bodies = Vec::with_capacity(question.requests.len());
        for request in &question.requests {
            let body = post(&request.body);
            let answer: Json = serde_json::from_slice(connection.send_for_success(&body).await?)?;
            ensure!(answer["errors"].is_null(), "answered {}", answer["errors"]);
            check(request, &answer["data"])?;
            bodies.push(body);
        }
        ensure!(!bodies.is_empty(), "nothing in the store has it");
        let bodies = Arc::new(bodies);
        let plan = Plan { warm_up: self.plan.warm_up / SOONER, ..self.plan };
        let many = alone(Asked::on(self.service.address, &bodies, CONNECTIONS).await?, plan, &self.processes).await?;
        let single = again(Asked::on(self.service.address, &bodies, 1).await?, plan, &self.processes).await?;
        Ok([many, single])
    }
}

/// That an answer has what it should have, and that there is something.
fn check(request: &Request, data: &Json) -> Result<()> {
    match &request.answer {
        Answer::Page(field, wanted) => {
            let nodes = data[field]["nodes"].as_array().context("a page")?;
            let ids: Vec<&str> = nodes.iter().filter_map(|node| node["id"].as_str()).collect();
            ensure!(!ids.is_empty(), "the page is empty");
            if let Some(place) = (0..ids.len().max(wanted.len())).find(|place| ids.get(*place).copied() != wanted.get(*place).map(String::as_str)) {
                bail!("item {place} is {:?} of {}, and should be {:?} of {}", ids.get(place), ids.len(), wanted.get(place), wanted.len());
            }
        }
        Answer::Groups(field, group, wanted) => {
            let rows = data[field]["rows"].as_array().context("rows")?;
            let path = format!("/{}", group.replace(" { ", "/").trim_end_matches(" }"));
            let name = |row: &Json| row.pointer(&path).and_then(Json::as_str).unwrap_or_default().to_owned();
            let counts: BTreeMap<String, i64> = rows.iter().map(|row| (name(row), row["count"].as_i64().unwrap_or_default())).collect();
            ensure!(!counts.is_empty() && counts == *wanted, "the numbers are {counts:?}, and should be {wanted:?}");
        }
    }
    Ok(())
}
