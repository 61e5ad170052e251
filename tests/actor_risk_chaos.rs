//! The service is killed, again and again, while it scores actors: scores are those of an undisturbed run, and none is there twice.

use std::collections::BTreeMap;
use std::time::Duration;

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::support::bulk::taken;
use crate::support::{Api, Engine, Server, Store, eventually, jobs, tests};

tests![both: killed_at_random_a_run_scores_as_an_undisturbed_run_does];

/// How often the service is killed; `AMLGRAPH_TEST_RUN_KILLS` says otherwise.
fn kills() -> usize {
    std::env::var("AMLGRAPH_TEST_RUN_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(4)
}

/// Enough for several steps of a run.
const ACTORS: usize = 3_000;
/// So many kills in a row may hit a run that has not come further: a job whose workers die eight times without a step is given up, and rightly.
const FRUITLESS: usize = 4;

async fn fill(api: &Api) {
    let countries = ["DE", "IR", "AO", "FR"];
    let actors: Vec<Value> = (0..ACTORS)
        .map(|at| {
            json!({"id": format!("actor-{at:04}"), "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "name": "Somebody", "domicile": countries[at % 4],
                "nationality": countries[at % 3], "customer_since": "2001-01-01"})
        })
        .collect();
    for (at, some) in actors.chunks(500).enumerate() {
        taken(api, &format!("actors-{at}"), &json!({"actors": some})).await;
    }
    jobs::none_left(api).await;
}

async fn start(api: &Api) {
    let batch = json!({"closeOfBusinessDate": "2024-06-13", "lineOfBusiness": "INDIVIDUAL", "processType": "ACTOR"});
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

/// The scores of each actor.
fn scores(server: &mut Server) -> BTreeMap<String, Vec<String>> {
    let text = "MATCH (a:Actor)-[:HAS_RISK_SCORE]->(x:RiskScore) RETURN a.id AS actor, a.riskScore AS current, x.finalScore AS score, x.breakdown AS breakdown";
    let mut scores: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in server.cypher(text) {
        let score = format!("{} {} {}", row["current"], row["score"], row["breakdown"]);
        scores.entry(row["actor"].as_str().expect("an id").to_owned()).or_default().push(score);
    }
    scores
}

async fn killed_at_random_a_run_scores_as_an_undisturbed_run_does(engine: Engine) {
    let mut undisturbed = Server::on(Store::private(engine));
    fill(&undisturbed).await;
    start(&undisturbed).await;
    until_done(&undisturbed).await;
    let expected = scores(&mut undisturbed);
    assert_eq!(expected.len(), ACTORS);
    assert!(expected.values().all(|scores| scores.len() == 1), "each has one score");
    drop(undisturbed);
    let mut server = Server::on(Store::private(engine));
    fill(&server).await;
    start(&server).await;
    let mut random = StdRng::seed_from_u64(39);
    let (mut steps, mut fruitless) = (0, 0);
    for _ in 0..kills() {
        // After a kill the lease of who was killed has to run out.
        let least = if fruitless < FRUITLESS { steps } else { steps + 1 };
        eventually("somebody is at it", Duration::from_secs(60), async || is_under_way(&server, least).await).await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..300))).await;
        server.kill();
        server.start_again();
        let now = run(&server).await.expect("a run")["progress"]["done"].as_i64().expect("steps");
        assert!(now >= steps, "it does not go back: {steps}, then {now}");
        fruitless = if now > steps { 0 } else { fruitless + 1 };
        steps = now;
    }
    let done = until_done(&server).await;
    assert_eq!(scores(&mut server), expected, "{done}");
    assert_eq!(done["result"]["scored"], json!(ACTORS), "{done}");
}
