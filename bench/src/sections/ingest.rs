//! One payment a request over HTTP, against one payment a statement by clients that write for themselves.

use std::net::SocketAddr;

use anyhow::Result;
use cypher::Engine;
use test_support::neo4j::Neo4j;

use crate::cell::{Plan, Work, alone, compare, settle, warmed};
use crate::database::{self, write};
use crate::http::{self, Connection};
use crate::machine::Processes;
use crate::payments::{Accounts, Flow, Links, Naming, Random};
use crate::report;
use crate::sections::same_work;
use crate::service::{Content, KEY, Program, Service, Store};

/// With accounts by their ids.
const CONNECTIONS: [usize; 3] = [64, 32, 1];
/// Where payments are sent to.
pub const PATH: &str = "/api/v2/transactions";

/// Writes payments to the database, one a statement.
pub struct Raw {
    engine: Engine,
    links: Links,
    flow: Flow,
    random: Random,
}

/// Sends payments to the service, one a request.
pub struct Sent {
    connection: Connection,
    flow: Flow,
    random: Random,
}

impl Work for Raw {
    async fn once(&mut self) -> Result<()> {
        let payment = self.flow.payment(&mut self.random);
        write(&self.engine, payment.statement(self.links), payment.params()).await?;
        Ok(())
    }
}

impl Work for Sent {
    async fn once(&mut self) -> Result<()> {
        let payment = self.flow.payment(&mut self.random);
        self.connection.send_for_success(&http::post(PATH, KEY, &payment.record)).await?;
        Ok(())
    }
}

/// The section of payments to accounts by their ids.
pub async fn on_neo4j(program: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("ingest on Neo4j");
    measured(program, server, Naming::Id, &CONNECTIONS.map(|connections| (connections, Naming::Id)), plan).await?;
    creating(server, plan).await
}

/// The section of payments to accounts by IBAN or number, half of which are those of known accounts: against clients who look the number up, and
/// against clients who know the account's id and only make the same links.
pub async fn by_number_on_neo4j(program: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("ingest by number on Neo4j");
    measured(program, server, Naming::Number, &[(64, Naming::Number), (64, Naming::Id), (1, Naming::Number)], plan).await
}

async fn measured(program: &Program, server: &Neo4j, naming: Naming, against: &[(usize, Naming)], plan: Plan) -> Result<()> {
    database::wipe(server).await?;
    let service = program.serve(Store::Neo4j(server), Content::AsItIs).await?;
    let engine = database::raw(server, 1)?;
    make_accounts(&engine).await?;
    same_work::check(&engine, &service, naming).await?;
    report::heading(&format!("Ingest, one payment a request, the other account {}, Neo4j", naming.caption()));
    report::compared_head("payments");
    let processes = Processes { database: server.process_id(), service: Some(service.id()) };
    let flow = Flow { accounts: Accounts::Spread, naming };
    let many = CONNECTIONS[0];
    warmed(raw_workers(&database::raw(server, many)?, Links::Merged, flow, many), senders(service.address, flow, many).await?, plan).await?;
    for (connections, known) in against.iter().copied() {
        let raw = database::raw(server, connections)?;
        cells(&raw, &service, Names { raw: known, sent: naming }, connections, plan, &processes).await?;
    }
    service.stop().await
}

/// What raw clients get that create links without looking.
async fn creating(server: &Neo4j, plan: Plan) -> Result<()> {
    println!("\nRaw, links made by `CREATE` instead of `MERGE` (the same payment sent twice would then have six links):\n");
    println!("| | connections | payments/s | p50 / p99 ms |\n|---|---|---|---|");
    let processes = Processes { database: server.process_id(), service: None };
    let connections = CONNECTIONS[0];
    for accounts in [Accounts::Spread, Accounts::Hubs] {
        let flow = Flow { accounts, naming: Naming::Id };
        let workers = raw_workers(&database::raw(server, connections)?, Links::Created, flow, connections);
        let measured = alone(workers, plan, &processes).await?;
        println!("| {} | {connections} | {} | {} |", accounts.caption(), report::rate(measured.rate()), report::times(&measured));
    }
    Ok(())
}

/// How the two sides name the other account.
#[derive(Clone, Copy)]
pub struct Names {
    pub raw: Naming,
    pub sent: Naming,
}

/// The cells of one number of connections.
pub async fn cells(raw: &Engine, service: &Service, names: Names, connections: usize, plan: Plan, processes: &Processes) -> Result<()> {
    for accounts in [Accounts::Spread, Accounts::Hubs] {
        let raw = raw_workers(raw, Links::Merged, Flow { accounts, naming: names.raw }, connections);
        let sent = senders(service.address, Flow { accounts, naming: names.sent }, connections).await?;
        let compared = compare(raw, sent, plan, processes).await?;
        let caption = accounts.caption().to_owned() + if names.raw == names.sent { "" } else { ", raw knows the ids" };
        report::compared(&caption, connections, &compared);
    }
    Ok(())
}

/// Lets Neo4j work until Java has compiled what writes: nothing measured before that says much.
pub async fn warm_up(server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("warming Neo4j up");
    database::wipe(server).await?;
    make_accounts(&database::raw(server, 1)?).await?;
    // One first: a cold server that makes the same plan for many at once keeps them waiting for too long.
    for connections in CONNECTIONS.into_iter().rev() {
        let flow = Flow { accounts: Accounts::Spread, naming: Naming::Id };
        settle(raw_workers(&database::raw(server, connections)?, Links::Merged, flow, connections), plan).await?;
    }
    Ok(())
}

/// Writers of one payment a statement.
pub fn raw_workers(engine: &Engine, links: Links, flow: Flow, connections: usize) -> Vec<Raw> {
    let worker = |seed| Raw { engine: engine.clone(), links, flow, random: Random::new(seed) };
    (0..connections as u64).map(worker).collect()
}

/// Senders of one payment a request.
pub async fn senders(address: SocketAddr, flow: Flow, connections: usize) -> Result<Vec<Sent>> {
    let mut senders = Vec::with_capacity(connections);
    for seed in 0..connections as u64 {
        let random = Random::new(1_000 + seed);
        senders.push(Sent { connection: Connection::open(address).await?, flow, random });
    }
    Ok(senders)
}

/// Makes the accounts that payments go between.
pub async fn make_accounts(engine: &Engine) -> Result<()> {
    for accounts in [Accounts::Spread, Accounts::Hubs] {
        let (statement, batches) = accounts.make();
        for batch in batches {
            write(engine, statement, batch).await?;
        }
    }
    Ok(())
}
