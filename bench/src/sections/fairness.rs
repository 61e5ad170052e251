//! What others notice of one caller who asks the worst documents that his limits allow, in a loop.
//!
//! 32 connections of one caller ask what analysts ask all day; another caller, with a key of his own, asks as much as he may, one document after another and then four at once: walks as
//! wide as complexity allows, lists with a filter that nothing passes, the largest accounts by amount, who shares an identity with whom.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::asked::{Asked, requests};
use crate::cell::{Compared, Plan, Side, Work, settled_by_turns};
use crate::http::{self, Connection};
use crate::machine::Processes;
use crate::report;
use crate::service::{Content, KEY, Program, Store};

const OTHERS: usize = 32;
/// What others ask, as much of each.
pub const USUAL: [&str; 3] = [
    "query($id: ID!) { account(id: $id) { id name status } }",
    "query($id: ID!) { account(id: $id) { sent(first: 5) { totalCount edges { node { id amount currency createdAt } } } } }",
    "query($id: ID!) { account(id: $id) { transferredTo(first: 5) { edges { count total node { id name \
     transferredTo(first: 5) { edges { count total node { id name } } } } } } } }",
];
/// Sizes that are tried, until one is within the limits.
const SIZES: [usize; 12] = [400, 200, 100, 70, 50, 40, 30, 25, 20, 15, 10, 5];

/// Others, while the one who asks the worst is quiet or is not.
struct Other {
    asked: Asked,
    disturbed: bool,
    disturbs: Arc<AtomicBool>,
    counts: Arc<Counts>,
}

impl Work for Other {
    async fn once(&mut self) -> Result<()> {
        self.disturbs.store(self.disturbed, Ordering::Relaxed);
        // What is still under way of the worst would be measured as if there were nothing. This is waited for in the turn's warming up.
        while !self.disturbed && self.counts.under_way.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.asked.once().await
    }
}

/// The section, on one engine; `database`: its process, where it has one.
pub async fn run(program: &Program, store: Store<'_>, engine: &str, database: Option<u32>, plan: Plan) -> Result<()> {
    report::doing(&format!("fairness, {engine}"));
    let service = program.serve(store, Content::Sample).await?;
    let processes = &Processes { database, service: Some(service.id()) };
    let key = service.key("ANALYST").await?;
    let accounts = accounts(service.address).await?;
    let documents = worst(service.address, &key, &accounts.busiest).await?;
    let usual: Arc<Vec<Vec<u8>>> = Arc::new(USUAL.iter().flat_map(|document| requests(document, &accounts.ids).to_vec()).collect());
    let one_at_a_time = vec![documents.clone()];
    let all_at_once: Vec<Vec<Vec<u8>>> = documents.into_iter().map(|document| vec![document]).collect();
    for (caption, loops) in [("one at a time", one_at_a_time), ("four at once", all_at_once)] {
        let disturbs = Arc::new(AtomicBool::new(false));
        let counts = Arc::new(Counts::default());
        let mut tasks = JoinSet::new();
        for requests in loops {
            tasks.spawn(disturb(service.address, requests, Arc::clone(&disturbs), Arc::clone(&counts)));
        }
        let others = async |disturbed| -> Result<Vec<Other>> {
            let asked = Asked::on(service.address, &usual, OTHERS).await?;
            Ok(asked.into_iter().map(|asked| Other { asked, disturbed, disturbs: Arc::clone(&disturbs), counts: Arc::clone(&counts) }).collect())
        };
        let alone = Side { name: "alone", workers: others(false).await?, processes };
        let beside = Side { name: "beside the worst", workers: others(true).await?, processes };
        let compared = settled_by_turns(alone, beside, plan).await?;
        if let Some(ended) = tasks.try_join_next() {
            ended??;
            bail!("who asks the worst has stopped");
        }
        line(&format!("{engine}, {caption}"), &compared, &counts);
        tasks.shutdown().await;
    }
    service.stop().await
}

/// The head of the table.
pub fn head() {
    report::heading("Others beside one caller who asks the worst documents he may");
    println!("| | alone, requests/s | p50 / p99 ms | beside it, requests/s | p50 / p99 ms | p99: ratio | the worst: answered / refused |");
    println!("|---|---|---|---|---|---|---|");
}

fn line(engine: &str, compared: &Compared, counts: &Counts) {
    let (alone, beside) = (&compared.basis, &compared.subject);
    println!(
        "| {engine} | {} | {} | {} | {} | **{:.2}** | {} / {} |",
        report::rate(alone.rate()),
        report::times(alone),
        report::rate(beside.rate()),
        report::times(beside),
        beside.millis(0.99) / alone.millis(0.99),
        counts.answered.load(Ordering::Relaxed),
        counts.refused.load(Ordering::Relaxed),
    );
}

/// What came of the worst documents.
#[derive(Default)]
struct Counts {
    under_way: AtomicU64,
    answered: AtomicU64,
    refused: AtomicU64,
}

/// Asks documents over and over, one after another, while it is wanted.
async fn disturb(address: SocketAddr, requests: Vec<Vec<u8>>, wanted: Arc<AtomicBool>, counts: Arc<Counts>) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    let mut next = requests.iter().cycle();
    loop {
        if !wanted.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        }
        counts.under_way.fetch_add(1, Ordering::Relaxed);
        let Some(request) = next.next() else { bail!("there is nothing to ask") };
        let answer = connection.send(request).await?;
        counts.under_way.fetch_sub(1, Ordering::Relaxed);
        let answered = answer.status == 200 && !answer.body.windows(9).any(|part| part == b"\"errors\":");
        if answered { &counts.answered } else { &counts.refused }.fetch_add(1, Ordering::Relaxed);
    }
}

/// The worst documents of each kind that are within the limits, as requests.
async fn worst(address: SocketAddr, key: &str, root: &str) -> Result<Vec<Vec<u8>>> {
    let wide = |size: usize| {
        let hop = |inside: &str| format!("transferredTo(first: {size}) {{ edges {{ total node {{ id name {inside} }} }} }}");
        format!("query($id: ID!) {{ account(id: $id) {{ {} }} }}", hop(&hop(&hop(""))))
    };
    let lists = |size: usize| {
        let list =
            |at| format!("a{at}: transactions(first: 1, filter: {{minStandardizedAmount: 1{at}e12}}) {{ totalCount edges {{ node {{ id }} }} }} ");
        format!("query {{ {} }}", (0..size).map(list).collect::<String>())
    };
    let by_amount = |size: usize| {
        let page = |at| {
            format!(
                "a{at}: transactions(first: {size}, orderBy: {{field: AMOUNT}}, filter: {{minStandardizedAmount: {at}}}) \
                 {{ totalCount edges {{ node {{ id amount sender {{ id }} receiver {{ id }} }} }} }} "
            )
        };
        format!("query($id: ID!) {{ account(id: $id) {{ {} }} }}", (0..10).map(page).collect::<String>())
    };
    let sharing = |size: usize| {
        let shared = "sharesIdentityWith(first: 10) { totalCount edges { node { id name } } }";
        format!("query {{ actors(first: {size}) {{ edges {{ node {{ id {shared} }} }} }} }}")
    };
    let kinds: [&dyn Fn(usize) -> String; 4] = [&wide, &lists, &by_amount, &sharing];
    let mut worst = Vec::with_capacity(kinds.len());
    for document in kinds {
        worst.push(largest(address, key, root, document).await?);
    }
    Ok(worst)
}

/// The request for the largest document that is not refused for what it asks.
async fn largest(address: SocketAddr, key: &str, root: &str, document: &dyn Fn(usize) -> String) -> Result<Vec<u8>> {
    const LIMITS: [&str; 4] = ["TOO_COMPLEX", "TOO_LARGE", "TOO_DEEP", "complex"];
    let mut connection = Connection::open(address).await?;
    for size in SIZES {
        let document = document(size);
        let variables = if document.contains("$id") { json!({ "id": root }) } else { json!({}) };
        let request = http::post("/graphql", key, &json!({ "query": document, "variables": variables }).to_string());
        let answer = connection.send(&request).await?;
        let text = String::from_utf8_lossy(answer.body).into_owned();
        if text.contains("\"errors\":") && LIMITS.iter().any(|limit| text.contains(limit)) {
            continue;
        }
        ensure!(text.contains("\"data\":{"), "{document}: {text}");
        return Ok(request);
    }
    bail!("no size of {} is within the limits", document(1))
}

/// Accounts that are asked about.
pub struct Accounts {
    pub ids: Vec<String>,
    /// That with the most payments.
    busiest: String,
}

/// Some of the sample.
pub async fn accounts(address: SocketAddr) -> Result<Accounts> {
    let body = json!({"query": "{ accounts(first: 500) { edges { node { id sent(first: 1) { totalCount } } } } }"}).to_string();
    let mut connection = Connection::open(address).await?;
    let answer: Value = serde_json::from_slice(connection.send_for_success(&http::post("/graphql", KEY, &body)).await?)?;
    let nodes = || answer["data"]["accounts"]["edges"].as_array().into_iter().flatten().map(|edge| &edge["node"]);
    let id = |node: &Value| node["id"].as_str().unwrap_or_default().to_owned();
    let busiest = nodes().max_by_key(|node| node["sent"]["totalCount"].as_i64()).map(id).context("an account")?;
    Ok(Accounts { ids: nodes().map(id).collect(), busiest })
}
