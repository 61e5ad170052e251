//! In whatever order records come, single or in bulk, and however they are split into requests, they end in the same graph.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Map, Value, json};

use crate::support::fixtures::iban;
use crate::support::{Api, Engine, Ids, Server, Store, eventually, tests};

tests![both: any_order_and_any_split_end_in_the_same_graph];

/// Orders that are tried; the first is as records are written down here, in one bulk request.
const ORDERS: u64 = 5;
const SOON: Duration = Duration::from_secs(240);

/// A record: its bulk list, its bulk form, and the path and body of its single operation, where it has one.
struct Record {
    list: &'static str,
    item: Value,
    single: Option<(String, Value)>,
}

fn record(list: &'static str, item: Value, single: impl Into<Option<(String, Value)>>) -> Record {
    Record { list, item, single: single.into() }
}

/// The cases' ids are UUIDs: the same digits with another end.
fn uuid_of(ids: &Ids, end: u32) -> String {
    format!("00000000-0000-4000-8{end:03}-{}", ids.0)
}

fn actors(ids: &Ids) -> Vec<Record> {
    let actor = |name: &str| {
        let single = json!({"id": ids.of(name), "type": "INDIVIDUAL", "asOfDate": "2024-01-01", "name": name});
        record(
            "actors",
            json!({"id": ids.of(name), "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "name": name}),
            ("/api/actors".to_owned(), single),
        )
    };
    ["anna", "bo", "cleo"].map(actor).into()
}

fn accounts(ids: &Ids) -> Vec<Record> {
    let mut records = Vec::new();
    for (at, (account, owner)) in [("k", "anna"), ("l", "bo"), ("m", "cleo")].into_iter().enumerate() {
        let (id, number) = (ids.of(account), iban_of(ids, at));
        let single = json!({"id": id, "accountType": "CURRENT", "asOfDate": "2024-01-01", "name": account, "iban": number});
        let item = json!({"id": id, "account_type": "CURRENT", "as_of_date": "2024-01-01", "name": account, "iban": number});
        records.push(record("accounts", item, ("/api/accounts".to_owned(), single)));
        let role = json!({"account_id": id, "actor_id": ids.of(owner), "actor_role": "OWNER", "as_of_date": "2024-01-01"});
        let single = json!({"actors": [{"id": ids.of(owner), "role": "OWNER"}], "asOfDate": "2024-01-01"});
        records.push(record("account_actors", role, (format!("/api/accounts/{id}/actors"), single)));
    }
    records
}

fn iban_of(ids: &Ids, at: usize) -> String {
    iban(&format!("{at:02}{}", ids.digits(16)))
}

fn payments(ids: &Ids) -> Vec<Record> {
    let payment = |at: usize| {
        let (from, to) = (["k", "l", "m"][at % 3], (at + 1) % 3);
        // By number every second time: whose it is may not be known yet.
        let info = if at.is_multiple_of(2) { json!({"iban": iban_of(ids, to)}) } else { json!({"id": ids.of(["k", "l", "m"][to])}) };
        let of = |kind: &str, created: Value| {
            json!({"id": ids.of(&format!("t{at}")), "account_id": ids.of(from), "account_owner_id": ids.of(["anna", "bo", "cleo"][at % 3]),
                "amount": {"value": 10.25, "currency": "EUR"}, "standardized_amount": 10.25, "counterparty": {kind: "ACCOUNT_INFO", "account_info": info},
                "created_at": created, "direction": "OUTBOUND", "status": "COMPLETED"})
        };
        record("transactions", of("type", json!("2024-06-13T12:00:00Z")), ("/api/v2/transactions".to_owned(), of("object", json!(1_718_280_000))))
    };
    (0..6).map(payment).collect()
}

fn work(ids: &Ids, group: &str) -> Vec<Record> {
    let observation = json!({"id": ids.of("o"), "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "behavior_id": "b",
        "transaction_ids": [ids.of("t0"), ids.of("t1")], "actor_ids": [ids.of("anna")]});
    let case = json!({"id": uuid_of(ids, 1), "actors": [{"id": ids.of("anna"), "type": "FOCAL"}, {"id": ids.of("bo")}], "observation_ids": [ids.of("o")],
        "communication_ids": [uuid_of(ids, 2)], "resolution": "open", "c__notes": [1]});
    let member = json!({"actor_id": ids.of("cleo"), "group_id": group});
    vec![
        record("communications", json!({"id": uuid_of(ids, 2), "type": "email", "subject": "Hello"}), None),
        record("observations", observation, None),
        // Added alone it would have to be there; in bulk the membership waits for it.
        record("actor_segmentation_groups", member, None),
        record("cases", case, None),
    ]
}

/// Sends records in their order, cut at random into bulk requests and single ones.
async fn send(api: &Api, ids: &Ids, records: &[Record], random: &mut StdRng) {
    let (mut left, mut number) = (records, 0);
    while let Some(first) = left.first() {
        if let Some((path, body)) = first.single.as_ref().filter(|_| random.random_bool(0.4)) {
            api.post(path, body.to_string()).await.expect(200);
            left = &left[1..];
            continue;
        }
        let (now, later) = left.split_at(random.random_range(1..=left.len()));
        let mut lists: Map<String, Value> = Map::new();
        for record in now {
            let list = lists.entry(record.list).or_insert_with(|| json!([]));
            list.as_array_mut().expect("an array").push(record.item.clone());
        }
        let request = api.posting("/api/bulk", Value::Object(lists).to_string()).header("x-request-id", ids.of(&format!("r{number}")));
        api.send(request).await.expect(202);
        number += 1;
        left = later;
    }
}

/// What is there of a run, with its own ids taken out.
async fn graph(api: &Api, ids: &Ids, group: &str) -> Value {
    const ACTOR: &str = "query($id: ID!) { actor(id: $id) { name known accounts { edges { role node { id name known transferredTo { edges { count total currency node { id } } }
        received { totalCount } sent { totalCount } } } } observations { edges { primary node { id finalized } } } cases { edges { type node { id } } } } }";
    const CASE: &str = "query($id: ID!) { case(id: $id) { resolution customProperties version actors { edges { type node { id } } } observations { edges { node { id finalized
        transactions { edges { node { id sender { id } receiver { id } } } } } } } communications { edges { node { id subject } } } } }";
    const GROUP: &str = "query($id: ID!) { segmentationGroup(id: $id) { actors { edges { node { id } } } } }";
    let mut found = Vec::new();
    for (query, id) in [(ACTOR, ids.of("anna")), (ACTOR, ids.of("bo")), (ACTOR, ids.of("cleo")), (CASE, uuid_of(ids, 1)), (GROUP, group.to_owned())] {
        found.push(api.graphql(query, json!({"id": id})).await);
    }
    serde_json::from_str(&Value::from(found).to_string().replace(&ids.0, "")).expect("JSON")
}

/// Everything that was sent is there, and nothing waits.
async fn is_done(api: &Api, ids: &Ids) -> bool {
    let status = api.get(&format!("/api/bulk/cases/{}/status", uuid_of(ids, 1))).await;
    let waiting = api.graphql("{ bulkItems(filter: {state: DEFERRED}) { totalCount } }", json!({})).await;
    let pending = api.graphql("{ bulkRequests(first: 50) { edges { node { progress { pending } } } } }", json!({})).await;
    let nothing_pending = !pending.to_string().replace(r#""pending":0"#, "").contains(r#""pending":"#);
    status.status == 200 && status.json()["status"] == "COMPLETED" && waiting["bulkItems"]["totalCount"] == 0 && nothing_pending
}

async fn any_order_and_any_split_end_in_the_same_graph(engine: Engine) {
    // Of its own: nothing else waits in it.
    let server = Server::on(Store::private(engine));
    let mut expected = None;
    for seed in 0..ORDERS {
        let (ids, mut random) = (Ids::new(), StdRng::seed_from_u64(seed));
        let category = server.post("/api/segmentation/categories", json!({"name": ids.of("category")}).to_string()).await.expect(200).json();
        let group = json!({"category_id": category["id"], "name": "group"}).to_string();
        let group = server.post("/api/segmentation/groups", group).await.expect(200).json()["id"].as_str().expect("an id").to_owned();
        let mut records: Vec<Record> = [actors(&ids), accounts(&ids), payments(&ids), work(&ids, &group)].into_iter().flatten().collect();
        if seed > 0 {
            records.shuffle(&mut random);
        }
        send(&server, &ids, &records, &mut random).await;
        eventually(&format!("order {seed} is done"), SOON, async || is_done(&server, &ids).await).await;
        let found = graph(&server, &ids, &group).await;
        match &expected {
            None => expected = Some(found),
            Some(expected) => assert_eq!(&found, expected, "order {seed}"),
        }
    }
}
