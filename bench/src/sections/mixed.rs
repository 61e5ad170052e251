//! Payments among all that a bank sends, against payments alone: what other kinds of writes cost them.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use test_support::neo4j::Neo4j;

use crate::cell::{Plan, Side, Work, settled_by_turns, warmed};
use crate::database;
use crate::http::{self, Connection};
use crate::machine::Processes;
use crate::payments::{Accounts, Flow, Naming, Random};
use crate::report;
use crate::sections::ingest::{self, PATH};
use crate::service::{Content, KEY, Program, Store};
use crate::traffic::{self, CaseRequest, Cases};

pub const CONNECTIONS: usize = 64;
const FLOW: Flow = Flow { accounts: Accounts::Spread, naming: Naming::Number };
/// Of a hundred requests; the others are about cases.
const PAYMENTS: u64 = 60;
const ACTORS: u64 = 25;
const SCORES: u64 = 10;
pub const CAPTION: &str = "60 % payments by number, 25 % actors, 10 % risk scores, 5 % cases";

/// Sends requests of all kinds.
pub struct Mixed {
    connection: Connection,
    random: Random,
    cases: Cases,
}

impl Work for Mixed {
    async fn once(&mut self) -> Result<()> {
        let CaseRequest { request, makes } = self.request();
        self.connection.send_for_success(&request).await.with_context(|| first_line(&request))?;
        if let Some(id) = makes {
            self.cases.made(id);
        }
        Ok(())
    }
}

impl Mixed {
    fn request(&mut self) -> CaseRequest {
        let random = &mut self.random;
        let kind = random.below(100);
        let request = if kind < PAYMENTS {
            http::post(PATH, KEY, &FLOW.payment(random).record)
        } else if kind < PAYMENTS + ACTORS {
            traffic::actor(random)
        } else if kind < PAYMENTS + ACTORS + SCORES {
            traffic::risk_score(random)
        } else {
            return self.cases.request(random);
        };
        CaseRequest { request, makes: None }
    }
}

fn first_line(request: &[u8]) -> String {
    String::from_utf8_lossy(request).lines().next().unwrap_or_default().to_owned()
}

/// The section.
pub async fn on_neo4j(program: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("mixed traffic on Neo4j");
    database::wipe(server).await?;
    let service = program.serve(Store::Neo4j(server), Content::AsItIs).await?;
    ingest::make_accounts(&database::raw(server, 1)?).await?;
    let processes = &Processes { database: server.process_id(), service: Some(service.id()) };
    warmed(ingest::senders(service.address, FLOW, CONNECTIONS).await?, senders(service.address).await?, plan).await?;
    let alone = Side { name: "payments alone", workers: ingest::senders(service.address, FLOW, CONNECTIONS).await?, processes };
    let mixed = Side { name: "mixed", workers: senders(service.address).await?, processes };
    let compared = settled_by_turns(alone, mixed, plan).await?;
    report::heading("Mixed traffic, one write a request, Neo4j");
    report::two_sided_head("payments alone", "mixed", "requests");
    report::compared(CAPTION, CONNECTIONS, &compared);
    service.stop().await
}

/// Senders of requests of all kinds.
pub async fn senders(address: SocketAddr) -> Result<Vec<Mixed>> {
    let cases = Cases::default();
    let mut workers = Vec::with_capacity(CONNECTIONS);
    for seed in 0..CONNECTIONS as u64 {
        workers.push(Mixed { connection: Connection::open(address).await?, random: Random::new(3_000 + seed), cases: cases.clone() });
    }
    Ok(workers)
}
