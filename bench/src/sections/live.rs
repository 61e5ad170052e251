//! Subscriptions: what ten thousand that are idle take, how soon a committed change is at the clients that follow it, and what payments notice.

mod changes;
mod idle;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use test_support::neo4j::Neo4j;

use crate::asked::{Asked, requests};
use crate::cell::{Compared, Plan, Side, alone, warmed};
use crate::database;
use crate::http;
use crate::machine::{self, Processes};
use crate::payments::{Accounts, Flow, Naming};
use crate::report;
use crate::sections::ingest::{self, Sent};
use crate::sections::{embedded, webhooks};
use crate::service::{Content, KEY, Program, Service, Store};
use crate::subscriber::{FOLLOWERS, Subscribers};
use idle::Idle;

/// Subscribers of a quiet day, and those beside payments.
const FEW: usize = 100;
/// Connections that payments are sent on.
const CONNECTIONS: usize = 64;
const FLOW: Flow = Flow { accounts: Accounts::Spread, naming: Naming::Number };
/// Connections of the yardstick.
const READERS: usize = 32;
/// How many more connections the service may have than there are subscribers.
const SPARE: usize = 1_000;

/// The section.
pub async fn on_neo4j(program: &Program, server: &Neo4j, subscribers: usize, plan: Plan) -> Result<()> {
    database::wipe(server).await?;
    ingest::make_accounts(&database::raw(server, 1)?).await?;
    run(program, (Store::Neo4j(server), "Neo4j"), server.process_id(), subscribers, plan).await
}

/// The section on the embedded engine.
pub async fn on_the_embedded_engine(program: &Program, folder: &Path, subscribers: usize, plan: Plan) -> Result<()> {
    let store = folder.join("live");
    embedded::prepare(&store).await?;
    // No Java is to be warmed up.
    let plan = Plan { java: Duration::ZERO, ..plan };
    run(program, (Store::Embedded(&store), "embedded engine"), None, subscribers, plan).await
}

async fn run(program: &Program, (store, engine): (Store<'_>, &str), database: Option<u32>, count: usize, plan: Plan) -> Result<()> {
    report::doing(&format!("{count} subscribers, {engine}"));
    machine::make_room_for(count)?;
    let cases = make_cases(program, store, count.max(FEW).div_ceil(FOLLOWERS)).await?;
    // One that has done nothing yet: its memory is looked at.
    let connections = (count + SPARE).to_string();
    let settings = [("AMLGRAPH_LIVE__CONNECTIONS", connections.as_str()), ("AMLGRAPH_LIVE__CONNECTIONS_PER_CALLER", connections.as_str())];
    let service = program.serve_with(store, Content::AsItIs, &settings).await?;
    let subject = Subject {
        address: service.address,
        // Another caller than the one who changes cases and sends payments.
        key: service.key("ANALYST").await?,
        cases: &cases,
        processes: &Processes { database, service: Some(service.id()) },
    };
    let many = subject.idle(&service, count, engine).await?;
    subject.changes(many, count, engine).await?;
    subject.yardstick(plan).await?;
    subject.payments(engine, plan).await?;
    service.stop().await
}

/// Makes so many cases, by a service that is stopped again; their ids.
async fn make_cases(program: &Program, store: Store<'_>, count: usize) -> Result<Vec<String>> {
    static NUMBERS: AtomicUsize = AtomicUsize::new(0);
    let first = NUMBERS.fetch_add(count, Ordering::Relaxed);
    let ids: Vec<String> = (first..first + count).map(|number| format!("00000000-0000-4000-9000-{number:012x}")).collect();
    let service = program.serve(store, Content::AsItIs).await?;
    let requests = ids.iter().map(|id| http::post("/api/cases", KEY, &format!(r#"{{"id":"{id}"}}"#))).collect();
    webhooks::send_all(&service, requests).await.context("making cases")?;
    service.stop().await?;
    Ok(ids)
}

/// A running service, and those who use it.
struct Subject<'a> {
    address: SocketAddr,
    /// Of subscribers.
    key: String,
    cases: &'a [String],
    processes: &'a Processes,
}

impl Subject<'_> {
    async fn subscribers(&self, count: usize) -> Result<Subscribers> {
        Subscribers::connect(self.address, &self.key, self.cases, count).await
    }

    /// An idle minute without subscribers, and one with so many, who stay.
    async fn idle(&self, service: &Service, count: usize, engine: &str) -> Result<Subscribers> {
        report::doing(&format!("{engine}: an idle minute without subscribers"));
        let without = Idle::minute(service).await?;
        report::doing(&format!("{engine}: {count} subscribers connect"));
        let began = Instant::now();
        let subscribers = self.subscribers(count).await?;
        let connected_after = began.elapsed();
        report::doing(&format!("{engine}: an idle minute with {count} subscribers"));
        let with = Idle::minute(service).await?;
        idle::head(engine);
        idle::line(count, connected_after, &without, &with);
        Ok(subscribers)
    }

    /// Changes that many subscribers wait for, who leave then; and likewise few.
    async fn changes(&self, mut many: Subscribers, count: usize, engine: &str) -> Result<()> {
        changes::head(engine);
        report::doing(&format!("{engine}: changes, {count} subscribers"));
        changes::line(count, &changes::tell(self.address, &mut many, self.followed(count), self.processes).await?);
        many.leave().await?;
        report::doing(&format!("{engine}: changes, {FEW} subscribers"));
        let mut few = self.subscribers(FEW).await?;
        changes::line(FEW, &changes::tell(self.address, &mut few, self.followed(FEW), self.processes).await?);
        few.leave().await
    }

    /// The cases that have all their followers where there are so many subscribers.
    fn followed(&self, subscribers: usize) -> &[String] {
        &self.cases[..subscribers / FOLLOWERS]
    }

    /// How fast this machine is: aims in milliseconds are for one that answers 30,000 a second.
    async fn yardstick(&self, plan: Plan) -> Result<()> {
        let least = requests("{ __typename }", &[String::new()]);
        let measured = alone(Asked::on(self.address, &least, READERS).await?, plan, self.processes).await?;
        println!("\n`{{ __typename }}` on {READERS} connections: {} a second.", report::rate(measured.rate()));
        Ok(())
    }

    /// Payments without subscribers and beside them, by turns.
    async fn payments(&self, engine: &str, plan: Plan) -> Result<()> {
        report::doing(&format!("{engine}: payments beside {FEW} subscribers"));
        warmed(self.senders().await?, self.senders().await?, plan).await?;
        let mut without = Side { name: "without subscribers", workers: self.senders().await?, processes: self.processes };
        let mut beside = Side { name: "beside subscribers", workers: self.senders().await?, processes: self.processes };
        without.settle(plan).await?;
        let subscribers = self.subscribers(FEW).await?;
        beside.settle(plan).await?;
        subscribers.leave().await?;
        let mut compared = Compared::default();
        for number in 1..=plan.rounds {
            // Each comes first by turns, as a store that grows may become slower.
            let beside_is_first = number.is_multiple_of(2);
            if !beside_is_first {
                without.measure(plan, &mut compared.basis).await?;
            }
            let subscribers = self.subscribers(FEW).await?;
            beside.measure(plan, &mut compared.subject).await?;
            subscribers.leave().await?;
            if beside_is_first {
                without.measure(plan, &mut compared.basis).await?;
            }
        }
        let compared = Compared { basis: compared.basis.in_order(), subject: compared.subject.in_order() };
        report::heading(&format!("Payments by number without subscribers and beside {FEW}, by turns, {engine}"));
        report::two_sided_head("without", "beside them", "payments");
        report::compared(FLOW.accounts.caption(), CONNECTIONS, &compared);
        Ok(())
    }

    async fn senders(&self) -> Result<Vec<Sent>> {
        ingest::senders(self.address, FLOW, CONNECTIONS).await
    }
}
