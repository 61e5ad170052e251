//! The service is killed, again and again, while a batch is under way: what is found is what an undisturbed batch finds, and nothing is there twice.

use std::collections::BTreeMap;
use std::time::Duration;

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::support::bulk::taken;
use crate::support::{Api, Engine, Server, Store, eventually, jobs, tests};

tests![both: killed_at_random_a_run_finds_what_an_undisturbed_run_finds];

/// How often the service is killed; `AMLGRAPH_TEST_RUN_KILLS` says otherwise.
fn kills() -> usize {
    std::env::var("AMLGRAPH_TEST_RUN_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(4)
}

const DAY: &str = "2024-06-13";
/// Noon of that day, in seconds.
const NOON: i64 = 1_718_280_000;
const A_DAY: i64 = 86_400;
/// So many kills in a row may hit a run that has not come further: a job whose workers die eight times without a step is given up, and rightly.
const FRUITLESS: usize = 4;
/// Accounts that gather on that day.
const HUBS: usize = 40;

/// Payments to hubs that were quiet for two months: on one day fifteen strangers pay each of them.
fn payments() -> Vec<Value> {
    let payment = |id: String, from: String, hub: usize, amount: String, at: i64| {
        let written = chrono::DateTime::from_timestamp(at, 0).expect("a time").to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        json!({"id": id, "account_id": format!("hub-{hub}"), "account_owner_id": format!("owner-{hub}"), "direction": "INBOUND", "status": "COMPLETED",
            "amount": {"value": amount.parse::<f64>().expect("a number"), "currency": "EUR"}, "standardized_amount": amount.parse::<f64>().expect("a number"),
            "created_at": written, "counterparty": {"type": "ACCOUNT_INFO", "id": from}})
    };
    let of_hub = |hub: usize| {
        let quiet = (1..=8).map(move |n| payment(format!("quiet-{hub}-{n}"), format!("old-{hub}"), hub, "25.00".into(), NOON - 8 * n * A_DAY));
        let sent = (0..15_i64).map(move |n| {
            let amount = format!("{}.{:02}", 2_400 + 13 * n, 11 + n);
            payment(format!("sent-{hub}-{n:02}"), format!("sender-{hub}-{n}"), hub, amount, NOON - 20_000 + n * 900)
        });
        quiet.chain(sent)
    };
    (0..HUBS).flat_map(of_hub).collect()
}

async fn fill(api: &Api) {
    let owners: Vec<Value> =
        (0..HUBS).map(|hub| json!({"id": format!("owner-{hub}"), "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "name": "Owner"})).collect();
    taken(api, "owners", &json!({"actors": owners})).await;
    for (at, some) in payments().chunks(500).enumerate() {
        taken(api, &format!("payments-{at}"), &json!({"transactions": some})).await;
    }
    jobs::none_left(api).await;
}

async fn start(api: &Api) {
    let batch = json!({"closeOfBusinessDate": DAY, "lineOfBusiness": "INDIVIDUAL", "processType": "AML"});
    api.post("/api/detection/initialize", batch.to_string()).await.expect(200);
}

async fn run(api: &Api) -> Option<Value> {
    let body = json!({"query": "{ detectionRuns(first: 5) { edges { node { status result progress { done } lastError } } } }"}).to_string();
    let answer = api.try_send(api.posting("/graphql", body)).await.ok()?;
    Some(answer.json()["data"]["detectionRuns"]["edges"][0]["node"].clone())
}

/// Whether a worker is at it and has come so far, or nothing is left to do.
async fn is_under_way(api: &Api, steps: i64) -> bool {
    let Some(run) = run(api).await else { return false };
    run["status"] == "DONE" || (run["status"] == "RUNNING" && run["progress"]["done"].as_i64().is_some_and(|done| done >= steps))
}

async fn until_done(api: &Api) -> Value {
    eventually("the run is done", Duration::from_secs(240), async || run(api).await.is_some_and(|run| run["status"] == "DONE")).await;
    run(api).await.expect("a run")
}

/// What was found, by id: whom it is about, by which rule, and how many payments it cites.
fn found(server: &mut Server) -> BTreeMap<String, String> {
    let text = "MATCH (o:Observation)-[r:ABOUT]->(a:Actor) WHERE r.primary OPTIONAL MATCH (o)-[:CITES]->(t:Transaction)
        WITH o, a, count(t) AS cited RETURN o.id AS id, o.behaviorId AS rule, a.id AS actor, cited AS cited, o.score AS score";
    let rows = server.cypher(text);
    rows.iter()
        .map(|row| (row["id"].as_str().expect("an id").to_owned(), format!("{} {} {} {}", row["rule"], row["actor"], row["cited"], row["score"])))
        .collect()
}

async fn killed_at_random_a_run_finds_what_an_undisturbed_run_finds(engine: Engine) {
    let mut undisturbed = Server::on(Store::private(engine));
    fill(&undisturbed).await;
    start(&undisturbed).await;
    until_done(&undisturbed).await;
    let expected = found(&mut undisturbed);
    assert!(expected.len() >= HUBS, "each hub gathers: {expected:#?}");
    drop(undisturbed);
    let mut server = Server::on(Store::private(engine));
    fill(&server).await;
    start(&server).await;
    let mut random = StdRng::seed_from_u64(38);
    let (mut steps, mut fruitless) = (0, 0);
    let mut hit = 0;
    for _ in 0..kills() {
        // After a kill the lease of who was killed has to run out.
        let least = if fruitless < FRUITLESS { steps } else { steps + 1 };
        eventually("somebody is at it", Duration::from_secs(60), async || is_under_way(&server, least).await).await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..300))).await;
        hit += usize::from(run(&server).await.is_some_and(|run| run["status"] == "RUNNING"));
        server.kill();
        server.start_again();
        let now = run(&server).await.expect("a run")["progress"]["done"].as_i64().expect("steps");
        assert!(now >= steps, "it does not go back: {steps}, then {now}");
        fruitless = if now > steps { 0 } else { fruitless + 1 };
        steps = now;
    }
    assert!(hit > 0, "no kill has hit a run");
    println!("{hit} of {} kills have hit the run", kills());
    let done = until_done(&server).await;
    assert_eq!(found(&mut server), expected, "{done}");
    assert_eq!(done["result"]["findings"]["new"], json!(expected.len()), "{done}");
}
