//! Who guesses keys is told to wait, and those who have one notice nothing of it.

use serde_json::json;

use crate::support::{Answer, Api, Engine, Server, Store, tests};

tests![both: who_guesses_is_told_to_wait_and_callers_are_not, nonsense_is_refused_without_a_look_at_the_store; embedded: keys_without_a_checksum_stay_good];

/// As a key is issued, but with another checksum.
const MISTYPED: &str = "aml_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAxxxxxx";
const MISTYPED_SECRET: &str = "amlsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAxxxxxx";

/// What could be a key, and is none.
fn unknown(number: usize) -> String {
    format!("aml_{number:043}")
}

async fn ask(api: &Api, key: &str) -> Answer {
    api.with_key(key).get("/api/risk_scores").await
}

async fn sign_in(api: &Api, id: &str, secret: &str) -> Answer {
    let form = [("grant_type", "client_credentials"), ("client_id", id), ("client_secret", secret)];
    api.send(api.anonymous().request("POST", "/auth/token").form(&form)).await
}

/// Asks until that is told to wait. A try comes back every ten seconds: on a slow machine one may have come back meanwhile, and is taken.
async fn until_told_to_wait<F: Future<Output = Answer>>(ask: impl Fn() -> F) -> Answer {
    let mut told = ask().await;
    for _ in 0..9 {
        if told.status != 401 {
            break;
        }
        told = ask().await;
    }
    is_told_to_wait(told)
}

fn is_told_to_wait(answer: Answer) -> Answer {
    let answer = answer.expect(429);
    assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{answer:?}");
    assert!(answer.text.contains("too many wrong ones came from this address"), "{answer:?}");
    answer
}

async fn who_guesses_is_told_to_wait_and_callers_are_not(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__GUESSES", "6")]);
    let made = server.post("/admin/clients", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let (id, secret) = (made["client_id"].as_str().expect("an id"), made["client_secret"].as_str().expect("a secret"));
    let key = server.post("/admin/keys", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let key = key["key"].as_str().expect("a key");
    // Of whatever kind they are, they count together. A try comes back every ten seconds; on a slow machine a wrong one or two more are looked at.
    for wrong in ["x", MISTYPED, unknown(1).as_str(), unknown(2).as_str()] {
        ask(&server, wrong).await.expect(401);
    }
    sign_in(&server, id, MISTYPED_SECRET).await.expect(401);
    server.send(server.anonymous().request("GET", "/api/risk_scores").bearer_auth("no.token.atall")).await.expect(401);
    let mut number = 10;
    let mut told = ask(&server, &unknown(number)).await;
    while told.status == 401 && number < 100 {
        number += 1;
        told = ask(&server, &unknown(number)).await;
    }
    assert!(is_told_to_wait(told).errors()[0].starts_with("credentials: "));
    for again in [MISTYPED, "x"] {
        until_told_to_wait(async || ask(&server, again).await).await;
    }
    let told = until_told_to_wait(async || sign_in(&server, id, "wrong").await).await;
    assert_eq!(told.json()["error"], "temporarily_unavailable");
    let nobody = server.with_key(MISTYPED);
    let told = until_told_to_wait(async || nobody.post("/graphql", json!({"query": "{ __typename }"}).to_string()).await).await;
    assert_eq!(told.json()["errors"][0]["extensions"]["code"], "TOO_MANY_REQUESTS");
    // Those who have a key come from the same address.
    for _ in 0..20 {
        server.get("/api/risk_scores").await.expect(200);
        ask(&server, key).await.expect(200);
        sign_in(&server, id, secret).await.expect(200);
    }
}

/// How often a statement has run.
async fn runs(server: &Server, statement: &str) -> u64 {
    let metrics = server.anonymous().get("/metrics").await.expect(200).text;
    let name = format!("amlgraph_statement_seconds_count{{statement=\"{statement}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&name)).map_or(0, |count| count.parse().expect("a number"))
}

async fn nonsense_is_refused_without_a_look_at_the_store(engine: Engine) {
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__GUESSES", "1000")]);
    let made = server.post("/admin/clients", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let id = made["client_id"].as_str().expect("an id");
    let looks = async || (runs(&server, "credential/find_key").await, runs(&server, "credential/find_client").await);
    let before = looks().await;
    for _ in 0..20 {
        ask(&server, MISTYPED).await.expect(401);
        ask(&server, "short").await.expect(401);
        sign_in(&server, id, MISTYPED_SECRET).await.expect(401);
        sign_in(&server, id, "short").await.expect(401);
    }
    assert_eq!(looks().await, before);
    ask(&server, &unknown(1)).await.expect(401);
    sign_in(&server, id, "a secret that could be one").await.expect(401);
    let after = looks().await;
    assert_eq!((after.0 - before.0, after.1 - before.1), (1, 1), "what could be one is looked for");
}

/// Keys that were issued before there was a checksum, and those that somebody has chosen.
async fn keys_without_a_checksum_stay_good(engine: Engine) {
    for key in ["aml_q8Zr3nV5tY7uI9oP1aS2dF4gH6jK8lM0xC1vB3nM5Q7", "Hq3vT8zLkX0cYwB1nR6uJ4mPdE7sGfA2iO5tVbN9xKc="] {
        let server = Server::with(Store::of(engine), &[("AMLGRAPH_ADMIN_KEY", key)]);
        server.with_key(key).get("/admin/keys").await.expect(200);
    }
}
