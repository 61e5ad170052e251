//! What it costs that a read leaves an audit entry: processor time of Get Actor with and without, service and database together.
//!
//! Two services stand before the same Neo4j, one that notes reads and one that does not, and are asked by turns. Entries are written in the
//! background a moment later; what one turn leaves over for the time after it, the turn before has left over for it.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Result, ensure};
use cypher::{Params, Statement};
use test_support::neo4j::Neo4j;

use crate::cell::{Measured, Plan, Side, Work, settled_by_turns};
use crate::database::{self, number, read};
use crate::http::{self, Connection};
use crate::machine::Processes;
use crate::payments::Random;
use crate::report;
use crate::service::{Content, KEY, Program, Service, Store};
use crate::traffic;

const CONNECTIONS: usize = 16;
const ACTORS: u64 = 200;
const SETTING: &str = "AMLGRAPH_AUDIT__READS";

/// Reads actors, one after another.
struct Reader {
    connection: Connection,
    requests: Arc<Vec<Vec<u8>>>,
    random: Random,
}

impl Work for Reader {
    async fn once(&mut self) -> Result<()> {
        let request = &self.requests[self.random.below(self.requests.len() as u64) as usize];
        self.connection.send_for_success(request).await?;
        Ok(())
    }
}

/// The section.
pub async fn on_neo4j(program: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("audit of reads on Neo4j");
    database::wipe(server).await?;
    let silent = program.serve_with(Store::Neo4j(server), Content::AsItIs, &[(SETTING, "none")]).await?;
    let noting = program.serve_with(Store::Neo4j(server), Content::AsItIs, &[(SETTING, "records")]).await?;
    let requests = make_actors(silent.address).await?;
    let of = |service: &Service| Processes { database: server.process_id(), service: Some(service.id()) };
    let (silent_processes, noting_processes) = (of(&silent), of(&noting));
    let without = Side { name: "un-noted reads", workers: readers(silent.address, &requests).await?, processes: &silent_processes };
    let with = Side { name: "noted reads", workers: readers(noting.address, &requests).await?, processes: &noting_processes };
    let compared = settled_by_turns(without, with, plan).await?;
    // Each writes what it has gathered before it is gone.
    silent.stop().await?;
    noting.stop().await?;
    let entries = entries(server).await?;
    ensure!(entries > 0, "no read was noted");
    report::heading("Audit of reads, Get Actor over HTTP, Neo4j");
    println!(
        "| `audit.reads` | connections | reads/s | p50 / p99 ms | database, ms a read | amlgraph, ms a read | both |\n|---|---|---|---|---|---|---|"
    );
    let without = line("none", &compared.basis);
    let with = line("records", &compared.subject);
    println!("\nA noted read costs **{:.3} ms** of processor time more, database included ({entries} entries were left).", with - without);
    Ok(())
}

/// Prints one side; answers with the processor milliseconds of a read.
fn line(setting: &str, measured: &Measured) -> f64 {
    let each = measured.processor_millis();
    let both = each.database + each.service;
    println!(
        "| {setting} | {CONNECTIONS} | {} | {} | {:.3} | {:.3} | {both:.3} |",
        report::rate(measured.rate()),
        report::times(measured),
        each.database,
        each.service
    );
    both
}

/// Sends actors and answers with the requests that read them.
async fn make_actors(address: SocketAddr) -> Result<Arc<Vec<Vec<u8>>>> {
    let mut connection = Connection::open(address).await?;
    let ids: Vec<String> = (0..ACTORS).map(|number| format!("read-{number:05}")).collect();
    for id in &ids {
        connection.send_for_success(&traffic::actor_of_id(id)).await?;
    }
    Ok(Arc::new(ids.iter().map(|id| http::get_with_key(&format!("/api/actors/{id}"), KEY)).collect()))
}

async fn readers(address: SocketAddr, requests: &Arc<Vec<Vec<u8>>>) -> Result<Vec<Reader>> {
    let mut readers = Vec::with_capacity(CONNECTIONS);
    for seed in 0..CONNECTIONS as u64 {
        readers.push(Reader { connection: Connection::open(address).await?, requests: Arc::clone(requests), random: Random::new(4_000 + seed) });
    }
    Ok(readers)
}

async fn entries(server: &Neo4j) -> Result<i64> {
    const COUNT: Statement = Statement::new("raw/count_noted_reads", "MATCH (a:AuditEntry)\nWHERE a.logType = 'READ'\nRETURN count(a) AS n");
    Ok(number(&read(&database::raw(server, 1)?, COUNT, Params::none()).await?))
}
