//! Events that reach a receiver: signed, in the order of their case, again after a failure, and never twice without need.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use serde_json::{Value, json};
use standardwebhooks::Webhook;

use crate::support::delivering::{SETTINGS, SOON, registered, server, taken};
use crate::support::fixtures::case_id;
use crate::support::receiver::{Received, Receiver, Reply};
use crate::support::{Api, Engine, Server, Store, eventually, jobs, tests};

tests![both: an_event_comes_signed_in_the_documents_envelope, a_failure_holds_back_its_own_case_and_no_other, what_fails_comes_again_until_the_schedule_is_over,
    who_is_busy_is_left_alone_for_as_long_as_it_says, who_is_gone_is_told_nothing_until_it_is_made_active_again, redirections_are_not_followed,
    a_receiver_that_hangs_keeps_no_other_waiting, only_what_was_subscribed_to_comes, an_answer_without_end_is_cut,
    who_is_the_first_hears_of_what_comes_next;
    neo4j: two_workers_deliver_nothing_twice; embedded: nothing_goes_to_this_machine_unless_that_is_allowed];

fn ids(count: usize) -> Vec<String> {
    (0..count).map(|_| case_id()).collect()
}

/// One that takes all that comes about some cases.
async fn taking(cases: &[String]) -> Receiver {
    Receiver::about(cases, |_, _| Reply::Status(204)).await
}

/// A case, changed so many times.
async fn change(api: &Api, id: &str, changes: usize) {
    api.post("/api/cases", json!({"id": id}).to_string()).await.expect(200);
    for number in 0..changes {
        api.patch(&format!("/api/cases/{id}"), json!({"c__number": number}).to_string()).await.expect(200);
    }
}

fn case_of(received: &Received) -> String {
    received.case().expect("a case")
}

async fn come(receiver: &Receiver, wanted: usize) -> Vec<Received> {
    eventually("requests come", SOON, async || receiver.count() >= wanted).await;
    receiver.received()
}

/// A case's deliveries to a webhook, in the order of its events, once none waits.
async fn deliveries(server: &mut Server, webhook: &str, case: &str) -> Vec<Value> {
    let query = format!(
        "MATCH (d:Delivery)-[:TELLS]->(e:Event) WHERE d.webhookId = '{webhook}' AND d.caseId = '{case}' WITH d, e ORDER BY e.sequence \
         RETURN d.state AS state, d.attempts AS attempts, d.attemptLog AS log, e.name AS event"
    );
    once_none_waits(server, &query, 1).await
}

/// What is found of deliveries, once there are as many as are wanted and none waits.
async fn once_none_waits(server: &mut Server, query: &str, wanted: usize) -> Vec<Value> {
    let started = Instant::now();
    loop {
        // A folder's server is stopped to look, so it comes to rest first. The one that tests share has others' deliveries as long as they run.
        if matches!(server.store, Store::Folder(_)) {
            jobs::none_left(server).await;
        }
        let rows = server.cypher(query);
        // What is just being delivered is no lane that is due.
        if rows.len() >= wanted && rows.iter().all(|row| row["state"] != "WAITING") {
            return rows;
        }
        assert!(started.elapsed() < SOON, "deliveries wait for ever: {rows:?}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn an_event_comes_signed_in_the_documents_envelope(engine: Engine) {
    let cases = ids(1);
    let (server, receiver) = (server(engine), taking(&cases).await);
    let (_, secret) = registered(&server, &receiver, &["*"]).await;
    change(&server, &cases[0], 0).await;
    let received = come(&receiver, 1).await.remove(0);
    assert_eq!(received.line, "POST /hook");
    let body = received.body();
    let fields: BTreeSet<&str> = body.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(fields, BTreeSet::from(["id", "name", "createdAt", "data"]));
    assert_eq!(body["name"], "case.created");
    assert_eq!(body["data"]["id"], json!(cases[0]));
    assert!(body["createdAt"].as_i64().is_some_and(|millis| millis > 1_700_000_000_000), "{body}");
    assert_eq!(body["id"], json!(received.id()), "webhook-id is the event's");
    assert_eq!(received.header("content-type"), "application/json");
    Webhook::new(&secret).expect("a secret").verify(received.text.as_bytes(), &received.headers).expect("a signature");
    let mut others = HeaderMap::new();
    others.extend(received.headers.clone());
    let changed = received.text.replace("case.created", "case.updated");
    assert!(Webhook::new(&secret).expect("a secret").verify(changed.as_bytes(), &others).is_err(), "what was changed on the way is found out");
}

/// While nobody is told of anything, events are looked for less often.
async fn who_is_the_first_hears_of_what_comes_next(engine: Engine) {
    let [unheard, heard] = [case_id(), case_id()];
    let (server, receiver) = (server(engine), taking(std::slice::from_ref(&heard)).await);
    change(&server, &unheard, 3).await;
    registered(&server, &receiver, &["*"]).await;
    change(&server, &heard, 2).await;
    let names: Vec<String> = come(&receiver, 3).await.iter().map(Received::name).collect();
    assert_eq!(names, ["case.created", "case.updated", "case.updated"]);
}

async fn a_failure_holds_back_its_own_case_and_no_other(engine: Engine) {
    // The first case that comes is refused twice.
    let cases = ids(2);
    let receiver = Receiver::about(&cases, |before, _| Reply::Status(if before < 2 { 500 } else { 200 })).await;
    let server = server(engine);
    registered(&server, &receiver, &["*"]).await;
    change(&server, &cases[0], 3).await;
    come(&receiver, 1).await;
    change(&server, &cases[1], 3).await;
    let taken = taken(&receiver, 8).await;
    for case in &cases {
        let stored: Vec<i64> =
            taken.iter().filter(|received| case_of(received) == *case).map(|received| received.body()["createdAt"].as_i64().unwrap()).collect();
        assert!(stored.len() == 4 && stored.is_sorted(), "{case}: {stored:?}");
        assert_eq!(taken.iter().find(|received| case_of(received) == *case).map(Received::name).as_deref(), Some("case.created"));
    }
    let ids: BTreeSet<&str> = taken.iter().map(Received::id).collect();
    assert_eq!(ids.len(), 8, "each was taken once");
}

async fn what_fails_comes_again_until_the_schedule_is_over(engine: Engine) {
    let cases = ids(1);
    let refusing = |before, received: &Received| Reply::Status(if received.name() == "case.created" && before < 4 { 500 } else { 200 });
    let receiver = Receiver::about(&cases, refusing).await;
    let (mut server, began) = (server(engine), Instant::now());
    let (webhook, _) = registered(&server, &receiver, &["*"]).await;
    change(&server, &cases[0], 1).await;
    // Four attempts, and then the next of the case.
    let names: Vec<String> = come(&receiver, 5).await.iter().map(Received::name).collect();
    assert_eq!(names, ["case.created", "case.created", "case.created", "case.created", "case.updated"]);
    assert!(began.elapsed() > Duration::from_millis(600), "the waits of the schedule lie between them");
    let rows = deliveries(&mut server, &webhook, &cases[0]).await;
    assert_eq!(rows[0]["state"], "FAILED");
    assert_eq!(rows[0]["attempts"], 4);
    let log: Vec<Value> =
        rows[0]["log"].as_array().expect("a list").iter().map(|text| serde_json::from_str(text.as_str().expect("a text")).expect("JSON")).collect();
    assert_eq!(log.iter().map(|attempt| attempt["status"].as_i64()).collect::<Vec<_>>(), [Some(500); 4]);
    assert_eq!(rows[1]["state"], "DELIVERED");
    // Somebody mends the receiver, and asks for what it has missed.
    let mutation = "mutation($input: ReplayFailedDeliveriesInput!) { replayFailedDeliveries(input: $input) { replayed } }";
    let input = json!({"webhookId": webhook, "since": "2020-01-01T00:00:00Z"});
    for (replayed, came) in [(1, 6), (0, 6)] {
        let answer = server.graphql(mutation, json!({"input": input})).await;
        assert_eq!(answer["replayFailedDeliveries"]["replayed"], replayed);
        assert_eq!(come(&receiver, came).await.last().map(Received::name).as_deref(), Some("case.created"));
        assert_eq!(deliveries(&mut server, &webhook, &cases[0]).await[0]["state"], "DELIVERED");
    }
}

async fn who_is_busy_is_left_alone_for_as_long_as_it_says(engine: Engine) {
    let busy = |before: usize, _: &Received| if before == 0 { Reply::With(503, "retry-after", "2".to_owned()) } else { Reply::Status(200) };
    let cases = ids(1);
    let (server, receiver) = (server(engine), Receiver::about(&cases, busy).await);
    registered(&server, &receiver, &["*"]).await;
    change(&server, &cases[0], 0).await;
    let received = come(&receiver, 2).await;
    assert!(received[1].at - received[0].at >= Duration::from_secs(2));
}

async fn who_is_gone_is_told_nothing_until_it_is_made_active_again(engine: Engine) {
    let cases = ids(1);
    let receiver = Receiver::about(&cases, |before, _| Reply::Status(if before == 0 { 410 } else { 200 })).await;
    let server = server(engine);
    let (webhook, _) = registered(&server, &receiver, &["*"]).await;
    let path = format!("/api/webhooks/{webhook}");
    change(&server, &cases[0], 0).await;
    eventually("it is made inactive", SOON, async || server.get(&path).await.json()["status"] == "INACTIVE").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(receiver.count(), 1);
    server.patch(&path, json!({"status": "ACTIVE"}).to_string()).await.expect(200);
    let received = come(&receiver, 2).await;
    assert_eq!(case_of(&received[1]), cases[0], "what it was not told meanwhile is told now");
}

async fn redirections_are_not_followed(engine: Engine) {
    let cases = ids(1);
    let elsewhere = taking(&cases).await;
    let url = elsewhere.url();
    let receiver =
        Receiver::about(&cases, move |before, _| if before == 0 { Reply::With(307, "location", url.clone()) } else { Reply::Status(200) }).await;
    let server = server(engine);
    registered(&server, &receiver, &["*"]).await;
    change(&server, &cases[0], 0).await;
    taken(&receiver, 1).await;
    assert_eq!(elsewhere.count(), 0);
}

async fn a_receiver_that_hangs_keeps_no_other_waiting(engine: Engine) {
    let cases = ids(40);
    let (hangs, other) = (Receiver::about(&cases, |_, _| Reply::Hang).await, taking(&cases).await);
    let server = server(engine);
    let (webhook, _) = registered(&server, &hangs, &["*"]).await;
    registered(&server, &other, &["*"]).await;
    for case in &cases {
        change(&server, case, 0).await;
    }
    taken(&other, 40).await;
    // Of the 40 it is told a few at a time, and none of them was answered in the 10 s that each may take.
    assert!(hangs.count() < 40, "{}", hangs.count());
    server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
}

async fn only_what_was_subscribed_to_comes(engine: Engine) {
    let cases = ids(2);
    let (updates, nothing) = (taking(&cases).await, taking(&cases).await);
    let server = server(engine);
    registered(&server, &updates, &["case.updated"]).await;
    registered(&server, &nothing, &[]).await;
    change(&server, &cases[0], 2).await;
    change(&server, &cases[1], 1).await;
    let names: Vec<String> = come(&updates, 3).await.iter().map(Received::name).collect();
    assert_eq!(names, ["case.updated"; 3]);
    assert_eq!(nothing.count(), 0);
}

async fn an_answer_without_end_is_cut(engine: Engine) {
    let (cases, long) = (ids(1), "é".repeat(100_000));
    let (mut server, receiver) = (server(engine), Receiver::about(&cases, move |_, _| Reply::Text(200, long.clone())).await);
    let (webhook, _) = registered(&server, &receiver, &["*"]).await;
    change(&server, &cases[0], 0).await;
    come(&receiver, 1).await;
    let rows = deliveries(&mut server, &webhook, &cases[0]).await;
    assert_eq!(rows[0]["state"], "DELIVERED");
    let attempt: Value = serde_json::from_str(rows[0]["log"][0].as_str().expect("a text")).expect("JSON");
    assert_eq!(attempt["answer"].as_str().map(str::len), Some(512));
}

async fn two_workers_deliver_nothing_twice(_: Engine) {
    let ids = ids(20);
    let (one, receiver) = (server(Engine::Neo4j), taking(&ids).await);
    let other = Server::with(one.store.clone(), &SETTINGS);
    registered(&one, &receiver, &["*"]).await;
    let changes = ids.iter().enumerate().map(|(number, case)| {
        let api = if number % 2 == 0 { one.client() } else { other.client() };
        async move { change(&api, case, 9).await }
    });
    futures::future::join_all(changes).await;
    let taken = taken(&receiver, 200).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(receiver.count(), 200, "nothing came twice");
    let mut by_case: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for received in &taken {
        by_case.entry(case_of(received)).or_default().push(received.id().to_owned());
    }
    assert_eq!(by_case.keys().cloned().collect::<BTreeSet<_>>(), ids.into_iter().collect());
    // Ids that were made later sort later, and each case's changes were made one after another.
    assert!(by_case.values().all(|ids| ids.len() == 10 && ids.is_sorted()), "{by_case:?}");
    // Other tests go on with the first; this one gives back what it holds of theirs.
    other.stop();
}

async fn nothing_goes_to_this_machine_unless_that_is_allowed(engine: Engine) {
    let cases = ids(1);
    let receiver = taking(&cases).await;
    let store = Store::private(engine);
    let lenient = Server::with(store.clone(), &SETTINGS);
    // One that was allowed once, and a name that leads here, which only whoever connects can see through.
    registered(&lenient, &receiver, &["*"]).await;
    let url = format!("https://localhost:{}/", receiver.address.port());
    lenient.post("/api/webhooks", json!({"name": "inside", "url": url, "events": ["*"]}).to_string()).await.expect(201);
    lenient.stop();
    let mut server = Server::with(store, &[("AMLGRAPH_WEBHOOKS__RETRY_SCHEDULE", "100ms")]);
    for literal in ["https://127.0.0.1/", "https://2130706433/", "https://[::1]/", "https://169.254.169.254/", "https://[::ffff:10.0.0.1]/", &url] {
        let body = json!({"name": "inside", "url": literal, "events": ["*"]});
        server.post("/api/webhooks", body.to_string()).await.expect(422);
    }
    change(&server, &cases[0], 0).await;
    let failed = "MATCH (d:Delivery) RETURN d.state AS state, d.attemptLog AS log";
    let rows = once_none_waits(&mut server, failed, 2).await;
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!(row["state"], "FAILED", "{rows:?}");
    }
    let log = rows.iter().map(|row| row["log"].to_string()).collect::<Vec<_>>().join(" ");
    assert!(log.contains("must begin with https://") && log.contains("that is this machine"), "{log}");
    assert_eq!(receiver.count(), 0);
}
