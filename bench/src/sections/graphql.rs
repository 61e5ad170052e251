//! Questions over GraphQL, against the same questions to the database.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use cypher::{Engine, Params, Row, Statement, Value};
use test_support::neo4j::Neo4j;

use crate::asked::{Asked, requests};
use crate::cell::{Plan, Work, compare};
use crate::database::{self, read};
use crate::http::Connection;
use crate::machine::{Processes, resident_mib};
use crate::payments::Random;
use crate::report;
use crate::sections::walks::{Asking, Composition, Steps, Walker};
use crate::service::{Content, Program, Service, Store};

const CONNECTIONS: [usize; 2] = [1, 32];
const LIMIT: std::time::Duration = std::time::Duration::from_secs(5);
/// Answers that are looked into before anything is measured.
const CHECKED: usize = 20;

const ACCOUNT: Statement = Statement::new("raw/account", include_str!("../../statements/account.cypher"));
const THREE_HOPS: Statement = Statement::new("raw/three_hops", include_str!("../../statements/three_hops.cypher"));
const ONE_HOP: Statement = Statement::new("raw/one_hop", include_str!("../../statements/one_hop.cypher"));
const ONE_HOP_COUNT: Statement = Statement::new("raw/one_hop_count", include_str!("../../statements/one_hop_count.cypher"));
const SENT: Statement = Statement::new("raw/sent", include_str!("../../statements/sent.cypher"));
const NEWEST: Statement = Statement::new("raw/newest", include_str!("../../statements/newest.cypher"));
const COUNT: Statement = Statement::new("raw/count", include_str!("../../statements/count.cypher"));

/// A question in both languages.
struct Question {
    caption: &'static str,
    graphql: &'static str,
    raw: Raw,
    /// Connections it is measured with on the embedded engine.
    on_embedded: &'static [usize],
}

/// What answers it in Cypher.
enum Raw {
    ByHand(ByHand),
    /// The very statement that the service composes, asked by the driver alone.
    Composed(Steps),
}

#[derive(Clone, Copy)]
struct ByHand {
    /// The statements for a root; the first has the nodes.
    statements: fn(&str) -> Vec<(Statement, Params)>,
    /// How many nodes the answer has; GraphQL's must have as many.
    nodes: fn(&[Row]) -> usize,
}

/// Both raw sides of it are measured.
const THREE_HOPS_IN_FOUR: &str = "query($id: ID!) { account(id: $id) { transferredTo(first: 5) { edges { count total node { id name \
    transferredTo(first: 5) { edges { count total node { id name \
    transferredTo(first: 5) { edges { count total node { id name } } } } } } } } } } }";

const HOPS: Raw = Raw::Composed(&[("transferredTo", 5); 3]);
const MIXED_WALK: Raw = Raw::Composed(&[("actors", 3), ("accounts", 5), ("transferredTo", 3), ("actors", 3)]);

const QUESTIONS: [Question; 10] = [
    Question {
        caption: "one account: id, name",
        graphql: "query($id: ID!) { account(id: $id) { id name } }",
        raw: Raw::ByHand(ByHand { statements: |id| vec![(ACCOUNT, Params::none().with("id", id))], nodes: |_| 0 }),
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "1 hop: 5 by amount, 7 columns",
        graphql: "query($id: ID!) { account(id: $id) { transferredTo(first: 5) { edges { count total currency first last node { id name } } } } }",
        raw: Raw::ByHand(ByHand { statements: |id| vec![(ONE_HOP, root(id).with("limit", 5))], nodes: nested_nodes }),
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "3 hops: 5 a hop by amount, 7 columns",
        graphql: "query($id: ID!) { account(id: $id) { transferredTo(first: 5) { edges { count total currency first last node { id name \
                  transferredTo(first: 5) { edges { count total currency first last node { id name \
                  transferredTo(first: 5) { edges { count total currency first last node { id name } } } } } } } } } } }",
        raw: HOPS,
        on_embedded: &CONNECTIONS,
    },
    Question { caption: "3 hops: 5 a hop by amount, 4 columns", graphql: THREE_HOPS_IN_FOUR, raw: HOPS, on_embedded: &CONNECTIONS },
    Question {
        caption: "3 hops: 5 a hop by amount, 4 columns; raw by hand, of 4 columns",
        graphql: THREE_HOPS_IN_FOUR,
        raw: Raw::ByHand(ByHand { statements: |id| vec![(THREE_HOPS, Params::none().with("id", id))], nodes: nested_nodes }),
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "first 5 payments sent, with totalCount",
        graphql: "query($id: ID!) { account(id: $id) { sent(first: 5) { totalCount edges { node { id amount currency createdAt } } } } }",
        raw: Raw::ByHand(ByHand { statements: |id| vec![(SENT, root(id))], nodes: nested_nodes }),
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "owners, their accounts, 3 transfers each, owners",
        graphql: "query($id: ID!) { account(id: $id) { actors(first: 3) { edges { node { id name \
                  accounts(first: 5) { edges { node { id name \
                  transferredTo(first: 3) { edges { total count node { id name \
                  actors(first: 3) { edges { node { id name } } } } } } } } } } } } } }",
        raw: MIXED_WALK,
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "`transactions { totalCount }`",
        graphql: "{ transactions { totalCount } }",
        raw: Raw::ByHand(ByHand { statements: |_| vec![(COUNT, Params::none())], nodes: |_| 0 }),
        on_embedded: &CONNECTIONS,
    },
    Question {
        caption: "newest 20 of all transactions, with totalCount",
        graphql: "{ transactions(first: 20) { totalCount edges { node { id name amount currency createdAt direction status } } } }",
        raw: Raw::ByHand(ByHand { statements: |_| vec![(NEWEST, newest()), (COUNT, Params::none())], nodes: |rows| rows.len() }),
        // It sorts all payments for this: a second of a core, so that 32 at once pass the time limit of a read.
        on_embedded: &[1],
    },
    Question {
        caption: "20 transfers of an account by amount, with totalCount",
        graphql: "query($id: ID!) { account(id: $id) { transferredTo(first: 20) { totalCount edges { count total currency first last node { id name } } } } }",
        raw: Raw::ByHand(ByHand {
            statements: |id| {
                let unfiltered = root(id).with("currency", Value::Null).with("minTotal", Value::Null);
                vec![(ONE_HOP, root(id).with("limit", 20)), (ONE_HOP_COUNT, unfiltered)]
            },
            nodes: nested_nodes,
        }),
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
struct Asker {
    engine: Engine,
    statements: fn(&str) -> Vec<(Statement, Params)>,
    roots: Arc<Vec<String>>,
    random: Random,
}

impl Work for Asker {
    async fn once(&mut self) -> Result<()> {
        let root = &self.roots[self.random.below(self.roots.len() as u64) as usize];
        for (statement, params) in (self.statements)(root) {
            self.engine.read(statement, params, LIMIT).await?;
        }
        Ok(())
    }
}

/// The store that the raw side asks.
#[derive(Clone, Copy)]
enum RawStore<'a> {
    Neo4j(&'a Neo4j),
    Embedded(&'a Engine),
}

impl RawStore<'_> {
    fn engine(self, connections: usize) -> Result<Engine> {
        match self {
            RawStore::Neo4j(server) => database::raw(server, connections),
            RawStore::Embedded(engine) => Ok(engine.clone()),
        }
    }

    fn asking(self, connections: usize) -> Result<Asking> {
        match self {
            RawStore::Neo4j(server) => database::driver(server, connections).map(Asking::Driver),
            RawStore::Embedded(engine) => Ok(Asking::Engine(engine.clone())),
        }
    }
}

/// Both sides, and what they are asked about.
struct Sides<'a> {
    raw: RawStore<'a>,
    service: &'a Service,
    roots: Arc<Vec<String>>,
    processes: Processes,
    plan: Plan,
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
    let sides = Sides { raw: RawStore::Neo4j(server), service: &service, roots, processes, plan };
    for question in &QUESTIONS {
        if let Raw::Composed(steps) = question.raw {
            Composition::of(steps)?.check(program, server, question.graphql, &sides.roots[0]).await.context(question.caption)?;
        }
        for connections in CONNECTIONS {
            sides.cell(question, connections).await.context(question.caption)?;
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
    let sides = Sides { raw: RawStore::Embedded(engine), service, roots: roots(engine).await?, processes: *processes, plan };
    for question in &QUESTIONS {
        for connections in question.on_embedded.iter().copied() {
            sides.cell(question, connections).await.context(question.caption)?;
        }
    }
    Ok(())
}

impl Sides<'_> {
    async fn cell(&self, question: &Question, connections: usize) -> Result<()> {
        let requests = requests(question.graphql, &self.roots);
        self.check(question, &requests).await?;
        let asked = Asked::on(self.service.address, &requests, connections).await?;
        let seeds = 0..connections as u64;
        let compared = match question.raw {
            Raw::ByHand(ByHand { statements, .. }) => {
                let engine = self.raw.engine(connections)?;
                let asker = |seed| Asker { engine: engine.clone(), statements, roots: Arc::clone(&self.roots), random: Random::new(seed) };
                compare(seeds.map(asker).collect(), asked, self.plan, &self.processes).await?
            }
            Raw::Composed(steps) => {
                let (asking, composition) = (self.raw.asking(connections)?, Arc::new(Composition::of(steps)?));
                let walker = |seed| Walker {
                    asking: asking.clone(),
                    composition: Arc::clone(&composition),
                    roots: Arc::clone(&self.roots),
                    random: Random::new(seed),
                };
                compare(seeds.map(walker).collect(), asked, self.plan, &self.processes).await?
            }
        };
        report::compared(question.caption, connections, &compared);
        Ok(())
    }

    /// Whether both answers have as many nodes.
    async fn check(&self, question: &Question, requests: &[Vec<u8>]) -> Result<()> {
        let engine = self.raw.engine(1)?;
        let mut connection = Connection::open(self.service.address).await?;
        for (root, request) in self.roots.iter().zip(requests).take(CHECKED) {
            let expected = question.raw.nodes(&engine, root).await?;
            let body = String::from_utf8_lossy(connection.send_for_success(request).await?).into_owned();
            let found = body.matches("\"node\":").count();
            ensure!(found == expected && !body.contains("\"errors\":"), "{root}: {expected} nodes raw, {found} in {body}");
        }
        Ok(())
    }
}

impl Raw {
    /// How many nodes there are behind a root.
    async fn nodes(&self, engine: &Engine, root: &str) -> Result<usize> {
        match self {
            Raw::ByHand(ByHand { statements, nodes }) => {
                let (statement, params) = statements(root).swap_remove(0);
                Ok(nodes(&read(engine, statement, params).await?))
            }
            Raw::Composed(steps) => Composition::of(steps)?.nodes(engine, root).await,
        }
    }
}

/// All accounts that money goes out of, in no order.
pub async fn roots(engine: &Engine) -> Result<Arc<Vec<String>>> {
    const ROOTS: Statement = Statement::new("raw/roots", "MATCH (a:Account)-[:TRANSFERRED_TO]->(b:Account)\nRETURN DISTINCT a.id AS id");
    let rows = read(engine, ROOTS, Params::none()).await?;
    ensure!(!rows.is_empty(), "the sample has payments");
    Ok(Arc::new(rows.iter().filter_map(|row| row.get("id").as_text().map(str::to_owned)).collect()))
}
