//! The service is killed, again and again, while it scores actors: scores are those of an undisturbed run, and none is there twice.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::bulk::taken;
use crate::support::killed_runs::{kill_at_random, until_done};
use crate::support::{Api, Engine, Server, Store, jobs, tests};

tests![both: killed_at_random_a_run_scores_as_an_undisturbed_run_does];

/// Enough for several steps of a run.
const ACTORS: usize = 3_000;

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
    kill_at_random(&mut server, 39).await;
    let done = until_done(&server).await;
    assert_eq!(scores(&mut server), expected, "{done}");
    assert_eq!(done["result"]["scored"], json!(ACTORS), "{done}");
}
