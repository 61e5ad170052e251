//! Screening of payments: what providers say is told, kept and acted on once, whatever they do.
//!
//! Each test has a store to itself, and a provider of its own: a server of another test would do its jobs with other providers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use standardwebhooks::Webhook;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::fixtures::{NOON, Other, Payment};
use crate::support::receiver::{Received, Receiver, Reply};
use crate::support::{Answer, Api, Engine, Ids, Server, Store, eventually, jobs, tests};
use crate::watchlists::import;

tests![both: only_what_is_asked_for_and_configured_is_screened, a_listed_counterparty_is_a_hit_with_its_reasons, a_new_version_of_a_list_counts,
    every_answer_of_a_service_has_its_response, a_service_that_fails_is_left_alone, a_retry_screens_once, what_nobody_waits_for_survives_a_kill,
    a_service_that_says_nothing_is_asked_again_in_the_background, hits_are_cases_where_the_settings_say_so,
    money_that_is_passed_on_to_somebody_new_shows_signs_of_fraud, who_may_have_screened_and_see_it; embedded: a_provider_without_end_is_cut_off];

pub const PATH: &str = "/api/v2/transactions";
const SECRET: &str = "whsec_c2NyZWVuaW5nLXRlc3RzLXNpZ24tcmVxdWVzdHM=";
const SECRETS: (&str, &str) = ("AMLGRAPH_SCREENING__SECRETS", "acme=whsec_c2NyZWVuaW5nLXRlc3RzLXNpZ24tcmVxdWVzdHM=");
const LISTS: (&str, &str) = ("AMLGRAPH_SCREENING__SANCTIONS", "watchlists");
const ACME: (&str, &str) = ("AMLGRAPH_SCREENING__SANCTIONS", "acme");
const PRIVATE: (&str, &str) = ("AMLGRAPH_SCREENING__ALLOW_PRIVATE", "true");
/// A cold Neo4j plans what providers ask it for the first time: what they say is wanted, not that they are too slow.
const PATIENCE: (&str, &str) = ("AMLGRAPH_SCREENING__TIMEOUT", "8s");
const REQUEST: (&str, &str) = ("AMLGRAPH_LIMITS__REQUEST_TIME", "20s");
/// A provider that says nothing is given up only where a request waits for it: on a busy machine one that answers may be slow.
const PROVIDER: (&str, &str) = ("AMLGRAPH_SCREENING__PROVIDER_TIMEOUT", "10m");
/// Longer than the lease of a worker that was killed.
pub const SOON: Duration = Duration::from_secs(180);
/// How long a cold database may take besides, on a busy machine. Far less than a provider may take.
const SLACK: Duration = Duration::from_secs(60);

const LIST: &str = "id,schema,name,aliases,birth_date,countries\nQ1,Person,Ada Quill,A. Quilla,1952-12-03,mt\nQ2,Person,Orsolo Vantrek,,,\n";

/// A payment to somebody of a name.
fn to(ids: &Ids, payment: &str, counterparty: Value) -> String {
    let plain = Payment { other: Other::Nobody, ..Payment::new(ids.of(payment), ids.of("payer"), "nobody") }.text();
    let text = plain.replace(r#"{"object":"EMPTY"}"#, &counterparty.to_string());
    assert_ne!(text, plain);
    text
}

pub fn named(ids: &Ids, payment: &str, name: &str) -> String {
    to(ids, payment, json!({"object": "INDIVIDUAL", "name": name}))
}

/// A server whose provider for sanctions is a service.
pub fn asking(engine: Engine, receiver: &Receiver, more: &[(&'static str, &str)]) -> Server {
    let urls = format!("acme={}", receiver.url());
    let settings: Vec<(&'static str, &str)> = [ACME, PRIVATE, SECRETS, PATIENCE, PROVIDER, REQUEST, ("AMLGRAPH_SCREENING__URLS", urls.as_str())]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    Server::with(Store::private(engine), &settings)
}

pub async fn send(api: &Api, query: &str, text: String) -> Answer {
    api.post(&format!("{PATH}{query}"), text).await.expect(200)
}

/// What providers said of a payment that was sent now: `watchlists MISS`.
async fn results(api: &Api, query: &str, text: String) -> Vec<String> {
    told(&send(api, query, text).await.json())
}

fn told(answer: &Value) -> Vec<String> {
    let results = answer["screening_results"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let word = |result: &Value, field: &str| result[field].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    results.iter().map(|result| format!("{} {}", word(result, "provider_name"), word(result, "response"))).collect()
}

/// Screenings of a payment, the latest first, with their observations.
pub async fn screenings(api: &Api, payment: &str) -> Vec<Value> {
    let query =
        "query($id: ID!) { transaction(id: $id) { screenings(first: 20) { edges { node { operation providerName response score reason screenedAt
        transaction { id } observations(first: 10) { edges { node { id type title score dataSource record { features { group items { name } } }
        actors(first: 5) { edges { primary node { id } } } transactions(first: 5) { edges { node { id } } } } } } } } } } }";
    let data = api.graphql(query, json!({"id": payment})).await;
    let edges = data["transaction"]["screenings"]["edges"].as_array().cloned().unwrap_or_default();
    edges.into_iter().map(|edge| edge["node"].clone()).collect()
}

fn nodes(connection: &Value) -> Vec<&Value> {
    connection["edges"].as_array().into_iter().flatten().map(|edge| &edge["node"]).collect()
}

/// Observations of a payment.
pub async fn observed(api: &Api, payment: &str) -> Vec<String> {
    let query = "query($id: ID!) { transaction(id: $id) { observations(first: 20) { edges { node { id } } } } }";
    let data = api.graphql(query, json!({"id": payment})).await;
    nodes(&data["transaction"]["observations"]).iter().map(|node| node["id"].as_str().expect("an id").to_owned()).collect()
}

/// A list, once payments are screened by it.
async fn listed(server: &Server, ids: &Ids) {
    import(server, "own", LIST).await;
    let text = named(ids, "until-ready", "Petra Grey");
    eventually("the list is loaded", SOON, async || results(server, "?operations=SANCTIONS", text.clone()).await == ["watchlists MISS"]).await;
}

/// What a service answers to a request: what the name of the counterparty says.
pub fn by_name(received: &Received) -> Reply {
    let body = received.body();
    let id = &body["id"];
    let hit = json!({"id": id, "response": "HIT", "matches": [{"id": "A-7", "name": "Listed", "score": 0.9, "reasons": [{"what": "Same name"}]}]});
    match body["parties"][0]["name"].as_str().unwrap_or_default() {
        "Hit" => Reply::Text(200, hit.to_string()),
        "Mixed" => Reply::Text(200, json!({"id": "another", "response": "MISS"}).to_string()),
        "Wrong" => Reply::Text(200, "<html>".to_owned()),
        "Large" => Reply::Text(200, hit.to_string() + &" ".repeat(100 << 10)),
        "Failing" => Reply::Status(500),
        "Elsewhere" => Reply::With(307, "location", "http://127.0.0.1:9/".to_owned()),
        "Reset" => Reply::Reset,
        "Hanging" => Reply::Hang,
        _ => Reply::Text(200, json!({"id": id, "response": "MISS"}).to_string()),
    }
}

async fn only_what_is_asked_for_and_configured_is_screened(engine: Engine) {
    let (server, ids) = (Server::with(Store::private(engine), &[LISTS, PATIENCE, REQUEST]), Ids::new());
    let text = named(&ids, "payment", "Ada Quill");
    for query in ["", "?blocking=true", "?blocking=false", "?operations=FRAUD", "?operations=FRAUD&blocking=false"] {
        assert_eq!(results(&server, query, text.clone()).await, Vec::<String>::new(), "{query}");
    }
    // What can't be screened is not said to be clean.
    assert_eq!(results(&server, "?operations=SANCTIONS", text.clone()).await, ["watchlists ERROR"]);
    let kept = screenings(&server, &ids.of("payment")).await;
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(kept[0]["reason"].as_str().is_some_and(|reason| reason.contains("watchlist")), "{kept:?}");
    listed(&server, &ids).await;
    assert_eq!(results(&server, "?operations=FRAUD,SANCTIONS&blocking=true", text.clone()).await, ["watchlists HIT"]);
    assert_eq!(results(&server, "?operations=SANCTIONS,SANCTIONS", text).await, ["watchlists HIT"]);
    jobs::none_left(&server).await;
}

async fn a_listed_counterparty_is_a_hit_with_its_reasons(engine: Engine) {
    let (server, ids) = (Server::with(Store::private(engine), &[LISTS, PATIENCE, REQUEST]), Ids::new());
    listed(&server, &ids).await;
    let party = json!({"object": "INDIVIDUAL", "id": ids.of("party"), "name": "Ada Quila", "birth_date": "1952-12-03",
        "postal_addresses": [{"country": "MT"}], "metadata": {"identifiable_as_actor": "true"}});
    let hit = to(&ids, "hit", party);
    for _ in 0..2 {
        assert_eq!(results(&server, "?operations=SANCTIONS", hit.clone()).await, ["watchlists HIT"]);
    }
    let kept = screenings(&server, &ids.of("hit")).await;
    assert_eq!(kept.len(), 2, "each request is screened: {kept:?}");
    let first = &kept[0];
    assert_eq!((&first["operation"], &first["providerName"], &first["response"]), (&json!("SANCTIONS"), &json!("watchlists"), &json!("HIT")));
    assert_eq!(first["transaction"]["id"], ids.of("hit"));
    assert!(first["score"].as_f64().is_some_and(|score| score >= 0.78), "{first}");
    assert_eq!(observed(&server, &ids.of("hit")).await.len(), 1, "what is found twice is one observation");
    let observation = nodes(&first["observations"])[0];
    assert_eq!((&observation["type"], &observation["dataSource"]), (&json!("ALERT_RULE"), &json!("Service - Screening")));
    let groups: Vec<&Value> = observation["record"]["features"].as_array().expect("features").iter().map(|group| &group["group"]).collect();
    assert_eq!(groups, ["screening", "reasons"], "{observation}");
    let actors = observation["actors"]["edges"].as_array().expect("actors");
    let mut about: Vec<(bool, String)> =
        actors.iter().map(|edge| (edge["primary"] == true, edge["node"]["id"].as_str().expect("an id").to_owned())).collect();
    about.sort();
    assert_eq!(about, [(false, ids.of("party")), (true, format!("owner-of-{}", ids.of("payer")))]);
    assert_eq!(nodes(&observation["transactions"])[0]["id"], ids.of("hit"));
    // What is contradicted, or names nobody, is no hit.
    let born_later = json!({"object": "INDIVIDUAL", "name": "Ada Quilla", "birth_date": "1990-01-01"});
    for (payment, counterparty) in [
        ("contradicted", born_later),
        ("other", json!({"object": "INDIVIDUAL", "name": "Petra Grey"})),
        ("company", json!({"object": "LEGAL_ENTITY", "name": "Ada Quill GmbH"})),
        ("placeholder", json!({"object": "INDIVIDUAL", "name": "NOTPROVIDED"})),
        ("unnamed", json!({"object": "ACCOUNT_INFO", "id": ids.of("payee")})),
    ] {
        assert_eq!(results(&server, "?operations=SANCTIONS", to(&ids, payment, counterparty)).await, ["watchlists MISS"], "{payment}");
        assert_eq!(observed(&server, &ids.of(payment)).await, Vec::<String>::new(), "{payment}");
    }
}

async fn a_new_version_of_a_list_counts(engine: Engine) {
    let (mut server, ids) = (Server::with(Store::private(engine), &[LISTS, PATIENCE, REQUEST]), Ids::new());
    listed(&server, &ids).await;
    let text = named(&ids, "payment", "Tamsin Okereke");
    assert_eq!(results(&server, "?operations=SANCTIONS", text.clone()).await, ["watchlists MISS"]);
    import(&server, "own", &format!("{LIST}Q3,Person,Tamsin Okereke,,,\n")).await;
    let is_hit = async |server: &Server| results(server, "?operations=SANCTIONS", text.clone()).await == ["watchlists HIT"];
    eventually("the new version counts", SOON, async || is_hit(&server).await).await;
    // Who starts anew has it, too.
    server.stop();
    server.start_again();
    eventually("the list is loaded again", SOON, async || is_hit(&server).await).await;
    assert_eq!(results(&server, "?operations=SANCTIONS", named(&ids, "first", "Ada Quill")).await, ["watchlists HIT"]);
}

async fn every_answer_of_a_service_has_its_response(engine: Engine) {
    let receiver = Receiver::of_all(|_, received| by_name(received)).await;
    let (server, ids) = (asking(engine, &receiver, &[]), Ids::new());
    for (at, (name, expected)) in [
        ("Hit", "HIT"),
        ("Mixed", "ERROR"),
        ("Clean", "MISS"),
        ("Wrong", "ERROR"),
        ("Large", "ERROR"),
        ("Clean", "MISS"),
        ("Failing", "ERROR"),
        ("Elsewhere", "ERROR"),
        ("Reset", "ERROR"),
        ("Clean", "MISS"),
        ("Hanging", "TIMEOUT"),
    ]
    .into_iter()
    .enumerate()
    {
        let payment = format!("payment-{at}");
        let began = Instant::now();
        let found = results(&server, "?operations=SANCTIONS", named(&ids, &payment, name)).await;
        assert_eq!(found, [format!("acme {expected}")], "{name}");
        assert!(began.elapsed() < Duration::from_secs(8) + SLACK, "{name}: {:?}", began.elapsed());
        let kept = screenings(&server, &ids.of(&payment)).await;
        assert_eq!((kept.len(), &kept[0]["response"], kept[0]["reason"].is_null()), (1, &json!(expected), expected == "HIT" || expected == "MISS"));
        // The payment is there, whatever the provider does.
        assert_eq!(server.get(&format!("{PATH}/{}", ids.of(&payment))).await.status, 200);
        assert_eq!(observed(&server, &ids.of(&payment)).await.len(), usize::from(expected == "HIT"), "{name}");
    }
    let received = receiver.received();
    let first = &received[0];
    let body = first.body();
    assert_eq!((&body["operation"], &body["transaction"]["id"]), (&json!("SANCTIONS"), &json!(ids.of("payment-0"))));
    let party = json!({"role": "COUNTERPARTY", "name": "Hit", "kind": "PERSON", "birthDates": [], "countries": []});
    assert_eq!((first.header("webhook-id"), &body["parties"]), (body["id"].as_str().expect("an id"), &json!([party])));
    Webhook::new(SECRET).expect("a secret").verify(first.text.as_bytes(), &first.headers).expect("a signature");
}

async fn a_service_that_fails_is_left_alone(engine: Engine) {
    let receiver = Receiver::of_all(|_, _| Reply::Status(503)).await;
    let (server, ids) = (asking(engine, &receiver, &[]), Ids::new());
    for at in 0..9 {
        let text = named(&ids, &format!("payment-{at}"), "Clean");
        assert_eq!(results(&server, "?operations=SANCTIONS", text).await, ["acme ERROR"]);
    }
    let asked = receiver.count();
    assert!((5..9).contains(&asked), "after five failures in a row it rests: {asked}");
}

async fn a_retry_screens_once(engine: Engine) {
    let receiver = Receiver::of_all(|_, received| by_name(received)).await;
    let (server, ids) = (asking(engine, &receiver, &[]), Ids::new());
    let text = named(&ids, "payment", "Hit");
    let keyed = async |query: &str, key: &str| {
        server.send(server.posting(&format!("{PATH}{query}"), text.clone()).header("idempotency-key", ids.of(key))).await
    };
    let first = keyed("?operations=SANCTIONS", "blocking").await.expect(200);
    assert_eq!(told(&first.json()), ["acme HIT"]);
    for _ in 0..2 {
        let again = keyed("?operations=SANCTIONS", "blocking").await.expect(200);
        assert_eq!((again.text.as_str(), again.header("idempotent-replayed")), (first.text.as_str(), "true"));
    }
    assert_eq!((receiver.count(), screenings(&server, &ids.of("payment")).await.len()), (1, 1));
    // Another screening under the same key is another request.
    assert_eq!(keyed("?operations=FRAUD", "blocking").await.status, 400);
    assert_eq!(keyed("", "blocking").await.status, 400);
    // The same without waiting.
    for _ in 0..3 {
        let answer = keyed("?operations=SANCTIONS&blocking=false", "background").await.expect(200);
        assert_eq!(told(&answer.json()), Vec::<String>::new());
    }
    eventually("it is screened", SOON, async || screenings(&server, &ids.of("payment")).await.len() == 2).await;
    jobs::none_left(&server).await;
    assert_eq!((receiver.count(), screenings(&server, &ids.of("payment")).await.len()), (2, 2));
    assert_eq!(observed(&server, &ids.of("payment")).await.len(), 1);
}

async fn what_nobody_waits_for_survives_a_kill(engine: Engine) {
    let hangs = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&hangs);
    let receiver = Receiver::of_all(move |_, received| if flag.load(Ordering::Relaxed) { Reply::Hang } else { by_name(received) }).await;
    let (mut server, ids) = (asking(engine, &receiver, &[]), Ids::new());
    let payments: Vec<String> = (0..3).map(|at| format!("payment-{at}")).collect();
    for payment in &payments {
        let began = Instant::now();
        let answer = send(&server, "?operations=SANCTIONS&blocking=false", named(&ids, payment, "Hit")).await;
        assert_eq!(told(&answer.json()), Vec::<String>::new());
        assert!(began.elapsed() < SLACK, "nobody waits for the provider: {:?}", began.elapsed());
    }
    eventually("the provider is asked", SOON, async || receiver.count() >= 1).await;
    server.kill();
    hangs.store(false, Ordering::Relaxed);
    server.start_again();
    for payment in &payments {
        eventually("it is screened", SOON, async || !screenings(&server, &ids.of(payment)).await.is_empty()).await;
    }
    jobs::none_left(&server).await;
    for payment in &payments {
        let kept = screenings(&server, &ids.of(payment)).await;
        assert_eq!((kept.len(), &kept[0]["response"]), (1, &json!("HIT")), "{kept:?}");
        assert_eq!(observed(&server, &ids.of(payment)).await.len(), 1);
    }
    // The provider can tell what it was asked again.
    assert_eq!(receiver.distinct_ids(), payments.len(), "each screening has one id, however often it is asked");
    assert_eq!(server.cypher("MATCH (p:PendingPaymentScreening) RETURN p.id AS id"), Vec::<Value>::new());
}

async fn a_service_that_says_nothing_is_asked_again_in_the_background(engine: Engine) {
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tries);
    let receiver = Receiver::of_all(move |_, received| match counted.fetch_add(1, Ordering::Relaxed) {
        0 => Reply::Status(500),
        1 => Reply::Text(200, "no".to_owned()),
        _ => by_name(received),
    })
    .await;
    let (server, ids) = (asking(engine, &receiver, &[]), Ids::new());
    send(&server, "?operations=SANCTIONS&blocking=false", named(&ids, "payment", "Hit")).await;
    eventually("it is screened", SOON, async || !screenings(&server, &ids.of("payment")).await.is_empty()).await;
    let kept = screenings(&server, &ids.of("payment")).await;
    assert_eq!((kept.len(), &kept[0]["response"]), (1, &json!("HIT")), "what came to nothing is not kept: {kept:?}");
    assert_eq!(tries.load(Ordering::Relaxed), 3);
    jobs::none_left(&server).await;
}

async fn hits_are_cases_where_the_settings_say_so(engine: Engine) {
    let receiver = Receiver::of_all(|_, received| by_name(received)).await;
    let (server, ids) = (asking(engine, &receiver, &[("AMLGRAPH_SCREENING__CASES", "actor")]), Ids::new());
    let screened = async |payment: &str, name: &str| send(&server, "?operations=SANCTIONS", named(&ids, payment, name)).await;
    tokio::join!(screened("one", "Hit"), screened("two", "Hit"));
    screened("clean", "Clean").await;
    let owner = format!("owner-of-{}", ids.of("payer"));
    let query = "query($id: ID!) { actor(id: $id) { cases(first: 5) { edges { node { id observations(first: 9) { edges { node { id } } } } } } } }";
    let data = server.graphql(query, json!({"id": owner})).await;
    let cases = nodes(&data["actor"]["cases"]);
    assert_eq!(cases.len(), 1, "what is about one actor is one case: {data}");
    let mut gathered: Vec<&str> = nodes(&cases[0]["observations"]).iter().filter_map(|node| node["id"].as_str()).collect();
    gathered.sort_unstable();
    let mut found = [observed(&server, &ids.of("one")).await, observed(&server, &ids.of("two")).await].concat();
    found.sort();
    assert_eq!(gathered, found);
    // The same payment again is the same observation, which somebody has in a case already.
    send(&server, "?operations=SANCTIONS", named(&ids, "one", "Hit")).await;
    let data = server.graphql(query, json!({"id": owner})).await;
    assert_eq!(nodes(&data["actor"]["cases"]).len(), 1, "{data}");
    // An analyst decides about the payment; its record stays as it was sent.
    let decide = "mutation($input: DecideTransactionInput!) { decideTransaction(input: $input) { userErrors { message } } }";
    let input = json!({"caseId": cases[0]["id"], "transactionId": ids.of("one"), "decision": "BLOCK"});
    let decided = server.graphql(decide, json!({"input": input})).await;
    assert_eq!(decided["decideTransaction"]["userErrors"], json!([]), "{decided}");
    let record = server.get(&format!("{PATH}/{}", ids.of("one"))).await.expect(200);
    assert_eq!(record.text, named(&ids, "one", "Hit"));
}

async fn money_that_is_passed_on_to_somebody_new_shows_signs_of_fraud(engine: Engine) {
    const HOUR: i64 = 60 * 60;
    let (server, ids) = (Server::with(Store::private(engine), &[("AMLGRAPH_SCREENING__FRAUD", "kernels"), PATIENCE, REQUEST]), Ids::new());
    let sent = |payment: &str, to: &str, hours_ago: i64| Payment::new(ids.of(payment), ids.of("account"), ids.of(to)).at(NOON - hours_ago * HOUR);
    for at in 0..6 {
        let usual = sent(&format!("usual-{at}"), "landlord", 100 + 40 * at);
        assert_eq!(results(&server, "?operations=FRAUD", usual.text()).await, ["kernels MISS"]);
    }
    let received = Payment { direction: "INBOUND", ..sent("received", "stranger", 3) }.amount("5000");
    assert_eq!(results(&server, "?operations=FRAUD", received.text()).await, ["kernels MISS"], "new, and nothing else");
    let known = sent("known", "landlord", 2).amount("4900");
    assert_eq!(results(&server, "?operations=FRAUD", known.text()).await, ["kernels MISS"], "paid on to somebody who is known");
    let passed = sent("passed", "another", 1).amount("4900");
    assert_eq!(results(&server, "?operations=FRAUD", passed.text()).await, ["kernels HIT"]);
    let kept = screenings(&server, &ids.of("passed")).await;
    assert_eq!((&kept[0]["operation"], &kept[0]["score"]), (&json!("FRAUD"), &json!(0.67)), "{kept:?}");
    assert_eq!(nodes(&kept[0]["observations"])[0]["title"], "Fraud screening hit");
    // What is still to be carried out is screened by what was carried out before.
    let pending = Payment { status: "PENDING", ..sent("pending", "a-third", 0) };
    assert_eq!(results(&server, "?operations=FRAUD", pending.text()).await, ["kernels HIT"]);
}

async fn who_may_have_screened_and_see_it(engine: Engine) {
    let receiver = Receiver::of_all(|_, received| by_name(received)).await;
    let (server, ids) = (asking(engine, &receiver, &[]), Ids::new());
    let text = named(&ids, "payment", "Hit");
    send(&server, "?operations=SANCTIONS", text.clone()).await;
    for (role, sends, sees) in
        [("INGEST", true, false), ("ANALYST", false, true), ("SUPERVISOR", false, true), ("AUDITOR", false, true), ("ADMIN", true, true)]
    {
        let made = server.post("/admin/keys", json!({"role": role, "name": ids.of(role)}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        for query in ["?operations=SANCTIONS", "?operations=SANCTIONS&blocking=false"] {
            let answer = api.post(&format!("{PATH}{query}"), text.clone()).await;
            assert_eq!(answer.status, if sends { 200 } else { 403 }, "{role}: {answer:?}");
        }
        let query = "query($id: ID!) { transaction(id: $id) { screenings(first: 1) { totalCount } } }";
        let seen = api.graphql_answer(query, json!({"id": ids.of("payment")})).await;
        assert_eq!(seen["errors"].is_null(), sees, "{role}: {seen}");
    }
    jobs::none_left(&server).await;
    assert_eq!(screenings(&server, &ids.of("payment")).await.len(), 5, "nobody else has anything screened");
}

/// A body that never ends takes neither memory nor time for long.
async fn a_provider_without_end_is_cut_off(engine: Engine) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let urls = format!("acme=http://{}/", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = [0; 1024];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n").await;
                while stream.write_all(&[b' '; 4096]).await.is_ok() {}
            });
        }
    });
    let settings = [ACME, PRIVATE, SECRETS, PATIENCE, REQUEST, ("AMLGRAPH_SCREENING__URLS", urls.as_str())];
    let (server, ids) = (Server::with(Store::private(engine), &settings), Ids::new());
    let began = Instant::now();
    assert_eq!(results(&server, "?operations=SANCTIONS", named(&ids, "payment", "Clean")).await, ["acme ERROR"]);
    assert!(began.elapsed() < Duration::from_secs(8) + SLACK);
    let kept = screenings(&server, &ids.of("payment")).await;
    assert!(kept[0]["reason"].as_str().is_some_and(|reason| reason.contains("bytes")), "{kept:?}");
}
