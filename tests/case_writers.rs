//! Many writers at once on the same few cases, each by the version it has seen: no change is lost, and each case's events are numbered without
//! gap or double.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Api, Engine, Server, Store, tests};

tests![both: sixty_four_writers_on_ten_cases; neo4j: two_instances_on_ten_cases];

const WRITERS: usize = 64;
const CASES: usize = 10;
/// Comments of each writer.
const EACH: usize = 5;
/// A database on a busy machine may need long for a case that sixty-four want.
const TRIES: usize = 2_000;

const COMMENT: &str =
    "mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { userErrors { code current { version } } case { version } } }";

async fn sixty_four_writers_on_ten_cases(engine: Engine) {
    let mut server = Server::start(engine);
    let clients = vec![server.client()];
    write_and_check(&mut server, clients).await;
}

async fn two_instances_on_ten_cases(_: Engine) {
    let (mut one, other) = (Server::on(Store::Shared), Server::on(Store::Shared));
    let clients = vec![one.client(), other.client()];
    write_and_check(&mut one, clients).await;
}

/// Says something of a case by the version that was seen last, and again by the version that the refusal tells, until it is taken. Answers with
/// how often it was refused.
async fn comment(api: &Api, case: &str, text: &str) -> usize {
    let mut version = 1;
    for refused in 0..TRIES {
        let answer =
            api.graphql_answer(COMMENT, json!({"input": {"caseId": case, "text": text, "expectedVersion": version, "idempotencyKey": text}})).await;
        let payload = &answer["data"]["commentOnCase"];
        match payload["userErrors"].as_array().map(Vec::as_slice) {
            Some([]) => return refused,
            Some([error, ..]) => {
                assert_eq!(error["code"], json!("STALE"), "{answer}");
                version = error["current"]["version"].as_i64().expect("a version");
            }
            None => {
                // Worth another try, which the key makes safe.
                let code = &answer["errors"][0]["extensions"]["code"];
                assert!(["UNAVAILABLE", "TIME_LIMIT", "CONFLICT"].iter().any(|known| *code == json!(known)), "{answer}");
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
    }
    panic!("refused {TRIES} times");
}

async fn write_and_check(server: &mut Server, clients: Vec<Api>) {
    let mut cases = Vec::new();
    for _ in 0..CASES {
        cases.push(server.post("/api/cases", "{}").await.expect(200).json()["case_id"].as_str().expect("an id").to_owned());
    }
    let cases: Arc<[String]> = cases.into();
    let refused = Arc::new(AtomicUsize::new(0));
    let writers = (0..WRITERS).map(|writer| {
        let (api, cases, refused) = (clients[writer % clients.len()].clone(), Arc::clone(&cases), Arc::clone(&refused));
        tokio::spawn(async move {
            for at in 0..EACH {
                let case = &cases[(writer + at * 7) % CASES];
                let stale = comment(&api, case, &format!("{case}-{writer}-{at}")).await;
                refused.fetch_add(stale, Ordering::Relaxed);
            }
        })
    });
    for writer in futures::future::join_all(writers).await {
        writer.expect("a writer ends well");
    }
    println!("{} comments, {} refused as stale", WRITERS * EACH, refused.load(Ordering::Relaxed));
    let wanted = wanted(&cases);
    let list = json!(&*cases).to_string().replace('"', "'");
    let found = server.cypher(&format!(
        "UNWIND {list} AS id MATCH (c:`Case` {{id: id}}) MATCH (c)-[:HAS_COMMENT]->(m) WITH c, m.text AS text ORDER BY text WITH c, collect(text) AS texts RETURN c.id AS id, c.version AS version, c.eventSequence AS last, texts"
    ));
    for row in &found {
        let texts = &wanted[row["id"].as_str().expect("an id")];
        assert_eq!(row["texts"], json!(texts), "every comment is there, once");
        // It was made, and each comment changed it once, and was told of once.
        assert_eq!((row["version"].as_i64(), row["last"].as_i64()), (Some(texts.len() as i64 + 1), Some(texts.len() as i64 + 1)));
    }
    assert_eq!(found.len(), CASES);
    let events = server.cypher(&format!(
        "MATCH (e:Event) WHERE e.caseId IN {list} WITH e.caseId AS id, e.sequence AS sequence, e.data AS data ORDER BY id, sequence WITH id, collect(sequence) AS sequences, collect(data) AS data RETURN id, sequences, data"
    ));
    assert_eq!(events.len(), CASES);
    for row in &events {
        let texts = &wanted[row["id"].as_str().expect("an id")];
        assert_eq!(row["sequences"], json!((1..=texts.len() + 1).collect::<Vec<_>>()), "numbered without gap or double");
        let mut told: Vec<String> = row["data"].as_array().expect("a list").iter().filter_map(said).collect();
        told.sort();
        assert_eq!(told, *texts, "each comment is told of once");
    }
}

/// What an event says was said.
fn said(data: &Value) -> Option<String> {
    let data: Value = serde_json::from_str(data.as_str()?).ok()?;
    data["comment"].as_str().map(str::to_owned)
}

/// The comments of each case, sorted.
fn wanted(cases: &[String]) -> BTreeMap<String, Vec<String>> {
    let mut wanted: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for writer in 0..WRITERS {
        for at in 0..EACH {
            let case = &cases[(writer + at * 7) % CASES];
            wanted.entry(case.clone()).or_default().push(format!("{case}-{writer}-{at}"));
        }
    }
    wanted.values_mut().for_each(|texts| texts.sort());
    wanted
}
