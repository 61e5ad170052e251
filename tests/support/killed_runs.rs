//! Runs of detection and of actors' risk whose service is killed, again and again, while they are under way.

use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use super::{Api, Server, eventually};

/// So many kills in a row may hit a run that has not come further: a job whose workers die eight times without a step is given up, and rightly.
const FRUITLESS: usize = 4;

/// Far longer than the lease of who was killed, and than a busy machine takes for a start and a step.
const PATIENCE: Duration = Duration::from_secs(240);

/// How often the service is killed; `AMLGRAPH_TEST_RUN_KILLS` says otherwise.
pub fn kills() -> usize {
    std::env::var("AMLGRAPH_TEST_RUN_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(4)
}

/// The run that was asked for last; none where the service does not say, as it is away or has too little time.
async fn run(api: &Api) -> Option<Value> {
    let body = json!({"query": "{ detectionRuns(first: 5) { edges { node { status result progress { done } lastError } } } }"}).to_string();
    let answer = api.try_send(api.posting("/graphql", body)).await.ok()?;
    let run = answer.json()["data"]["detectionRuns"]["edges"][0]["node"].clone();
    run.is_object().then_some(run)
}

/// The same, as soon as the service says of it what is awaited.
async fn awaited(api: &Api, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let started = Instant::now();
    loop {
        if let Some(run) = run(api).await.filter(&is_so) {
            return run;
        }
        assert!(started.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Whether a worker is at it and has come so far, or nothing is left to do.
async fn is_under_way(api: &Api, steps: i64) -> bool {
    let Some(run) = run(api).await else { return false };
    run["status"] == "DONE" || (run["status"] == "RUNNING" && run["progress"]["done"].as_i64().is_some_and(|done| done >= steps))
}

/// Waits for the end of the run that was asked for last.
pub async fn until_done(api: &Api) -> Value {
    awaited(api, "the run is done", |run| run["status"] == "DONE").await
}

/// Kills the service at random moments of a run, and starts it again: the run never goes back. Answers with how many of the kills have hit it.
pub async fn kill_at_random(server: &mut Server, seed: u64) -> usize {
    let mut random = StdRng::seed_from_u64(seed);
    let (mut steps, mut fruitless, mut hit) = (0, 0, 0);
    for _ in 0..kills() {
        // After a kill the lease of who was killed has to run out.
        let least = if fruitless < FRUITLESS { steps } else { steps + 1 };
        eventually("somebody is at it", PATIENCE, async || is_under_way(server, least).await).await;
        tokio::time::sleep(Duration::from_millis(random.random_range(0..300))).await;
        hit += usize::from(run(server).await.is_some_and(|run| run["status"] == "RUNNING"));
        server.kill();
        server.start_again();
        let told = awaited(server, "the run is told of", |run| run["progress"]["done"].is_i64()).await;
        let now = told["progress"]["done"].as_i64().expect("steps");
        assert!(now >= steps, "it does not go back: {steps}, then {now}");
        fruitless = if now > steps { 0 } else { fruitless + 1 };
        steps = now;
    }
    hit
}
