//! One payment a request over HTTP, against one payment a statement by clients that write for themselves.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use cypher::{Engine, Params, Row, Statement};
use test_support::neo4j::Neo4j;

use crate::cell::{Plan, Work, alone, compare, settle};
use crate::database::{self, read, write};
use crate::http::{self, Connection};
use crate::machine::Processes;
use crate::payments::{Accounts, Links, Payment, RECORD, Random};
use crate::report;
use crate::service::{Content, KEY, Program, Service, Store};

const CONNECTIONS: [usize; 3] = [1, 32, 64];
const PATH: &str = "/api/v2/transactions";

/// Writes payments to the database, one a statement.
pub struct Raw {
    engine: Engine,
    statement: Statement,
    accounts: Accounts,
    random: Random,
}

/// Sends payments to the service, one a request.
pub struct Sent {
    connection: Connection,
    accounts: Accounts,
    random: Random,
}

impl Work for Raw {
    async fn once(&mut self) -> Result<()> {
        let payment = Payment::random(self.accounts, &mut self.random);
        write(&self.engine, self.statement, payment.params()).await?;
        Ok(())
    }
}

impl Work for Sent {
    async fn once(&mut self) -> Result<()> {
        let payment = Payment::random(self.accounts, &mut self.random);
        self.connection.send_for_success(&http::post(PATH, KEY, &payment.record)).await?;
        Ok(())
    }
}

/// The section on Neo4j.
pub async fn on_neo4j(program: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("ingest on Neo4j");
    database::wipe(server).await?;
    let service = program.serve(Store::Neo4j(server), Content::AsItIs).await?;
    let engine = database::raw(server, 1)?;
    make_accounts(&engine).await?;
    same_work(&engine, &service).await?;
    report::heading("Ingest, one payment a request, Neo4j");
    report::compared_head("payments");
    let processes = Processes { database: server.process_id(), service: Some(service.id()) };
    for connections in CONNECTIONS {
        let raw = database::raw(server, connections)?;
        cells(&raw, &service, connections, plan, &processes).await?;
    }
    service.stop().await?;
    creating(server, plan).await
}

/// What raw clients get that create links without looking.
async fn creating(server: &Neo4j, plan: Plan) -> Result<()> {
    println!("\nRaw, links made by `CREATE` instead of `MERGE` (the same payment sent twice would then have six links):\n");
    println!("| | connections | payments/s | p50 / p99 ms |\n|---|---|---|---|");
    let processes = Processes { database: server.process_id(), service: None };
    let connections = CONNECTIONS[CONNECTIONS.len() - 1];
    for accounts in [Accounts::Spread, Accounts::Hubs] {
        let workers = raw_workers(&database::raw(server, connections)?, Links::Created, accounts, connections);
        let measured = alone(workers, plan, &processes).await?;
        println!("| {} | {connections} | {} | {} |", accounts.caption(), report::rate(measured.rate()), report::times(&measured));
    }
    Ok(())
}

/// The cells of one number of connections.
pub async fn cells(raw: &Engine, service: &Service, connections: usize, plan: Plan, processes: &Processes) -> Result<()> {
    for accounts in [Accounts::Spread, Accounts::Hubs] {
        let raw = raw_workers(raw, Links::Merged, accounts, connections);
        let sent = senders(service.address, accounts, connections).await?;
        let compared = compare(raw, sent, plan, processes).await?;
        report::compared(accounts.caption(), connections, &compared);
    }
    Ok(())
}

/// Lets Neo4j work until Java has compiled what writes: nothing measured before that says much.
pub async fn warm_up(server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("warming Neo4j up");
    database::wipe(server).await?;
    make_accounts(&database::raw(server, 1)?).await?;
    // One first: a cold server that makes the same plan for many at once keeps them waiting for too long.
    for connections in CONNECTIONS {
        settle(raw_workers(&database::raw(server, connections)?, Links::Merged, Accounts::Spread, connections), plan).await?;
    }
    Ok(())
}

/// Writers of one payment a statement.
pub fn raw_workers(engine: &Engine, links: Links, accounts: Accounts, connections: usize) -> Vec<Raw> {
    let worker = |seed| Raw { engine: engine.clone(), statement: links.statement(), accounts, random: Random::new(seed) };
    (0..connections as u64).map(worker).collect()
}

async fn senders(address: SocketAddr, accounts: Accounts, connections: usize) -> Result<Vec<Sent>> {
    let mut senders = Vec::with_capacity(connections);
    for seed in 0..connections as u64 {
        let random = Random::new(1_000 + seed);
        senders.push(Sent { connection: Connection::open(address).await?, accounts, random });
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

/// Whether both sides leave the same behind: properties of the payment, its links, the roll-up, the audit entry and the event. A ratio
/// between different work would say nothing.
async fn same_work(engine: &Engine, service: &Service) -> Result<()> {
    const LEFT: Statement = Statement::new(
        "raw/left_behind",
        "MATCH (t:Transaction {id: $id})\nMATCH (t)<-[:SENT]-(f:Account)-[r:TRANSFERRED_TO]->(s:Account)<-[:RECEIVED_BY]-(t)\nMATCH (t)-[:OWNED_BY]->(o:Actor)\n\
         MATCH (a:AuditEntry {objectId: $id})\nMATCH (e:Event {subjectId: $id})\nRETURN keys(t) AS payment, keys(r) AS total, keys(a) AS audit, keys(e) AS event",
    );
    let mut random = Random::new(77);
    let by_hand = Payment::random(Accounts::Spread, &mut random);
    let sent = Payment::random(Accounts::Spread, &mut random);
    write(engine, RECORD, by_hand.params()).await.context("raw")?;
    Connection::open(service.address).await?.send_for_success(&http::post(PATH, KEY, &sent.record)).await.context("through the service")?;
    let by_hand = read(engine, LEFT, Params::none().with("id", by_hand.id())).await?;
    let sent = read(engine, LEFT, Params::none().with("id", sent.id())).await?;
    let (by_hand, sent) = (by_hand.first().map(sorted).unwrap_or_default(), sent.first().map(sorted).unwrap_or_default());
    ensure!(!sent.is_empty() && by_hand == sent, "raw writes {by_hand:?}, the service {sent:?}");
    Ok(())
}

/// The names of the properties, in order, of each column.
fn sorted(row: &Row) -> Vec<Vec<String>> {
    let columns = ["payment", "total", "audit", "event"].map(|column| {
        let mut names: Vec<String> = row.get(column).as_list().iter().filter_map(|name| name.as_text().map(str::to_owned)).collect();
        names.sort();
        names
    });
    columns.into()
}
