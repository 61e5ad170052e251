//! The stores, and the raw side's way to them.
//!
//! Raw is the service's own engine port with a hand-written statement a call: the same driver, the same `TCP_NODELAY`, a pool of exactly
//! as many connections as there are workers. What the port adds to the driver is measured, too (section `rows`).

use std::time::Duration;

use anyhow::{Context, Result};
use cypher::{Bolt, BoltAddress, Engine, Error, Params, Row, Statement};
use neo4rs::{ConfigBuilder, Graph};
use test_support::neo4j::Neo4j;

/// Reads that are no part of a measurement may take long.
const PATIENCE: Duration = Duration::from_secs(60);

/// In small pieces, because a transaction lives in the server's memory; payments first, because a hub has too many for one transaction.
const WIPE: [Statement; 4] = [
    Statement::new("raw/wipe_transactions", "MATCH (n:Transaction)\nWITH n LIMIT 5000\nDETACH DELETE n\nRETURN count(n) AS n"),
    Statement::new("raw/wipe_audit_entries", "MATCH (n:AuditEntry)\nWITH n LIMIT 20000\nDETACH DELETE n\nRETURN count(n) AS n"),
    Statement::new("raw/wipe_events", "MATCH (n:Event)\nWITH n LIMIT 20000\nDETACH DELETE n\nRETURN count(n) AS n"),
    Statement::new("raw/wipe_rest", "MATCH (n)\nWITH n LIMIT 2000\nDETACH DELETE n\nRETURN count(n) AS n"),
];

/// A pool of so many connections to Neo4j.
pub fn raw(server: &Neo4j, connections: usize) -> Result<Engine> {
    let address = BoltAddress {
        url: server.bolt_url().to_owned(),
        user: server.user().to_owned(),
        password: server.password().to_owned(),
        database: None,
        connections,
    };
    Bolt::open(address).map(Engine::Bolt).context("connecting to Neo4j")
}

/// So many connections of the driver alone.
pub fn driver(server: &Neo4j, connections: usize) -> Result<Graph> {
    let config = ConfigBuilder::default().uri(server.bolt_url()).user(server.user()).password(server.password()).max_connections(connections);
    Graph::connect(config.build()?).context("connecting to Neo4j")
}

/// Makes the store what it is after migrating.
pub async fn wipe(server: &Neo4j) -> Result<()> {
    empty(server).await?;
    // What migrations have made is made anew, with the note of them: nothing here has to know what that is.
    cypher::migrate(&raw(server, 1)?).await.context("migrating")?;
    Ok(())
}

/// Takes everything out of the store but constraints and indexes: for a program that refuses what a newer one has migrated.
pub async fn empty(server: &Neo4j) -> Result<()> {
    let engine = raw(server, 1)?;
    for statement in WIPE {
        while number(&write(&engine, statement, Params::none()).await?) > 0 {}
    }
    Ok(())
}

/// Runs a statement, again as long as it loses against others: what any client has to do.
pub async fn write(engine: &Engine, statement: Statement, params: Params) -> Result<Vec<Row>, Error> {
    loop {
        match engine.write_within(statement, params.clone(), PATIENCE).await {
            Err(error) if error.is_conflict() => {}
            outcome => return outcome,
        }
    }
}

/// Reads with all the time in the world.
pub async fn read(engine: &Engine, statement: Statement, params: Params) -> Result<Vec<Row>, Error> {
    engine.read(statement, params, PATIENCE).await
}

/// The column `n` of the only row.
pub fn number(rows: &[Row]) -> i64 {
    rows.first().and_then(|row| row.get("n").as_int()).unwrap_or_default()
}
