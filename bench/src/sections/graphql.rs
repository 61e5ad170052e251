//! Questions over GraphQL, against the same questions to the database.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use cypher::{Engine, Params, Row, Statement, Value};
use serde_json::json;
use test_support::neo4j::Neo4j;

use crate::cell::{Plan, Work, compare};
use crate::database::{self, read};
use crate::http::{self, Connection};
use crate::machine::{Processes, resident_mib};
use crate::payments::Random;
use crate::report;
use crate::service::{Content, KEY, Program, Service, Store};

const CONNECTIONS: [usize; 2] = [1, 32];
const LIMIT: std::time::Duration = std::time::Duration::from_secs(5);
/// Answers that are looked into before anything is measured.
const CHECKED: usize = 20;

const ACCOUNT: Statement = Statement::new("raw/account", include_str!("../../statements/account.cypher"));
const THREE_HOPS: Statement = Statement::new("raw/three_hops", include_str!("../../statements/three_hops.cypher"));
const ONE_HOP: Statement = Statement::new("raw/one_hop", include_str!("../../statements/one_hop.cypher"));
const ONE_HOP_COUNT: Statement = Statement::new("raw/one_hop_count", include_str!("../../statements/one_hop_count.cypher"));
const THREE_HOPS_WIDE: Statement = Statement::new("raw/three_hops_wide", include_str!("../../statements/three_hops_wide.cypher"));
const SENT: Statement = Statement::new("raw/sent", include_str!("../../statements/sent.cypher"));
const MIXED_WALK: Statement = Statement::new("raw/mixed_walk", include_str!("../../statements/mixed_walk.cypher"));
const NEWEST: Statement = Statement::new("raw/newest", include_str!("../../statements/newest.cypher"));
const COUNT: Statement = Statement::new("raw/count", include_str!("../../statements/count.cypher"));

/// A question in both languages.
struct Question {
    caption: &'static str,
    graphql: &'static str,
    /// The statements that answer it, for a root.
    raw: fn(&str) -> Vec<(Statement, Params)>,
    /// How many nodes a raw answer has; GraphQL's must have as many.
    nodes: fn(&[Row]) -> usize,
    /// Connections it is measured with on the embedded engine.
    on_embedded: &'static [usize],
}

const QUESTIONS: [Question; 9] = [
    Question {
        caption: "one account: id, name",
        graphql: "query($id: ID!) { account(id: $id) { id name } }",
        raw: |id| vec![(ACCOUNT, Params::none().with("id", id))],
        nodes: |_| 0,
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "1 hop: 5 by amount, 7 columns",
        graphql: "query($id: ID!) { account(id: $id) { transferredTo(first: 5) { edges { count total currency first last node { id name } } } } }",
        raw: |id| vec![(ONE_HOP, root(id).with("limit", 5))],
        nodes: nested_nodes,
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "3 hops: 5 a hop by amount, 7 columns",
        graphql: "query($id: ID!) { account(id: $id) { transferredTo(first: 5) { edges { count total currency first last node { id name \
                  transferredTo(first: 5) { edges { count total currency first last node { id name \
                  transferredTo(first: 5) { edges { count total currency first last node { id name } } } } } } } } } } }",
        raw: |id| vec![(THREE_HOPS_WIDE, root(id).with("limit", 5).with("limit2", 5).with("limit3", 5))],
        nodes: nested_nodes,
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "3 hops: 5 a hop by amount, 4 columns",
        graphql: "query($id: ID!) { account(id: $id) { transferredTo(first: 5) { edges { count total node { id name \
                  transferredTo(first: 5) { edges { count total node { id name \
                  transferredTo(first: 5) { edges { count total node { id name } } } } } } } } } } }",
        raw: |id| vec![(THREE_HOPS, Params::none().with("id", id))],
        nodes: nested_nodes,
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "first 5 payments sent, with totalCount",
        graphql: "query($id: ID!) { account(id: $id) { sent(first: 5) { totalCount edges { node { id amount currency createdAt } } } } }",
        raw: |id| vec![(SENT, root(id))],
        nodes: nested_nodes,
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "owners, their accounts, 3 transfers each, owners",
        graphql: "query($id: ID!) { account(id: $id) { actors(first: 3) { edges { node { id name \
                  accounts(first: 5) { edges { node { id name \
                  transferredTo(first: 3) { edges { total count node { id name \
                  actors(first: 3) { edges { node { id name } } } } } } } } } } } } } }",
        raw: |id| vec![(MIXED_WALK, root(id))],
        nodes: nested_nodes,
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "`transactions { totalCount }`",
        graphql: "{ transactions { totalCount } }",
        raw: |_| vec![(COUNT, Params::none())],
        nodes: |_| 0,
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "newest 20 of all transactions, with totalCount",
        graphql: "{ transactions(first: 20) { totalCount edges { node { id name amount currency createdAt direction status } } } }",
        raw: |_| vec![(NEWEST, newest()), (COUNT, Params::none())],
        nodes: |rows| rows.len(),
        // It sorts all payments for this: a second of a core, so that 32 at once pass the time limit of a read.
        on_embedded: &[1],
    },
    Question {
        caption: "20 transfers of an account by amount, with totalCount",
        graphql: "query($id: ID!) { account(id: $id) { transferredTo(first: 20) { totalCount edges { count total currency first last node { id name } } } } }",
        raw: |id| {
            let unfiltered = root(id).with("currency", Value::Null).with("minTotal", Value::Null);
            vec![(ONE_HOP, root(id).with("limit", 20)), (ONE_HOP_COUNT, unfiltered)]
        },
        nodes: nested_nodes,
        on_embedded: &CONNECTIONS,
    },
];

fn root(id: &str) -> Params {
    Params::none().with("ids", vec![id])
}

fn newest() -> Params {
    let nothing = ["minAmount", "maxAmount", "direction", "statuses", "channels", "methods"];
    let page = Params::none().with("at", i64::MAX).with("id", "").with("from", i64::MIN).with("limit", 20);
    nothing.into_iter().fold(page, |params, name| params.with(name, Value::Null))
}

/// Lists under `rows`, at any depth: each is a node with its columns.
fn nested_nodes(rows: &[Row]) -> usize {
    fn nodes(rows: &[Value]) -> usize {
        rows.iter().map(|row| 1 + row.as_list().last().map_or(0, |next| nodes(next.as_list()))).sum()
    }
    rows.iter().map(|row| nodes(row.get("rows").as_list())).sum()
}

/// Asks the database.
struct Raw {
    engine: Engine,
    question: &'static Question,
    roots: Arc<Vec<String>>,
    random: Random,
}

/// Asks the service.
struct Asked {
    connection: Connection,
    requests: Arc<Vec<Vec<u8>>>,
    random: Random,
}

impl Work for Raw {
    async fn once(&mut self) -> Result<()> {
        let root = &self.roots[self.random.below(self.roots.len() as u64) as usize];
        for (statement, params) in (self.question.raw)(root) {
            self.engine.read(statement, params, LIMIT).await?;
        }
        Ok(())
    }
}

impl Work for Asked {
    async fn once(&mut self) -> Result<()> {
        let request = &self.requests[self.random.below(self.requests.len() as u64) as usize];
        let body = self.connection.send_for_success(request).await?;
        // An answer with errors ends in them.
        ensure!(body.ends_with(b"}}"), "answered {}", String::from_utf8_lossy(body));
        Ok(())
    }
}

/// The section on Neo4j.
pub async fn on_neo4j(program: &Program, server: &Neo4j, plan: Plan) -> Result<()> {
    report::doing("GraphQL on Neo4j: loading the sample");
    database::wipe(server).await?;
    let service = program.serve(Store::Neo4j(server), Content::Sample).await?;
    let loaded_mib = resident_mib(service.id())?;
    report::heading("GraphQL over HTTP on the sample, Neo4j");
    report::compared_head("requests");
    let roots = roots(&database::raw(server, 1)?).await?;
    let processes = Processes { database: server.process_id(), service: Some(service.id()) };
    for question in &QUESTIONS {
        for connections in CONNECTIONS {
            cell(question, database::raw(server, connections)?, &service, &roots, connections, plan, &processes).await?;
        }
    }
    println!(
        "\nResident memory of amlgraph after loading the sample: {loaded_mib:.0} MiB; after these requests: {:.0} MiB.",
        resident_mib(service.id())?
    );
    service.stop().await
}

/// The cells of the embedded engine, which needs no connections.
pub async fn cells(engine: &Engine, service: &Service, plan: Plan, processes: &Processes) -> Result<()> {
    let roots = roots(engine).await?;
    for question in &QUESTIONS {
        for connections in question.on_embedded.iter().copied() {
            cell(question, engine.clone(), service, &roots, connections, plan, processes).await?;
        }
    }
    Ok(())
}

async fn cell(
    question: &'static Question,
    engine: Engine,
    service: &Service,
    roots: &Arc<Vec<String>>,
    connections: usize,
    plan: Plan,
    processes: &Processes,
) -> Result<()> {
    let requests: Arc<Vec<_>> = Arc::new(roots.iter().map(|root| request(question, root)).collect());
    check(question, &engine, service, roots, &requests).await.context(question.caption)?;
    let mut asked = Vec::with_capacity(connections);
    for seed in 0..connections as u64 {
        asked.push(Asked { connection: Connection::open(service.address).await?, requests: Arc::clone(&requests), random: Random::new(seed) });
    }
    let raw = (0..connections as u64).map(|seed| Raw { engine: engine.clone(), question, roots: Arc::clone(roots), random: Random::new(seed) });
    let compared = compare(raw.collect(), asked, plan, processes).await.context(question.caption)?;
    report::compared(question.caption, connections, &compared);
    Ok(())
}

fn request(question: &Question, root: &str) -> Vec<u8> {
    let variables = if question.graphql.contains("$id") { json!({ "id": root }) } else { json!({}) };
    http::post("/graphql", KEY, &json!({ "query": question.graphql, "variables": variables }).to_string())
}

/// Whether both answers have as many nodes.
async fn check(question: &Question, engine: &Engine, service: &Service, roots: &[String], requests: &[Vec<u8>]) -> Result<()> {
    let mut connection = Connection::open(service.address).await?;
    for (root, request) in roots.iter().zip(requests).take(CHECKED) {
        let (statement, params) = (question.raw)(root).swap_remove(0);
        let expected = (question.nodes)(&read(engine, statement, params).await?);
        let body = String::from_utf8_lossy(connection.send_for_success(request).await?).into_owned();
        let found = body.matches("\"node\":").count();
        ensure!(found == expected && !body.contains("\"errors\":"), "{root}: {expected} nodes raw, {found} in {body}");
    }
    Ok(())
}

/// All accounts that money goes out of, in no order.
async fn roots(engine: &Engine) -> Result<Arc<Vec<String>>> {
    const ROOTS: Statement = Statement::new("raw/roots", "MATCH (a:Account)-[:TRANSFERRED_TO]->(b:Account)\nRETURN DISTINCT a.id AS id");
    let rows = read(engine, ROOTS, Params::none()).await?;
    ensure!(!rows.is_empty(), "the sample has payments");
    Ok(Arc::new(rows.iter().filter_map(|row| row.get("id").as_text().map(str::to_owned)).collect()))
}
