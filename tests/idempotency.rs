//! Idempotency keys: a retry gets the first answer, whatever else happened meanwhile.

use std::collections::BTreeMap;

use serde_json::json;

use crate::support::fixtures::{Other, Payment};
use crate::support::ledger::{self, Known};
use crate::support::{Answer, Api, Engine, Ids, Server, Store, jobs, stored, tests};

tests![both: a_retry_gets_the_first_answer, a_payment_by_new_numbers_takes_a_key, another_body_is_refused, a_refused_request_leaves_its_key_free, many_at_once_write_once;
    neo4j: two_instances_agree; embedded: keys_must_be_readable, a_key_that_has_served_its_time_is_forgotten_alone];

const PATH: &str = "/api/v2/transactions";

async fn send(api: &Api, key: &str, body: String) -> Answer {
    api.send(api.posting(PATH, body).header("idempotency-key", key)).await
}

fn payment(ids: &Ids) -> Payment {
    Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee"))
}

/// Each of some payments has one audit entry. In the store: beside tests that write much, a page of the log may have others' entries alone.
fn are_written_once(server: &mut Server, tests: &[Ids]) {
    let payments: Vec<String> = tests.iter().map(|ids| ids.of("payment")).collect();
    let listed = payments.iter().map(|id| format!("'{id}'")).collect::<Vec<_>>().join(", ");
    let rows = server.cypher(&format!("MATCH (n:AuditEntry) WHERE n.objectId IN [{listed}] RETURN n.objectId AS id, count(n) AS times"));
    let times = rows.iter().map(|row| (row["id"].as_str().expect("an id").to_owned(), row["times"].as_i64().expect("a count")));
    let wanted = payments.into_iter().map(|id| (id, 1));
    assert_eq!(times.collect::<BTreeMap<_, _>>(), wanted.collect::<BTreeMap<_, _>>());
}

async fn a_retry_gets_the_first_answer(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let first = send(&server, &ids.of("key"), payment(&ids).text()).await.expect(200);
    assert_eq!(first.header("idempotent-replayed"), "");
    // Somebody else amends the payment; the retry does not undo that.
    let amended = payment(&ids).amount("3").text();
    server.post(PATH, amended.clone()).await.expect(200);
    for _ in 0..2 {
        let again = send(&server, &ids.of("key"), payment(&ids).text()).await.expect(200);
        assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), (first.text.as_str(), "true"));
        assert_ne!(again.header("x-request-id"), first.header("x-request-id"));
    }
    assert_eq!(server.get(&format!("{PATH}/{}", ids.of("payment"))).await.text, amended);
    ledger::check(&server, &[payment(&ids).amount("3")], &Known::default()).await;
}

/// Two numbers that nobody has named together before: whose they are is settled first.
async fn a_payment_by_new_numbers_takes_a_key(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let counterparty = json!({"object": "INDIVIDUAL", "account_info": {"iban": format!("FR76{}", ids.digits(18)), "bank_code": "B1", "account_number": ids.digits(9)}});
    let plain = Payment { other: Other::Nobody, ..payment(&ids) }.text();
    let body = plain.replace(r#"{"object":"EMPTY"}"#, &counterparty.to_string());
    assert_ne!(body, plain);
    let first = send(&server, &ids.of("key"), body.clone()).await.expect(200);
    let again = send(&server, &ids.of("key"), body).await.expect(200);
    assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), (first.text.as_str(), "true"));
}

async fn another_body_is_refused(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    send(&server, &ids.of("key"), payment(&ids).text()).await.expect(200);
    for other in [payment(&ids).amount("11").text(), format!("{} ", payment(&ids).text()).replace("\"id\"", " \"id\"")] {
        let refused = send(&server, &ids.of("key"), other).await.expect(400);
        assert_eq!(refused.places(), ["idempotency-key"]);
    }
    send(&server, &ids.of("other key"), payment(&ids).amount("11").text()).await.expect(400);
    send(&server, &ids.of("other-key"), payment(&ids).amount("11").text()).await.expect(200);
}

async fn a_refused_request_leaves_its_key_free(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let nowhere = payment(&ids).text_with(json!({"channel_location_id": ids.of("nowhere")}));
    for refused in ["{}".to_owned(), nowhere] {
        send(&server, &ids.of("key"), refused).await.expect(400);
    }
    let answer = send(&server, &ids.of("key"), payment(&ids).text()).await.expect(200);
    assert_eq!(answer.header("idempotent-replayed"), "");
}

/// One is first; the others come while it is under way (409) or after (the same answer).
fn all_agree(answers: &[Answer]) {
    let done: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 409)), "{answers:?}");
    assert_eq!(done.iter().filter(|answer| answer.header("idempotent-replayed").is_empty()).count(), 1, "{answers:?}");
    assert!(done.iter().all(|answer| answer.text == done[0].text), "{answers:?}");
}

async fn many_at_once_write_once(engine: Engine) {
    let mut server = Server::start(engine);
    let tests: Vec<Ids> = (0..5).map(|_| Ids::new()).collect();
    for ids in &tests {
        let answers = futures::future::join_all((0..16).map(|_| send(&server, &ids.0, payment(ids).text()))).await;
        all_agree(&answers);
    }
    are_written_once(&mut server, &tests);
}

async fn two_instances_agree(_: Engine) {
    let (mut one, other) = (Server::on(Store::Shared), Server::on(Store::Shared));
    let tests: Vec<Ids> = (0..10).map(|_| Ids::new()).collect();
    for ids in &tests {
        let answers = futures::future::join_all((0..8).map(|n| send(if n % 2 == 0 { &one } else { &other }, &ids.0, payment(ids).text()))).await;
        all_agree(&answers);
    }
    are_written_once(&mut one, &tests);
}

async fn keys_must_be_readable(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for (key, status) in [("k".repeat(255), 200), ("k".repeat(256), 400), (String::new(), 400), ("two words".into(), 400)] {
        let answer = send(&server, &key.replacen('k', &ids.0[..1], 1), payment(&ids).text()).await.expect(status);
        if status == 400 {
            assert_eq!(answer.places(), ["idempotency-key"]);
        }
    }
}

/// However many others there are: they are housekeeping's, and nobody's request waits for that.
/// For one engine, as it makes all keys of the store expire: on the Neo4j of all tests they are others', too.
async fn a_key_that_has_served_its_time_is_forgotten_alone(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::of(engine)), Ids::new());
    for number in 0..5 {
        let payment = Payment::new(ids.of(&format!("payment-{number}")), ids.of("payer"), ids.of("payee"));
        send(&server, &ids.of(&format!("key-{number}")), payment.text()).await.expect(200);
    }
    // Housekeeping, which is due at the first start, must not come behind it: it would forget them all.
    jobs::none_left(&server).await;
    stored::write(&mut server, "MATCH (k:IdempotencyKey) SET k.createdAt = 0", cypher::Params::none()).await;
    let other = Payment::new(ids.of("payment"), ids.of("payer"), ids.of("payee")).text();
    let answer = send(&server, &ids.of("key-0"), other.clone()).await.expect(200);
    assert_eq!(answer.header("idempotent-replayed"), "", "its time is over: this is a new request");
    assert_eq!(send(&server, &ids.of("key-0"), other).await.expect(200).header("idempotent-replayed"), "true");
    let rows = server.cypher("MATCH (k:IdempotencyKey) RETURN count(k) AS keys, sum(CASE WHEN k.createdAt = 0 THEN 1 ELSE 0 END) AS old");
    assert_eq!((&rows[0]["keys"], &rows[0]["old"]), (&json!(5), &json!(4)));
}
