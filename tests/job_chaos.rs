//! Instances are killed, again and again, while jobs of several kinds are under way and payments come: each job ends once, none goes back, and the change feed
//! has every change once and in order.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::support::bulk::{bulk_payment, taken};
use crate::support::follower::Follower;
use crate::support::load::Load;
use crate::support::{Api, Engine, Ids, Server, Store, eventually, jobs, tests};
use crate::webhooks::made;

tests![both: killed_at_random_each_job_ends_once_and_the_feed_has_every_change];

/// How often an instance is killed; `AMLGRAPH_TEST_KILLS` says otherwise.
fn kills() -> usize {
    std::env::var("AMLGRAPH_TEST_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6)
}

const LOG: (&str, &str) = ("AMLGRAPH_LOG", "warn,resolvers::jobs=info");

async fn killed_at_random_each_job_ends_once_and_the_feed_has_every_change(engine: Engine) {
    let (store, ids) = (Store::private(engine), Ids::new());
    // An embedded store can be open in one process only.
    let count = if engine == Engine::Embedded { 1 } else { 2 };
    let mut servers: Vec<Server> = (0..count).map(|_| Server::with(store.clone(), &[LOG])).collect();
    let (load, mut reader, mut seen) = (Load::new(&ids), Follower::default(), Seen::default());
    let webhook = made(&servers[0], json!({"name": "never told", "url": "https://desk.example.com/hooks", "events": []})).await;
    let mut random = StdRng::seed_from_u64(37);
    let mut logs = String::new();
    for kill in 0..kills() {
        let running: Vec<_> = servers.iter().map(|server| load.run(2, || server.client())).collect();
        let server = &servers[random.random_range(0..servers.len())];
        start_some(server, &ids, (kill, &webhook)).await;
        let before = load.acknowledged().len();
        for turn in 0..random.random_range(3..10) {
            // A reader that is broken off goes on from what it has written down.
            let read = reader.read_on(&servers[turn % servers.len()], random.random_range(1..=40));
            let _ = tokio::time::timeout(Duration::from_millis(random.random_range(5..400)), read).await;
            tokio::time::sleep(Duration::from_millis(random.random_range(10..120))).await;
            seen.look(&servers[0]).await;
        }
        eventually("payments come", Duration::from_secs(120), async || load.acknowledged().len() > before).await;
        let killed = random.random_range(0..servers.len());
        servers[killed].kill();
        for running in running {
            running.stop().await;
        }
        logs.push_str(&servers[killed].logged());
        servers[killed].start_again();
    }
    let server = &servers[0];
    eventually("all jobs end", Duration::from_secs(240), async || seen_all_ended(server).await).await;
    seen.look(server).await;
    jobs::none_left(server).await;
    while reader.read_on(server, 200).await {}
    logs.extend(servers.iter().map(Server::logged));
    check_jobs(server, &logs, kills()).await;
    for other in servers.drain(1..) {
        other.stop();
    }
    check_feed(&mut servers[0], &reader, &load).await;
}

/// Starts a job of each kind.
async fn start_some(api: &Api, ids: &Ids, (number, webhook): (usize, &Value)) {
    let payment = |n: usize| bulk_payment(&ids.of(&format!("bulk-{number}-{n}")), &ids.of("a"), &ids.of(&format!("b{}", n % 7)));
    let payments: Vec<Value> = (0..120).map(payment).collect();
    taken(api, &ids.of(&format!("request-{number}")), &json!({"transactions": payments})).await;
    let since = format!("2020-01-01T00:00:{:02}Z", number % 60);
    let replay = "mutation($input: ReplayAllEventsInput!) { replayAllEvents(input: $input) { job { id } } }";
    api.graphql(replay, json!({"input": {"webhookId": webhook["id"], "since": since}})).await;
    api.graphql("mutation { verifyTransfers(input: {}) { job { id } } }", json!({})).await;
}

const JOBS: &str = "{ jobs(first: 200) { edges { node { id kind status done total attempts lastError endedAt } } } }";

async fn listed(api: &Api) -> Vec<Value> {
    let body = json!({"query": JOBS}).to_string();
    let Ok(answer) = api.try_send(api.posting("/graphql", body)).await else { return Vec::new() };
    let edges = answer.json()["data"]["jobs"]["edges"].take();
    edges.as_array().into_iter().flatten().map(|edge| edge["node"].clone()).collect()
}

async fn seen_all_ended(api: &Api) -> bool {
    let jobs = listed(api).await;
    !jobs.is_empty() && jobs.iter().all(|job| job["endedAt"].is_string())
}

/// How far jobs were when somebody looked.
#[derive(Default)]
struct Seen(BTreeMap<String, (i64, bool)>);

impl Seen {
    async fn look(&mut self, api: &Api) {
        for job in listed(api).await {
            let (id, done) = (job["id"].as_str().expect("an id").to_owned(), job["done"].as_i64().expect("a number"));
            let ended = job["endedAt"].is_string();
            let (before, had_ended) = self.0.insert(id, (done, ended)).unwrap_or_default();
            assert!(done >= before, "no checkpoint goes back: {before}, then {job}");
            assert!(ended || !had_ended, "what has ended has ended: {job}");
        }
    }
}

async fn check_jobs(api: &Api, logs: &str, kills: usize) {
    let jobs = listed(api).await;
    let kinds: BTreeSet<&str> = jobs.iter().map(|job| job["kind"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, BTreeSet::from(["bulk", "replay-events", "verify-transfers"]));
    assert!(jobs.iter().filter(|job| job["kind"] == "bulk").count() >= kills.min(60), "a bulk request at each turn");
    for job in &jobs {
        assert_eq!(job["status"], "DONE", "{job}");
        if job["kind"] == "bulk" {
            assert_eq!(job["done"], job["total"], "{job}");
        }
        let id = job["id"].as_str().expect("an id");
        let ends = logs.lines().filter(|line| line.contains("a run of a job has ended") && line.contains(id) && line.contains("\"DONE\"")).count();
        assert!(ends <= 1, "it ended once: {job}");
    }
}

async fn check_feed(server: &mut Server, reader: &Follower, load: &Load) {
    let told: Vec<String> = reader.changes().map(|change| change["id"].as_str().expect("an id").to_owned()).collect();
    let once: BTreeSet<String> = told.iter().cloned().collect();
    assert_eq!(once.len(), told.len(), "each change is told once");
    let entries = "MATCH (a:AuditEntry) WHERE a.logType = 'UPDATE' AND a.actionResult = 'SUCCESS' RETURN a.id AS id";
    let written: BTreeSet<String> = server.cypher(entries).iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect();
    assert_eq!(once.symmetric_difference(&written).collect::<Vec<_>>(), Vec::<&String>::new(), "all that was written is told, and nothing else");
    println!("{} changes in {} sets, {} payments acknowledged", told.len(), reader.read.len(), load.acknowledged().len());
    let open = server.cypher("MATCH (j:OpenJob) RETURN count(j) AS count");
    assert_eq!(open[0]["count"], 0);
}
