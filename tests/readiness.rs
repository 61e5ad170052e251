//! Ready means ready to write: who waits until `/health/ready` says so finds that the first write of each kind is not the slow one.

use serde_json::json;

use crate::support::fixtures::{Other, Payment, account, actor, case_id, iban, with};
use crate::support::observations::observation;
use crate::support::ready::READY_WITHIN;
use crate::support::{self, Api, Engine, Ids, Server, Store, Test, eventually};

/// Alone: they measure whether what comes first is in time.
pub fn tests() -> Vec<Test> {
    vec![
        Test::new("first_writes_are_taken_once_it_is_ready", support::both(), first_writes_are_taken_once_it_is_ready).alone(),
        Test::new("a_restart_on_a_warm_database_is_ready", support::neo4j(), a_restart_on_a_warm_database_is_ready).alone(),
    ]
}

async fn first_writes_are_taken_once_it_is_ready(engine: Engine) {
    let server = Server::starting(Store::cold(engine));
    is_ready(&server).await;
    plans_are_made(&server, engine).await;
    each_kind_is_written(&server, &Ids::new()).await;
}

/// The database has the plans already.
async fn a_restart_on_a_warm_database_is_ready(engine: Engine) {
    let mut server = Server::starting(Store::private(engine));
    is_ready(&server).await;
    server.stop();
    server.start_again();
    is_ready(&server).await;
    plans_are_made(&server, engine).await;
    each_kind_is_written(&server, &Ids::new()).await;
}

async fn is_ready(server: &Server) {
    let open = server.anonymous();
    eventually("it is ready", READY_WITHIN, async || {
        let answer = open.get("/health/ready").await;
        let status = answer.json()["status"].clone();
        assert!(answer.status == 200 || (answer.status == 503 && (status == "planning" || status == "unavailable")), "{answer:?}");
        answer.status == 200
    })
    .await;
}

/// Those that come first in a transaction, and on Neo4j those behind a change as well.
async fn plans_are_made(server: &Server, engine: Engine) {
    let metrics = server.anonymous().get("/metrics").await.expect(200).text;
    let made = metrics.lines().find_map(|line| line.strip_prefix("amlgraph_plans_made_ahead ")).and_then(|made| made.parse::<f64>().ok());
    let wanted = cypher::statements::COMING_FIRST.len() + cypher::statements::BEHIND_A_CHANGE.len();
    if engine == Engine::Neo4j {
        assert_eq!(made, Some(wanted as f64), "{metrics}");
    }
}

async fn each_kind_is_written(server: &Server, ids: &Ids) {
    let payment = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee"));
    let number = iban("370400440532013000");
    let by_number = Payment { other: Other::Iban(number.clone()), ..Payment::new(ids.of("by-number"), ids.of("payer"), "") };
    let case = case_id();
    let role = json!({"asOfDate": "2024-01-01", "actors": [{"id": ids.of("actor"), "role": "OWNER"}]});
    for (path, body) in [
        ("/api/v2/transactions".to_owned(), payment.text()),
        ("/api/v2/transactions".to_owned(), by_number.text()),
        // Sent again with another amount: the careful way.
        ("/api/v2/transactions".to_owned(), payment.clone().amount("20.00").text()),
        ("/api/actors".to_owned(), actor(&ids.of("actor")).to_string()),
        ("/api/actors".to_owned(), with(actor(&ids.of("actor")), json!({"name": "Anna"})).to_string()),
        ("/api/accounts".to_owned(), with(account(&ids.of("account")), json!({"iban": number})).to_string()),
        (format!("/api/accounts/{}/actors", ids.of("account")), role.to_string()),
        ("/api/observations".to_owned(), observation(&ids.of("observation")).to_string()),
        ("/api/cases".to_owned(), json!({"id": case, "actors": [{"id": ids.of("actor"), "type": "FOCAL"}]}).to_string()),
    ] {
        first_is_taken(server, &path, body).await;
    }
    server.patch(&format!("/api/cases/{case}"), r#"{"resolution":"warm"}"#).await.expect(200);
}

async fn first_is_taken(api: &Api, path: &str, body: String) {
    api.post(path, body).await.expect(200);
}
