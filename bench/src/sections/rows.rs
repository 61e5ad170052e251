//! What the engine port makes of one connection: rows a statement, the driver's delay, and what the port itself costs.

use anyhow::{Context, Result};
use cypher::{Engine, Params, Value};
use neo4rs::{BoltList, BoltMap, BoltString, BoltType, Graph, Query};
use test_support::neo4j::Neo4j;

use crate::cell::{Measured, Plan, Work, alone};
use crate::database::{self, write};
use crate::machine::Processes;
use crate::payments::{Accounts, Flow, Links, Naming, RECORD, RECORD_BATCH, Random};
use crate::report;
use crate::sections::ingest;

/// The issue of the stall: a statement of this many rows is written in several pieces.
const ROWS: usize = 32;
const FLOW: Flow = Flow { accounts: Accounts::Spread, naming: Naming::Id };

/// Writes rows over the port.
struct Batches {
    engine: Engine,
    random: Random,
}

/// Writes the same with the driver alone.
struct Driver {
    graph: Graph,
    rows: usize,
    random: Random,
}

impl Work for Batches {
    async fn once(&mut self) -> Result<()> {
        write(&self.engine, RECORD_BATCH, Params::rows(payments(&mut self.random, ROWS))).await?;
        Ok(())
    }
}

impl Work for Driver {
    async fn once(&mut self) -> Result<()> {
        let query = if self.rows == 1 {
            let params = FLOW.payment(&mut self.random).params();
            let params = params.0.into_iter().map(|(name, value)| (BoltString::from(&*name), value.into())).collect();
            Query::new(RECORD.text.to_owned()).with_params(BoltMap { value: params })
        } else {
            let rows = BoltList { value: payments(&mut self.random, self.rows).into_iter().map(BoltType::from).collect() };
            Query::new(RECORD_BATCH.text.to_owned()).param("rows", BoltType::List(rows))
        };
        self.graph.run(query).await.context("the driver")?;
        Ok(())
    }
}

/// The section.
pub async fn on_neo4j(server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("rows on one connection");
    database::wipe(server).await?;
    ingest::make_accounts(&database::raw(server, 1)?).await?;
    let processes = Processes { database: server.process_id(), service: None };
    let engine = |connections| database::raw(server, connections);
    let one = alone(ingest::raw_workers(&engine(1)?, Links::Merged, FLOW, 1), plan, &processes).await?;
    let many = alone(vec![Batches { engine: engine(1)?, random: Random::new(1) }], plan, &processes).await?;
    let driver_one = alone(drivers(server, 1, 1)?, plan, &processes).await?;
    let driver_many = alone(drivers(server, 1, ROWS)?, plan, &processes).await?;
    let wide = alone(ingest::raw_workers(&engine(32)?, Links::Merged, FLOW, 32), plan, &processes).await?;
    let driver_wide = alone(drivers(server, 32, 1)?, plan, &processes).await?;
    report::heading("Rows a statement, Neo4j");
    println!("| | engine port, rows/s | driver alone, rows/s | ratio |\n|---|---|---|---|");
    line("1 connection, 1 row a statement", 1, &one, &driver_one);
    line("1 connection, 32 rows a statement", ROWS, &many, &driver_many);
    line("32 connections, 1 row a statement", 1, &wide, &driver_wide);
    let gain = rows(ROWS, &many) / rows(1, &one);
    println!(
        "\n32 rows a statement on one connection bring **{gain:.1}** times the rows of 1 row a statement. The driver alone has no `TCP_NODELAY`."
    );
    Ok(())
}

fn line(caption: &str, rows_each: usize, port: &Measured, driver: &Measured) {
    let (port, driver) = (rows(rows_each, port), rows(rows_each, driver));
    println!("| {caption} | {} | {} | {:.2} |", report::rate(port), report::rate(driver), port / driver);
}

fn rows(each: usize, measured: &Measured) -> f64 {
    measured.rate() * each as f64
}

fn payments(random: &mut Random, rows: usize) -> Vec<Value> {
    (0..rows).map(|_| FLOW.payment(random).row()).collect()
}

fn drivers(server: &Neo4j, connections: usize, rows: usize) -> Result<Vec<Driver>> {
    let graph = database::driver(server, connections)?;
    Ok((0..connections as u64).map(|seed| Driver { graph: graph.clone(), rows, random: Random::new(2_000 + seed) }).collect())
}
