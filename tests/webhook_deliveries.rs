//! What is to be seen of events and deliveries over GraphQL, and what can be done again.
//!
//! Deliveries are put there by Cypher, to webhooks that are INACTIVE: so nobody takes them from a test.

use std::time::{Duration, Instant};

use cypher::{Params, Value as Row, map};
use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, stored, tests};
use crate::webhooks::{made, path, webhook};

tests![both: events_and_deliveries_are_walked_both_ways, deliveries_are_filtered, deliveries_are_ordered_and_counted, a_delivery_is_sent_again, what_has_failed_is_sent_again,
    events_that_were_missed_are_sent_at_last, a_test_event_goes_to_one_webhook, what_is_removed_is_emptied;
    embedded: analysts_see_events_and_no_deliveries, filters_must_make_sense];

const URL: &str = "https://desk.example.com/hooks";
/// What is sent has come by then, also where an attempt had to be made again.
const SOON: Duration = Duration::from_secs(180);

/// Deliveries of the events of a case: each by its state, the sequence counts on.
pub fn put(webhook: &str, case: &str, states: &[&str]) -> Vec<Row> {
    let row = |(at, state): (usize, &&str)| {
        let sequence = at as i64 + 1;
        let id = |kind: &str| format!("{kind}-{case}-{webhook}-{sequence}");
        let finished = (*state != "WAITING").then_some(1_000 + sequence);
        let name = if sequence == 1 { "case.created" } else { "case.updated" };
        let attempt = json!({"at": "2024-01-31T12:00:00Z", "millis": 12, "status": 500, "answer": "no", "problem": null}).to_string();
        let delivery = map([
            ("name", format!("{name} to {webhook}").into()),
            ("webhookId", webhook.into()),
            ("eventId", id("event").into()),
            ("eventName", name.into()),
            ("caseId", case.into()),
            ("sequence", sequence.into()),
            ("state", (*state).into()),
            ("createdAt", (100 + sequence).into()),
            ("finishedAt", finished.into()),
            ("attempts", 3.into()),
            ("attemptLog", vec![attempt].into()),
        ]);
        let event =
            map([("name", name.into()), ("caseId", case.into()), ("sequence", sequence.into()), ("createdAt", 1.into()), ("data", "{}".into())]);
        let (lane, webhook) = (format!("{webhook}/{case}"), webhook.into());
        map([
            ("id", id("delivery").into()),
            ("eventId", id("event").into()),
            ("webhook", webhook),
            ("event", event),
            ("delivery", delivery),
            ("lane", lane.into()),
        ])
    };
    states.iter().enumerate().map(row).collect()
}

pub const PUT: &str = "UNWIND $rows AS row MATCH (w:Webhook {id: row.webhook}) CREATE (e:Event {id: row.eventId}) SET e += row.event \
    CREATE (d:Delivery {id: row.id}) SET d += row.delivery CREATE (d)-[:TELLS]->(e) CREATE (d)-[:GOES_TO]->(w)";

/// A webhook that is told of everything, and is not active: not for a moment, as what other tests do would be told to it.
pub async fn resting(api: &Api, name: &str) -> String {
    let webhook = made(api, json!({"name": name, "url": URL, "events": []})).await;
    api.patch(&path(&webhook), json!({"events": ["*"]}).to_string()).await.expect(200);
    webhook["id"].as_str().expect("an id").to_owned()
}

async fn case(api: &Api) -> String {
    let id = case_id();
    api.post("/api/cases", json!({"id": id}).to_string()).await.expect(200);
    id
}

async fn mutate(api: &Api, field: &str, input: Value, shown: &str) -> Value {
    let kind = format!("{}{}Input", field[..1].to_uppercase(), &field[1..]);
    let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ {shown} userErrors {{ code message }} }} }}");
    api.graphql(&query, json!({"input": input})).await[field].take()
}

fn ids_of(page: &Value) -> Vec<String> {
    page["edges"].as_array().expect("edges").iter().map(|edge| edge["node"]["id"].as_str().expect("an id").to_owned()).collect()
}

async fn events_and_deliveries_are_walked_both_ways(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (webhook, other) = (resting(&server, &ids.of("first")).await, resting(&server, &ids.of("second")).await);
    let case = case_id();
    server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    stored::write(&mut server, PUT, Params::rows(put(&webhook, &case, &["DELIVERED", "FAILED", "WAITING"]))).await;
    let event = format!("event-{case}-{webhook}-2");
    let more = vec![map([("webhook", other.as_str().into()), ("event", event.as_str().into()), ("id", format!("delivery-{case}-{other}").into())])];
    let also = "UNWIND $rows AS row MATCH (w:Webhook {id: row.webhook}) MATCH (e:Event {id: row.event}) CREATE (d:Delivery {id: row.id, name: 'x', \
        webhookId: row.webhook, eventId: row.event, eventName: 'case.updated', sequence: 2, state: 'CANCELLED', createdAt: 200, attempts: 0}) \
        CREATE (d)-[:TELLS]->(e) CREATE (d)-[:GOES_TO]->(w)";
    stored::write(&mut server, also, Params::rows(more)).await;

    let query = "query($case: ID!, $event: ID!, $webhook: ID!) {
        case(id: $case) { events { totalCount edges { node { id name sequence data } } } deliveries(filter: {webhookId: $webhook}) { totalCount edges { node { id state event { sequence } webhook { id } } } } }
        event(id: $event) { name nodeId createdAt case { id } deliveries { totalCount edges { node { id state case { id } } } } }
        webhook(id: $webhook) { deliveries(first: 2) { totalCount pageInfo { hasNextPage } edges { node { id state attempts { at millis status answer problem } } } } } }";
    let found = server.graphql(query, json!({"case": case, "event": event, "webhook": webhook})).await;
    let events = &found["case"]["events"];
    // That of making the case, and the three that were put there.
    assert_eq!(events["totalCount"], 4, "{events}");
    let sequence: Vec<i64> = events["edges"].as_array().expect("edges").iter().filter_map(|edge| edge["node"]["sequence"].as_i64()).collect();
    assert_eq!(sequence, [1, 1, 2, 3]);
    assert!(
        events["edges"]
            .as_array()
            .expect("edges")
            .iter()
            .any(|edge| edge["node"]["name"] == "case.created" && edge["node"]["data"]["id"] == json!(case))
    );
    let deliveries = &found["case"]["deliveries"];
    assert_eq!((&deliveries["totalCount"], ids_of(deliveries)), (&json!(3), [3, 2, 1].map(|at| format!("delivery-{case}-{webhook}-{at}")).to_vec()));
    assert!(deliveries["edges"].as_array().expect("edges").iter().all(|edge| edge["node"]["webhook"]["id"] == json!(webhook)), "{deliveries}");
    assert_eq!(found["event"]["case"]["id"], json!(case));
    assert_eq!(ids_of(&found["event"]["deliveries"]), [format!("delivery-{case}-{other}"), format!("delivery-{case}-{webhook}-2")]);
    let page = &found["webhook"]["deliveries"];
    assert_eq!((&page["totalCount"], &page["pageInfo"]["hasNextPage"]), (&json!(3), &json!(true)));
    let attempt = json!({"at": "2024-01-31T12:00:00Z", "millis": 12, "status": 500, "answer": "no", "problem": null});
    let shown = &page["edges"][0]["node"]["attempts"];
    assert_eq!(shown.as_array().map(Vec::len), Some(1), "{shown}");
    assert_eq!((&shown[0]["millis"], &shown[0]["status"], &shown[0]["answer"]), (&attempt["millis"], &attempt["status"], &attempt["answer"]));

    // A removed webhook is not shown; what was told it is.
    server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
    let query =
        "query($id: ID!, $node: ID!) { delivery(id: $id) { eventName finishedAt webhook { id } event { id } } node(id: $node) { __typename id } }";
    let delivery = format!("delivery-{case}-{webhook}-2");
    let found = server.graphql(query, json!({"id": delivery, "node": format!("Delivery:{delivery}")})).await;
    assert_eq!((&found["delivery"]["webhook"], &found["delivery"]["event"]["id"]), (&Value::Null, &json!(event)));
    assert_eq!(found["node"], json!({"__typename": "Delivery", "id": delivery}));
    server.delete(&format!("/api/webhooks/{other}")).await.expect(200);
}

async fn deliveries_are_filtered(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (webhook, case) = (resting(&server, &ids.of("Desk")).await, case(&server).await);
    stored::write(&mut server, PUT, Params::rows(put(&webhook, &case, &["DELIVERED", "FAILED", "WAITING", "FAILED"]))).await;
    let list = async |filter: Value| {
        let mut filter = filter;
        filter.as_object_mut().expect("an object").insert("webhookId".to_owned(), json!(webhook));
        let query = "query($filter: DeliveryFilter) { deliveries(filter: $filter) { totalCount edges { node { id sequence } } } }";
        let page = server.graphql(query, json!({"filter": filter})).await["deliveries"].take();
        let sequence: Vec<i64> = page["edges"].as_array().expect("edges").iter().filter_map(|edge| edge["node"]["sequence"].as_i64()).collect();
        assert_eq!(page["totalCount"], json!(sequence.len()), "{page}");
        sequence
    };
    let at = |millis: i64| chrono::DateTime::from_timestamp_millis(millis).expect("a time").to_rfc3339();
    for (filter, wanted) in [
        (json!({}), vec![4, 3, 2, 1]),
        (json!({"state": ["FAILED"]}), vec![4, 2]),
        (json!({"state": ["WAITING", "DELIVERED"]}), vec![3, 1]),
        (json!({"eventName": ["case.created"]}), vec![1]),
        (json!({"caseId": case}), vec![4, 3, 2, 1]),
        (json!({"caseId": "another"}), vec![]),
        (json!({"createdFrom": at(103)}), vec![4, 3]),
        (json!({"createdFrom": at(102), "createdTo": at(104), "state": ["FAILED"]}), vec![2]),
        (json!({"createdFrom": at(102), "createdTo": at(103)}), vec![2]),
    ] {
        assert_eq!(list(filter.clone()).await, wanted, "{filter}");
    }
    // The same below what they belong to.
    let query = "query($case: ID!, $webhook: ID!) { case(id: $case) { deliveries(filter: {webhookId: $webhook, state: [FAILED]}) { totalCount } events(filter: {names: [\"case.updated\"]}) { totalCount } } }";
    let found = server.graphql(query, json!({"case": case, "webhook": webhook})).await;
    assert_eq!(found["case"], json!({"deliveries": {"totalCount": 2}, "events": {"totalCount": 3}}));
    server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
}

/// The one of so many, in their order, that `percent` of a hundred are not above.
fn percentile(sorted: &[i64], percent: usize) -> Option<i64> {
    sorted.get((sorted.len() * percent).div_ceil(100).checked_sub(1)?).copied()
}

async fn deliveries_are_ordered_and_counted(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (webhook, case) = (resting(&server, &ids.of("Desk")).await, case(&server).await);
    let states = ["DELIVERED", "FAILED", "WAITING", "FAILED", "DELIVERED"];
    stored::write(&mut server, PUT, Params::rows(put(&webhook, &case, &states))).await;
    // What a receiver has answered is no number of the service's own.
    let attempt =
        |millis: &i64| json!({"answer": "\"millis\":1,", "at": "2024-01-31T12:00:00Z", "millis": millis, "status": 500, "problem": null}).to_string();
    let millis = [vec![5, 100], vec![7], vec![], vec![9, 11, 300], vec![40]];
    let log = |(at, millis): (usize, &Vec<i64>)| {
        let id = format!("delivery-{case}-{webhook}-{}", at + 1);
        map([("id", id.into()), ("log", millis.iter().map(attempt).collect::<Vec<_>>().into())])
    };
    let rows = Params::rows(millis.iter().enumerate().map(log).collect());
    stored::write(&mut server, "UNWIND $rows AS row MATCH (d:Delivery {id: row.id}) SET d.attemptLog = row.log", rows).await;

    let at = |millis: i64| chrono::DateTime::from_timestamp_millis(millis).expect("a time").to_rfc3339();
    // By the sequence, from 1 on: queued at 100 and the sequence.
    for (from, to) in [(1, 1_000), (102, 104), (103, 104), (1, 50)] {
        let query = "query($id: ID!, $from: DateTime!, $to: DateTime!) { webhook(id: $id) { statistics(from: $from, to: $to) {
            delivered failed waiting cancelled successRatio medianMillis p95Millis } } }";
        let shown = server.graphql(query, json!({"id": webhook, "from": at(from), "to": at(to)})).await["webhook"]["statistics"].take();
        let within: Vec<usize> = (0..states.len()).filter(|place| (from..to).contains(&(101 + *place as i64))).collect();
        let count = |state: &str| within.iter().filter(|place| states[**place] == state).count();
        let mut times: Vec<i64> = within.iter().flat_map(|place| millis[*place].clone()).collect();
        times.sort_unstable();
        let (delivered, failed) = (count("DELIVERED"), count("FAILED"));
        let ratio = (delivered + failed > 0).then(|| delivered as f64 / (delivered + failed) as f64);
        let wanted = json!({"delivered": delivered, "failed": failed, "waiting": count("WAITING"), "cancelled": 0, "successRatio": ratio,
            "medianMillis": percentile(&times, 50), "p95Millis": percentile(&times, 95)});
        assert_eq!(shown, wanted, "{from} to {to}");
    }
    for (from, to) in [(5, 5), (0, 93 * 24 * 60 * 60 * 1_000)] {
        let query = "query($id: ID!, $from: DateTime, $to: DateTime) { webhook(id: $id) { statistics(from: $from, to: $to) { failed } } }";
        let refused = server.graphql_in_time(query, json!({"id": webhook, "from": at(from), "to": at(to)})).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "INVALID", "{refused}");
    }

    // Each order is that of plain code over what was put there.
    let finished = |place: usize| if states[place] == "WAITING" { 0 } else { 1_001 + place as i64 };
    for (field, direction) in [("CREATED_AT", "ASC"), ("CREATED_AT", "DESC"), ("FINISHED_AT", "ASC"), ("FINISHED_AT", "DESC")] {
        let mut places: Vec<usize> = (0..states.len()).collect();
        places.sort_by_key(|place| if field == "CREATED_AT" { *place as i64 } else { finished(*place) });
        if direction == "DESC" {
            places.reverse();
        }
        let variables = json!({"webhook": webhook, "filter": {"webhookIds": [webhook], "caseIds": [case], "eventNames": ["case.created", "case.updated"],
            "states": ["DELIVERED", "FAILED", "WAITING"]}, "orderBy": {"field": field, "direction": direction}});
        let query = "query($webhook: ID!, $filter: DeliveryFilter, $orderBy: DeliveryOrder) {
            deliveries(first: 9, filter: $filter, orderBy: $orderBy) { totalCount nodes { sequence } }
            webhook(id: $webhook) { deliveries(first: 3, orderBy: $orderBy) { nodes { sequence } } } }";
        let shown = server.graphql(query, variables).await;
        let sequences: Vec<Value> = places.iter().map(|place| json!({"sequence": place + 1})).collect();
        assert_eq!((&shown["deliveries"]["nodes"], &shown["deliveries"]["totalCount"]), (&json!(sequences), &json!(5)), "{field} {direction}");
        assert_eq!(shown["webhook"]["deliveries"]["nodes"], json!(sequences[..3]), "{field} {direction}");
    }
    let both = "query($id: ID!) { deliveries(filter: {webhookId: $id, webhookIds: [$id]}) { totalCount } }";
    let refused = server.graphql_in_time(both, json!({"id": webhook})).await;
    assert!(refused["errors"][0]["message"].as_str().is_some_and(|message| message.starts_with("filter.webhookId: ")), "{refused}");
    server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
}

async fn a_delivery_is_sent_again(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (webhook, case) = (resting(&server, &ids.of("Desk")).await, case(&server).await);
    stored::write(&mut server, PUT, Params::rows(put(&webhook, &case, &["DELIVERED", "FAILED", "WAITING", "CANCELLED"]))).await;
    let id = |at: i64| format!("delivery-{case}-{webhook}-{at}");
    let replay = async |id: String, key: &str| {
        let input = json!({"deliveryId": id, "idempotencyKey": ids.of(key)});
        mutate(&server, "replayDelivery", input, "delivery { id state finishedAt attempts { status } }").await
    };
    for (at, key) in [(1, "a"), (2, "b"), (2, "b"), (2, "c"), (3, "d"), (4, "e")] {
        let replayed = replay(id(at), key).await;
        assert_eq!(replayed["userErrors"], json!([]), "{at}: {replayed}");
        assert_eq!((&replayed["delivery"]["state"], &replayed["delivery"]["finishedAt"]), (&json!("WAITING"), &Value::Null), "{at}: {replayed}");
        assert_eq!(replayed["delivery"]["attempts"], json!([{"status": 500}]), "what was answered before stays");
    }
    assert_eq!(replay("nothing".to_owned(), "f").await["userErrors"][0]["code"], "NOT_FOUND");
    let query = format!(
        "MATCH (l:DeliveryLane {{id: '{webhook}/{case}'}})<-[:WAITS_IN]-(d:Delivery) RETURN d.sequence AS sequence, d.attempts AS attempts, l.webhookId AS webhook, l.name AS name"
    );
    let mut lane = server.cypher(&query);
    lane.sort_by_key(|row| row["sequence"].as_i64());
    // The one that waited already was in no lane here: nothing was to be done for it.
    let sequence: Vec<i64> = lane.iter().filter_map(|row| row["sequence"].as_i64()).collect();
    assert_eq!(sequence, [1, 2, 4], "{lane:?}");
    assert!(lane.iter().all(|row| row["attempts"] == 0 && row["webhook"] == json!(webhook) && row["name"].is_string()), "{lane:?}");

    server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
    let late = mutate(&server, "replayDelivery", json!({"deliveryId": id(1)}), "delivery { state }").await;
    assert_eq!(late["userErrors"][0]["code"], "INVALID", "{late}");
}

/// In steps of a thousand, each of them a transaction.
async fn what_has_failed_is_sent_again(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (webhook, other) = (resting(&server, &ids.of("Desk")).await, resting(&server, &ids.of("Other")).await);
    let cases: Vec<String> = (0..60).map(|at| ids.of(&format!("case-{at}"))).collect();
    // 20 of each case have failed, of which the first three before the time in question.
    let states: Vec<&str> = (0..24).map(|at| if at < 20 { "FAILED" } else { "DELIVERED" }).collect();
    let rows = cases.iter().flat_map(|case| put(&webhook, case, &states)).chain(put(&other, "another", &["FAILED"])).collect();
    stored::write(&mut server, PUT, Params::rows(rows)).await;
    let since = chrono::DateTime::from_timestamp_millis(1_004).expect("a time").to_rfc3339();
    let input = json!({"webhookId": webhook, "since": since});
    let under_key = json!({"webhookId": webhook, "since": since, "idempotencyKey": format!("replay-{webhook}")});
    for _ in 0..2 {
        let replayed = mutate(&server, "replayFailedDeliveries", under_key.clone(), "replayed more").await;
        assert_eq!(replayed, json!({"replayed": 1_020, "more": false, "userErrors": []}), "the same again is answered as before");
    }
    let other_request = json!({"webhookId": webhook, "since": "2024-01-01T00:00:00Z", "idempotencyKey": format!("replay-{webhook}")});
    let refused = mutate(&server, "replayFailedDeliveries", other_request, "replayed more").await;
    assert_eq!(refused["userErrors"][0]["code"], "INVALID", "{refused}");
    let again = mutate(&server, "replayFailedDeliveries", input, "replayed more").await;
    assert_eq!(again, json!({"replayed": 0, "more": false, "userErrors": []}));
    let nobody = mutate(&server, "replayFailedDeliveries", json!({"webhookId": case_id(), "since": since}), "replayed more").await;
    assert_eq!(nobody["userErrors"][0]["code"], "NOT_FOUND", "{nobody}");
    let count = |states: &str| format!("MATCH (d:Delivery) WHERE d.webhookId = '{webhook}' AND d.state = '{states}' RETURN count(d) AS n");
    assert_eq!(server.cypher(&count("WAITING"))[0]["n"], 1_020);
    assert_eq!(server.cypher(&count("FAILED"))[0]["n"], 180);
    let lanes = format!("MATCH (l:DeliveryLane) WHERE l.webhookId = '{webhook}' RETURN count(l) AS n, count(DISTINCT l.id) AS ids");
    assert_eq!(server.cypher(&lanes)[0], json!({"n": 60, "ids": 60}));
    for webhook in [webhook, other] {
        server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
    }
}

/// What happened while a webhook was not active, or was not there: kept as all events are, and sent when somebody asks for it.
async fn events_that_were_missed_are_sent_at_last(engine: Engine) {
    // Of its own: on a store that is shared another test's server, which is killed meanwhile or sends to no private address, may have taken the lane.
    let (server, ids) = (Server::with(Store::private(engine), &[("AMLGRAPH_WEBHOOKS__ALLOW_PRIVATE", "true")]), Ids::new());
    let cases: Vec<String> = (0..3).map(|_| case_id()).collect();
    let receiver = Receiver::about(&cases, |_, _| Reply::Status(200)).await;
    let change = async |case: &str, value: usize| {
        server.patch(&format!("/api/cases/{case}"), json!({"c__n": value}).to_string()).await.expect(200);
    };
    let since = now();
    server.post("/api/cases", json!({"id": cases[0]}).to_string()).await.expect(200);
    // Not of new cases yet: whatever waits to be told as a webhook is made is told to it, too.
    let webhook = made(&server, json!({"name": ids.of("Desk"), "url": receiver.url(), "events": ["case.updated"]})).await;
    let id = webhook["id"].as_str().expect("an id").to_owned();
    let status = async |status: &str| drop(server.patch(&path(&webhook), json!({"status": status}).to_string()).await.expect(200));
    let seen = |case: &str| -> Vec<String> {
        receiver.taken().iter().filter(|taken| taken.case().as_deref() == Some(case)).map(|taken| taken.name()).collect()
    };
    change(&cases[0], 1).await;
    eventually("the webhook is told", SOON, async || seen(&cases[0]) == ["case.updated"]).await;
    status("INACTIVE").await;
    server.patch(&path(&webhook), json!({"events": ["case.updated", "case.created"]}).to_string()).await.expect(200);
    change(&cases[0], 2).await;
    for case in &cases[1..] {
        server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
        change(case, 1).await;
    }
    let comment = json!({"input": {"caseId": cases[1], "text": "It does not want to know."}});
    server.graphql("mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { case { id } } }", comment).await;
    let replay = async |id: &str, since: &str| mutate(&server, "replayEvents", json!({"webhookId": id, "since": since}), "replayed more").await;
    // What happened after that it does not want.
    assert_eq!(replay(&case_id(), &since).await["userErrors"][0]["code"], "NOT_FOUND");
    assert_eq!(replay(&id, &now()).await, json!({"replayed": 0, "more": false, "userErrors": []}));
    // What is found waits for a webhook that is not active.
    let found = replay(&id, &since).await;
    assert!(found["replayed"].as_u64().is_some_and(|count| count >= 6) && found["userErrors"] == json!([]), "{found}");
    assert_eq!(seen(&cases[1]), Vec::<String>::new());
    status("ACTIVE").await;
    let wanted = [&["case.updated", "case.created", "case.updated"][..], &["case.created", "case.updated"], &["case.created", "case.updated"]];
    let all = async || cases.iter().zip(wanted).all(|(case, wanted)| seen(case) == wanted);
    eventually("all has come, in the order of each case", SOON, all).await;
    // Nothing is sent twice by that, and nothing is left.
    let again = replay(&id, &since).await;
    assert_eq!((&again["more"], &again["userErrors"]), (&json!(false), &json!([])), "{again}");
    change(&cases[2], 2).await;
    eventually("what is new comes as ever", SOON, async || seen(&cases[2]).len() == 3).await;
    assert!(cases.iter().zip(wanted).take(2).all(|(case, wanted)| seen(case) == wanted));
    let ids_of_events: std::collections::BTreeSet<String> = receiver.taken().iter().map(|taken| taken.id().to_owned()).collect();
    assert_eq!(ids_of_events.len(), receiver.taken().len(), "each event once");
    server.delete(&path(&webhook)).await.expect(200);
}

fn now() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

async fn a_test_event_goes_to_one_webhook(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let webhook = webhook(&server, &ids.of("Desk")).await;
    let id = webhook["id"].as_str().expect("an id").to_owned();
    let input = json!({"webhookId": id, "idempotencyKey": ids.of("key")});
    let shown = "delivery { id eventName case { id } webhook { id } event { id name data } }";
    let sent = mutate(&server, "sendTestEvent", input.clone(), shown).await;
    let delivery = &sent["delivery"];
    assert_eq!((&delivery["eventName"], &delivery["webhook"]["id"], &delivery["case"]), (&json!("webhook.test"), &json!(id), &Value::Null), "{sent}");
    assert_eq!((&delivery["event"]["name"], &delivery["event"]["data"]), (&json!("webhook.test"), &json!({"id": id})));
    assert_eq!(mutate(&server, "sendTestEvent", input, shown).await["delivery"]["id"], delivery["id"], "the same again sends nothing more");
    // A case of which nobody was told has none, although of all deliveries there none may be of a case.
    let case = case(&server).await;
    // On Neo4j webhooks of other tests may be told of it.
    let query = "query($id: ID!) { case(id: $id) { deliveries { totalCount edges { node { webhook { id } } } } } }";
    let found = &server.graphql(query, json!({"id": case})).await["case"]["deliveries"];
    let told = found["edges"].as_array().expect("a list");
    assert!(told.iter().all(|edge| edge["node"]["webhook"]["id"] != json!(id)), "{found}");
    assert!(engine == Engine::Neo4j || found["totalCount"] == 0, "{found}");
    let query =
        format!("MATCH (e:Event)<-[:TELLS]-(d:Delivery) WHERE d.webhookId = '{id}' RETURN 'Pending' IN labels(e) AS pending, d.caseId AS case");
    assert_eq!(server.cypher(&query), [json!({"pending": false, "case": null})]);
    server.patch(&path(&webhook), json!({"status": "INACTIVE"}).to_string()).await.expect(200);
    let refused = mutate(&server, "sendTestEvent", json!({"webhookId": id}), shown).await;
    assert_eq!(refused["userErrors"][0]["code"], "INVALID", "{refused}");
    server.delete(&path(&webhook)).await.expect(200);
    assert_eq!(mutate(&server, "sendTestEvent", json!({"webhookId": id}), shown).await["userErrors"][0]["code"], "NOT_FOUND");
}

/// Lanes that rest, each with a delivery that waits.
const LANES: &str = "UNWIND $rows AS row MATCH (w:Webhook {id: row.webhook}) CREATE (l:DeliveryLane {id: row.id, name: row.id, webhookId: row.webhook, holder: ''}) \
    CREATE (e:Event {id: row.id, name: 'case.updated', caseId: row.subject, sequence: 1, createdAt: 1, data: '{}'}) \
    CREATE (d:Delivery {id: row.id, name: row.id, webhookId: row.webhook, eventId: row.id, eventName: 'case.updated', caseId: row.subject, sequence: 1, \
    state: 'WAITING', createdAt: 1, attempts: 0, failures: 0, attemptLog: []}) CREATE (d)-[:TELLS]->(e) CREATE (d)-[:GOES_TO]->(w) CREATE (d)-[:WAITS_IN]->(l)";

/// Tests on Neo4j share one database, and some kill their servers: one that has taken these lanes has their leases to their ends, which are 45 s
/// (`resolvers/src/delivery/mod.rs`, `lease`).
const CANCELLED_WITHIN: Duration = Duration::from_secs(240);

/// There are more than one step looks at, or ends.
async fn what_is_removed_is_emptied(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let webhook = resting(&server, &ids.of("Desk")).await;
    let lane =
        |at: usize| map([("id", format!("{webhook}/{at}").into()), ("webhook", webhook.as_str().into()), ("subject", format!("case-{at}").into())]);
    stored::write(&mut server, LANES, Params::rows((0..1_100).map(lane).collect())).await;
    server.delete(&format!("/api/webhooks/{webhook}")).await.expect(200);
    // Who has taken a lane may be another instance, whose jobs are not seen here: the graph tells when all is done.
    let waiting = "query($id: ID!) { deliveries(filter: {webhookId: $id, state: [WAITING]}) { totalCount } }";
    let none_waits = async || server.graphql(waiting, json!({"id": webhook})).await["deliveries"]["totalCount"] == 0;
    eventually("all are cancelled", CANCELLED_WITHIN, none_waits).await;
    let query = format!(
        "MATCH (d:Delivery) WHERE d.webhookId = '{webhook}' OPTIONAL MATCH (d)-[waits:WAITS_IN]->(:DeliveryLane) \
         RETURN d.state AS state, count(d) AS deliveries, count(waits) AS waiting"
    );
    assert_eq!(server.cypher(&query), [json!({"state": "CANCELLED", "deliveries": 1_100, "waiting": 0})]);
    let due = format!("MATCH (l:DeliveryLane) WHERE l.webhookId = '{webhook}' AND l.dueAt > 0 RETURN count(l) AS due");
    // What was cancelled last is let go of just after.
    let started = Instant::now();
    while server.cypher(&due) != [json!({"due": 0})] {
        assert!(started.elapsed() < CANCELLED_WITHIN, "lanes stay due in which nothing waits");
    }
}

/// What is for administrators is refused by its own field. That field is never null, so that what it stands in is; the rest of the document is answered.
async fn analysts_see_events_and_no_deliveries(engine: Engine) {
    let server = Server::shared(engine);
    let case = case(&server).await;
    let key = server.post("/admin/keys", json!({"role": "ANALYST"}).to_string()).await.expect(201).json();
    let analyst = server.with_key(key["key"].as_str().expect("a key"));
    let query = "query($id: ID!) { case(id: $id) { id events { edges { node { name deliveries { totalCount } } } } deliveries { totalCount } } }";
    eventually("the walk is answered", Duration::from_secs(60), async || {
        !analyst.graphql_answer(query, json!({"id": case})).await["errors"].is_null()
    })
    .await;
    let answer = analyst.graphql_answer(query, json!({"id": case})).await;
    let errors = answer["errors"].as_array().expect("errors");
    assert!(
        errors.iter().all(|error| error["extensions"]["code"] == "FORBIDDEN"
            && error["path"].as_array().is_some_and(|path| path.last() == Some(&json!("deliveries")))),
        "{answer}"
    );
    let query = "query($id: ID!) { case(id: $id) { id events { totalCount edges { node { name case { id } } } } } }";
    let found = analyst.graphql(query, json!({"id": case})).await;
    assert_eq!(found["case"]["events"]["edges"], json!([{"node": {"name": "case.created", "case": {"id": case}}}]));
}

async fn filters_must_make_sense(engine: Engine) {
    let server = Server::shared(engine);
    for (filter, part) in [
        ("{state: []}", "filter.state: must name at least one"),
        ("{eventName: []}", "filter.eventName: must name at least one"),
        ("{createdFrom: \"2024-01-02T00:00:00Z\", createdTo: \"2024-01-01T00:00:00Z\"}", "filter.createdTo: must be later than createdFrom"),
    ] {
        let answer = server.graphql_answer(&format!("{{ deliveries(filter: {filter}) {{ totalCount }} }}"), json!({})).await;
        assert!(answer["errors"][0]["message"].as_str().is_some_and(|message| message.contains(part)), "{filter}: {answer}");
    }
}
