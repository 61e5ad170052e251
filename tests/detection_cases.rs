//! What becomes of findings: the subgraph that each rests on, the cases that they are gathered into, and the sample of what rules miss by little.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::detection::{A_DAY, Gathering, HOUR, NOON, again, observations, received, run};
use crate::support::case_work::events;
use crate::support::fixtures::{Payment, account, actor, with};
use crate::support::{Api, Engine, Ids, Server, Store, tests};

tests![both: a_finding_rests_on_its_necessary_payments, one_record_of_a_payment_is_as_necessary_as_the_other, findings_about_an_actor_are_one_case,
    findings_of_a_ring_are_one_case, what_was_handled_is_in_no_case, findings_of_a_low_score_wait, an_earlier_case_is_shown,
    a_sample_is_below_the_line_and_in_no_case, an_alert_is_no_sample;
    embedded: settings_must_make_sense];

/// A server of its own that gathers findings.
fn gathering_by(engine: Engine, more: &[(&'static str, &'static str)]) -> Server {
    Server::with(Store::private(engine), more)
}

const BY_ACTOR: (&str, &str) = ("AMLGRAPH_DETECTION__CASES", "actor");
const BY_RING: (&str, &str) = ("AMLGRAPH_DETECTION__CASES", "ring");
const SAMPLES: (&str, &str) = ("AMLGRAPH_DETECTION__BELOW_THE_LINE", "2");

/// The cases that focus on an actor, by id, with what was gathered in them.
async fn cases(api: &Api, actor: &str) -> BTreeMap<String, Value> {
    let query = "query($id: ID!) { actor(id: $id) { cases(first: 10) { edges { type node { id version metadata
        gatheredBy createdAt recordedAt earlierCases { id }
        actors(first: 20) { edges { type node { id } } } observations(first: 50) { edges { node { id behaviorId handled handling { kind userId } } } } } } } } }";
    let data = api.graphql(query, json!({"id": actor})).await;
    let focal = data["actor"]["cases"]["edges"].as_array().cloned().unwrap_or_default().into_iter().filter(|edge| edge["type"] == "FOCAL");
    focal.map(|edge| (edge["node"]["id"].as_str().expect("an id").to_owned(), edge["node"].clone())).collect()
}

/// The only one of them.
async fn the_case(api: &Api, actor: &str) -> Value {
    let cases = cases(api, actor).await;
    assert_eq!(cases.len(), 1, "{cases:#?}");
    cases.into_values().next().expect("one")
}

fn nodes(connection: &Value) -> Vec<&Value> {
    connection["edges"].as_array().expect("edges").iter().map(|edge| &edge["node"]).collect()
}

fn ids_of<'a>(items: impl IntoIterator<Item = &'a Value>) -> BTreeSet<String> {
    items.into_iter().map(|item| item["id"].as_str().expect("an id").to_owned()).collect()
}

/// The id of the one finding of a rule about an actor.
async fn finding(api: &Api, actor: &str, rule: &str) -> String {
    let found = observations(api, actor).await;
    let of_rule: Vec<&Value> = found.iter().filter(|found| found["behaviorId"] == rule).collect();
    assert_eq!(of_rule.len(), 1, "{rule}: {found:#?}");
    of_rule[0]["id"].as_str().expect("an id").to_owned()
}

async fn evidence(api: &Api, observation: &str, first: Option<i64>) -> Value {
    let query = "query($id: ID!, $first: Int) { observation(id: $id) { evidence(first: $first) { truncated
        transactions { evidence senderId receiverId transaction { id amount currency createdAt sender { id } receiver { id } } }
        accounts { evidence ownerIds account { id name } } actors { evidence actor { id } } } } }";
    api.graphql(query, json!({"id": observation, "first": first})).await["observation"]["evidence"].take()
}

/// As much of it as there is.
const ALL: Option<i64> = Some(1_000);

/// The parts of one kind that are necessary, or that are not.
fn parts(of: &Value, field: &str, evidence: &str) -> BTreeSet<String> {
    let name = field.trim_end_matches('s');
    ids_of(of[field].as_array().expect("parts").iter().filter(|part| part["evidence"] == evidence).map(|part| &part[name]))
}

async fn a_finding_rests_on_its_necessary_payments(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    run(&server, &line).await;
    let id = finding(&server, &gathering.owner(), "fan-in").await;
    let found = evidence(&server, &id, ALL).await;
    let record = observations(&server, &gathering.owner()).await.into_iter().find(|found| found["id"] == id.as_str()).expect("it");
    let said: BTreeSet<String> = serde_json::from_value(record["record"]["metadata"]["necessary"].clone()).expect("ids");
    let all: BTreeSet<String> = gathering.ids().into_iter().collect();
    let (necessary, supplementary) = (parts(&found, "transactions", "NECESSARY"), parts(&found, "transactions", "SUPPLEMENTARY"));
    assert_eq!(necessary, said, "{found:#}");
    assert!(!necessary.is_empty() && !supplementary.is_empty() && necessary.is_disjoint(&supplementary), "{found:#}");
    assert_eq!(&necessary | &supplementary, all, "{found:#}");
    let kinds: Vec<&Value> = found["transactions"].as_array().expect("payments").iter().map(|payment| &payment["evidence"]).collect();
    assert!(kinds.is_sorted_by_key(|kind| kind.as_str().expect("a kind")), "the necessary ones come first: {kinds:?}");
    for payment in found["transactions"].as_array().expect("payments") {
        let transaction = &payment["transaction"];
        assert_eq!((&payment["senderId"], &payment["receiverId"]), (&transaction["sender"]["id"], &transaction["receiver"]["id"]), "{payment}");
        assert_eq!((&payment["receiverId"], &transaction["currency"]), (&json!(gathering.receiver), &json!("EUR")), "{payment}");
        assert!(transaction["amount"].is_string() && transaction["createdAt"].is_string(), "{payment}");
    }
    let sender = |id: &String| id.replace("hub-", "hub-sender-");
    let senders = |payments: &BTreeSet<String>| payments.iter().map(sender).collect::<BTreeSet<String>>();
    let touched: BTreeSet<String> = &senders(&necessary) | &BTreeSet::from([gathering.receiver.clone()]);
    assert_eq!(parts(&found, "accounts", "NECESSARY"), touched, "{found:#}");
    assert_eq!(parts(&found, "accounts", "SUPPLEMENTARY"), senders(&supplementary), "{found:#}");
    let hub = found["accounts"].as_array().expect("accounts").iter().find(|part| part["account"]["id"] == gathering.receiver.as_str()).expect("it");
    assert_eq!(hub["ownerIds"], json!([gathering.owner()]));
    assert!(parts(&found, "actors", "NECESSARY").contains(&gathering.owner()), "{found:#}");
    assert_eq!(found["truncated"], false);
    let cut = evidence(&server, &id, Some(1)).await;
    assert_eq!((cut["transactions"].as_array().map(Vec::len), &cut["truncated"]), (Some(1), &json!(true)), "{cut:#}");
    assert_eq!(cut["transactions"][0]["evidence"], "NECESSARY");
    let body = json!({"query": "query($id: ID!) { observation(id: $id) { evidence(first: 1001) { truncated } } }", "variables": {"id": id}});
    let refused = server.post("/graphql", body.to_string()).await.json();
    assert!(refused["errors"][0]["message"].as_str().is_some_and(|said| said.contains("first")), "{refused}");
    // Others do not say what is evidence.
    let other = crate::support::observations::observation(&ids.of("other"));
    crate::support::observations::taken(&server, with(other, json!({"transactionIds": gathering.ids()}))).await;
    assert_eq!(evidence(&server, &ids.of("other"), ALL).await, Value::Null);
}

async fn one_record_of_a_payment_is_as_necessary_as_the_other(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    // The senders report the same payments.
    for payment in gathering.payments.iter().skip(8) {
        let sender = payment.id.replace("hub-", "hub-sender-");
        let sent = Payment::new(format!("out-{}", payment.id), sender, gathering.receiver.clone()).amount(payment.amount.clone()).at(payment.at);
        server.post("/api/v2/transactions", sent.text()).await.expect(200);
    }
    run(&server, &line).await;
    let found = evidence(&server, &finding(&server, &gathering.owner(), "fan-in").await, ALL).await;
    for kind in ["NECESSARY", "SUPPLEMENTARY"] {
        let records = parts(&found, "transactions", kind);
        let received: BTreeSet<String> = records.iter().map(|id| id.trim_start_matches("out-").to_owned()).collect();
        assert!(!records.is_empty(), "{found:#}");
        assert_eq!(records.len(), 2 * received.len(), "{kind}: both records of each payment: {found:#}");
    }
    let owners = parts(&found, "actors", "NECESSARY");
    assert!(owners.iter().any(|id| id.starts_with("owner-of-hub-sender-")), "a sender of a necessary payment: {owners:?}");
}

async fn findings_about_an_actor_are_one_case(engine: Engine) {
    let (mut server, ids) = (gathering_by(engine, &[BY_ACTOR]), Ids::new());
    let line = ids.of("line");
    let (one, other) = (Gathering::of(&ids, "one"), Gathering::of(&ids, "other"));
    one.sent(&server, &line).await;
    other.sent(&server, &line).await;
    let first = run(&server, &line).await;
    assert_eq!(first["result"]["cases"], json!({"made": 2, "extended": 0}), "{first}");
    let mut made = Vec::new();
    for gathering in [&one, &other] {
        let case = the_case(&server, &gathering.owner()).await;
        let findings = observations(&server, &gathering.owner()).await;
        assert_eq!(ids_of(nodes(&case["observations"])), ids_of(&findings), "{case:#}");
        assert_eq!(case["metadata"], json!({"gatheredBy": "ACTOR", "detectionRun": first["id"]}), "{case:#}");
        assert!(nodes(&case["observations"]).iter().all(|it| it["handled"] == true && it["handling"]["kind"] == "CASE_RAISED"), "{case:#}");
        assert_eq!((&case["gatheredBy"], &case["recordedAt"]), (&json!("ACTOR"), &case["createdAt"]), "{case:#}");
        assert_eq!(case["earlierCases"], json!([]));
        made.push(case);
    }
    // Again, it makes nothing, and tells nobody.
    again(&server, &line, &first).await;
    assert_eq!(the_case(&server, &one.owner()).await, made[0]);
    assert_eq!(the_case(&server, &other.owner()).await, made[1]);
    // The same actor is paid by strangers on another account.
    let second = Gathering::of(&ids, "second");
    let second = Gathering { payments: second.payments.into_iter().map(|payment| Payment { owner: one.owner(), ..payment }).collect(), ..second };
    server.post("/api/accounts", account(&second.receiver).to_string()).await.expect(200);
    for payment in &second.payments {
        server.post("/api/v2/transactions", payment.text()).await.expect(200);
    }
    let before = crate::detection::find(&server, &line).await.expect("the run");
    again(&server, &line, &before).await;
    let grown = the_case(&server, &one.owner()).await;
    assert_eq!(grown["id"], made[0]["id"]);
    assert_eq!(ids_of(nodes(&grown["observations"])), ids_of(&observations(&server, &one.owner()).await), "{grown:#}");
    assert!(nodes(&grown["observations"]).len() > nodes(&made[0]["observations"]).len(), "{grown:#}");
    assert_eq!(the_case(&server, &other.owner()).await, made[1], "nothing is new of the other");
    let last = crate::detection::find(&server, &line).await.expect("the run");
    assert_eq!(last["result"]["cases"], json!({"made": 0, "extended": 1}), "{last}");
    let told = events(&mut server, grown["id"].as_str().expect("an id"));
    assert_eq!(told.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["case.created", "case.updated"], "{told:?}");
    let by = server.cypher(&format!(
        "MATCH (e:AuditEntry) WHERE e.objectId = '{}' RETURN e.action AS action, e.userId AS user ORDER BY e.timestamp",
        grown["id"].as_str().expect("an id")
    ));
    let starter = server.cypher("MATCH (d:DetectionRun) RETURN d.requestedBy AS user");
    assert!(
        by.len() == 2 && by.iter().all(|entry| entry["user"] == starter[0]["user"]),
        "in the name of whoever asked for the run: {by:?} {starter:?}"
    );
}

/// An account that was quiet pays fifteen strangers on one day, the last of whom gathers money from fourteen others.
async fn ring(api: &Api, ids: &Ids, line: &str) -> [String; 2] {
    let (payer, gathering) = (ids.of("payer"), Gathering::of_strangers(ids, "hub", 14));
    gathering.sent(api, line).await;
    let owner = format!("owner-of-{payer}");
    api.post("/api/actors", with(actor(&owner), json!({"customData": {"lineOfBusiness": line}})).to_string()).await.expect(200);
    api.post("/api/accounts", account(&payer).to_string()).await.expect(200);
    let old = |n: i64| Payment::new(ids.of(&format!("payer-known-{n}")), payer.clone(), ids.of("payer-old")).amount("25.00").at(NOON - 8 * n * A_DAY);
    let sent = |n: i64| {
        let to = if n == 0 { gathering.receiver.clone() } else { ids.of(&format!("payee-{n}")) };
        Payment::new(ids.of(&format!("paid-{n}")), payer.clone(), to).amount(format!("{}.{:02}", 2_100 + 17 * n, 7 + n)).at(NOON - 5 * HOUR + n * 600)
    };
    for payment in (1..=8).map(old).chain((0..15).map(sent)) {
        api.post("/api/v2/transactions", payment.text()).await.expect(200);
    }
    let shared = sent(0);
    let reported = received(Payment { id: ids.of("shared"), ..shared }, &gathering.receiver);
    api.post("/api/v2/transactions", reported.text()).await.expect(200);
    [owner, gathering.owner()]
}

async fn findings_of_a_ring_are_one_case(engine: Engine) {
    let (server, ids) = (gathering_by(engine, &[BY_RING]), Ids::new());
    let line = ids.of("line");
    let [payer, hub] = ring(&server, &ids, &line).await;
    let alone = Gathering::of(&ids, "alone");
    alone.sent(&server, &line).await;
    let first = run(&server, &line).await;
    assert_eq!(first["result"]["cases"], json!({"made": 2, "extended": 0}), "{first}");
    let case = the_case(&server, &hub).await;
    let (of_payer, of_hub) = (finding(&server, &payer, "fan-out").await, finding(&server, &hub, "fan-in").await);
    let gathered = ids_of(nodes(&case["observations"]));
    assert!(gathered.contains(&of_payer) && gathered.contains(&of_hub), "{case:#}");
    assert_eq!((&case["metadata"]["gatheredBy"], &case["gatheredBy"]), (&json!("RING"), &json!("RING")), "{case:#}");
    assert_eq!(the_case(&server, &payer).await, case);
    assert_ne!(the_case(&server, &alone.owner()).await["id"], case["id"]);
    again(&server, &line, &first).await;
    assert_eq!(the_case(&server, &hub).await, case, "again, it makes nothing");
}

async fn what_was_handled_is_in_no_case(engine: Engine) {
    let (store, ids) = (Store::private(engine), Ids::new());
    let server = Server::on(store.clone());
    let line = ids.of("line");
    let gatherings = ["dismissed", "raised", "left"].map(|name| Gathering::of(&ids, name));
    for gathering in &gatherings {
        gathering.sent(&server, &line).await;
    }
    let first = run(&server, &line).await;
    assert_eq!(first["result"]["cases"], json!({"made": 0, "extended": 0}), "unless it is said, nothing is gathered: {first}");
    let [dismissed, raised, left] = gatherings;
    for found in observations(&server, &dismissed.owner()).await {
        let mutation = "mutation($input: DismissObservationInput!) { dismissObservation(input: $input) { userErrors { message } } }";
        let input = json!({"observationId": found["id"], "reason": "known"});
        assert_eq!(server.graphql(mutation, json!({"input": input})).await["dismissObservation"]["userErrors"], json!([]));
    }
    let of_raised: Vec<Value> = observations(&server, &raised.owner()).await.into_iter().map(|found| found["id"].clone()).collect();
    let by_hand = crate::support::case_work::made(&server, json!({"observation_ids": of_raised})).await;
    server.stop();
    let server = Server::with(store, &[BY_ACTOR]);
    again(&server, &line, &first).await;
    let second = crate::detection::find(&server, &line).await.expect("the run");
    assert_eq!(second["result"]["cases"], json!({"made": 1, "extended": 0}), "{second}");
    assert_eq!(cases(&server, &dismissed.owner()).await, BTreeMap::new());
    assert_eq!(cases(&server, &raised.owner()).await, BTreeMap::new(), "they are in {by_hand}");
    assert_eq!(cases(&server, &left.owner()).await.len(), 1);
}

async fn findings_of_a_low_score_wait(engine: Engine) {
    let (server, ids) = (gathering_by(engine, &[BY_ACTOR, ("AMLGRAPH_DETECTION__CASE_SCORE", "1")]), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    let run = run(&server, &line).await;
    let found = observations(&server, &gathering.owner()).await;
    assert!(found.iter().all(|found| found["score"].as_f64().is_some_and(|score| score < 1.0)) && !found.is_empty(), "{found:#?}");
    assert_eq!(run["result"]["cases"], json!({"made": 0, "extended": 0}), "{run}");
    assert_eq!(cases(&server, &gathering.owner()).await, BTreeMap::new());
}

async fn an_earlier_case_is_shown(engine: Engine) {
    let (server, ids) = (gathering_by(engine, &[BY_ACTOR]), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    let of_actor = |kind: &str| json!({"actors": [{"id": gathering.owner(), "type": kind}]});
    let earlier = crate::support::case_work::made(&server, of_actor("FOCAL")).await;
    crate::support::case_work::made(&server, of_actor("CONNECTION")).await;
    run(&server, &line).await;
    let cases = cases(&server, &gathering.owner()).await;
    assert_eq!(cases.len(), 2, "a case that detection did not make gains nothing: {cases:#?}");
    let (_, gathered) = cases.iter().find(|(id, _)| **id != earlier).expect("the new one");
    assert_eq!(gathered["earlierCases"], json!([{"id": earlier}]), "{gathered:#}");
    assert_eq!(cases[&earlier]["earlierCases"], json!([]));
}

/// What was recorded below the line about actors, by observation, with the actor and what is said of it.
async fn samples(api: &Api, line: &str) -> BTreeMap<String, Value> {
    let query = "query($after: String) { observations(first: 100, after: $after, filter: {belowTheLine: true, behaviorIds: [\"fan-in\"]}) {
        pageInfo { hasNextPage endCursor } nodes { id priority belowTheLine record { btlFlag metadata priority } actors(first: 5) { edges { primary node { id } } } } } }";
    let (mut found, mut after) = (BTreeMap::new(), Value::Null);
    loop {
        let page = api.graphql(query, json!({"after": after})).await["observations"].take();
        let nodes = page["nodes"].as_array().expect("nodes").iter().filter(|node| node["record"]["metadata"]["lineOfBusiness"] == line);
        found.extend(nodes.map(|node| (node["id"].as_str().expect("an id").to_owned(), node.clone())));
        if page["pageInfo"]["hasNextPage"] == false {
            return found;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
}

async fn a_sample_is_below_the_line_and_in_no_case(engine: Engine) {
    let (server, ids) = (gathering_by(engine, &[BY_ACTOR, SAMPLES]), Ids::new());
    let line = ids.of("line");
    // Six strangers are a finding; five are one step less.
    let missed: Vec<Gathering> = (0..4).map(|n| Gathering::of_strangers(&ids, &format!("missed-{n}"), 5)).collect();
    for gathering in &missed {
        gathering.sent(&server, &line).await;
    }
    let innocent = Gathering::of_strangers(&ids, "innocent", 4);
    innocent.sent(&server, &line).await;
    let first = run(&server, &line).await;
    assert_eq!(first["result"]["findings"], json!({"new": 0, "continued": 0, "suppressed": 0}), "{first}");
    let sample = samples(&server, &line).await;
    assert_eq!(sample.len(), 2, "{sample:#?}");
    let strata = first["result"]["belowTheLine"].as_array().expect("strata");
    assert_eq!(strata.iter().find(|stratum| stratum["rule"] == "fan-in"), Some(&json!({"rule": "fan-in", "missed": 4, "recorded": 2})), "{first}");
    let owners: BTreeSet<String> = missed.iter().map(Gathering::owner).collect();
    for (id, found) in &sample {
        assert_eq!((&found["belowTheLine"], &found["record"]["btlFlag"], &found["priority"]), (&json!(true), &json!(true), &json!("LOW")), "{found}");
        let about = found["actors"]["edges"].as_array().expect("edges").iter().find(|edge| edge["primary"] == true).expect("it is about somebody");
        let owner = about["node"]["id"].as_str().expect("an id");
        assert!(owners.contains(owner), "{found}");
        assert_eq!(cases(&server, owner).await, BTreeMap::new());
        let evidence = evidence(&server, id, ALL).await;
        assert!(!parts(&evidence, "transactions", "NECESSARY").is_empty(), "{evidence:#}");
    }
    again(&server, &line, &first).await;
    let ids_of_sample = |sample: &BTreeMap<String, Value>| sample.keys().cloned().collect::<BTreeSet<String>>();
    assert_eq!(ids_of_sample(&samples(&server, &line).await), ids_of_sample(&sample), "the same run chooses the same");
}

async fn an_alert_is_no_sample(engine: Engine) {
    let (server, ids) = (gathering_by(engine, &[SAMPLES]), Ids::new());
    let (gathering, line) = (Gathering::of(&ids, "hub"), ids.of("line"));
    gathering.sent(&server, &line).await;
    let first = run(&server, &line).await;
    assert_eq!(samples(&server, &line).await, BTreeMap::new(), "what is found is not missed: {first}");
    // All but five are taken back: the alert stays, and what is left of it is no sample.
    for payment in gathering.payments.iter().skip(8 + 5) {
        server.post("/api/v2/transactions", payment.text_with(json!({"metadata": {"exclude_from_monitoring": true}}))).await.expect(200);
    }
    again(&server, &line, &first).await;
    assert_eq!(samples(&server, &line).await, BTreeMap::new(), "it goes on with an alert");
    finding(&server, &gathering.owner(), "fan-in").await;
}

async fn settings_must_make_sense(engine: Engine) {
    let table = [
        ("AMLGRAPH_DETECTION__CASES", "rings", "none, actor or ring"),
        ("AMLGRAPH_DETECTION__CASE_SCORE", "1.5", "0 to 1"),
        ("AMLGRAPH_DETECTION__BELOW_THE_LINE", "-1", "whole number"),
        ("AMLGRAPH_DETECTION__BELOW_THE_LINE_STEPS", "0", "above zero"),
    ];
    for (name, value, told) in table {
        let output = Store::of(engine).command(&["serve", "--listen", "127.0.0.1:0"]).env(name, value).output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(told), "{name}={value}: {said}");
    }
}
