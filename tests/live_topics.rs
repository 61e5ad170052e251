//! What subscriptions tell, topic by topic: what REST, queries and the change feed say as well, once and in order, from whichever position on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cypher::Params;
use futures::future::join_all;
use serde_json::{Value, json};
use tokio::sync::{Mutex, Semaphore};

use crate::support::bulk::{self, bulk_actor};
use crate::support::case_work::{done, made};
use crate::support::delivering::{self, registered};
use crate::support::fixtures::{actor, case_id};
use crate::support::follower::Follower;
use crate::support::live::{CASE, CASE_CHANGES, POSITIONS, key, now, of_cases, told};
use crate::support::observations::{observation, taken};
use crate::support::reader::{place, text};
use crate::support::receiver::{Receiver, Reply};
use crate::support::socket::{Heard, SOON, Socket};
use crate::support::subscriber::Subscriber;
use crate::support::{Api, Engine, Ids, Server, Store, eventually, jobs, stored, tests};
use crate::users::Issuer;

tests![
    both: changes_of_cases_come_as_the_feed_has_them,
          a_subscriber_goes_on_behind_any_position,
          without_a_position_only_what_comes_is_told,
          filters_choose_cases,
          cases_of_the_caller_are_told_to_users,
          new_observations_come_once_each,
          a_bulk_request_is_followed_to_its_end,
          a_job_is_followed_to_its_end,
          deliveries_of_a_webhook_are_told_as_they_stand,
          each_topic_is_for_the_roles_that_may_read_it,
          who_comes_too_late_is_told_of_the_gap_and_goes_on;
    embedded: idle_subscribers_cost_one_look_a_second;
    neo4j: what_one_instance_writes_is_told_at_another
];

const CASES: (&str, &str) = (CASE_CHANGES, "caseChanges");
/// A silence by which something would have come that comes, and has not.
const SILENCE: Duration = Duration::from_millis(1_500);

/// A case that was made, changed, commented and closed: four changes.
async fn worked_on(api: &Api, ids: &Ids, more: Value) -> String {
    let mut body = json!({"id": case_id(), "actors": [{"id": ids.of("person")}]});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let case = made(api, body).await;
    api.patch(&format!("/api/cases/{case}"), r#"{"c__n": 1}"#).await.expect(200);
    done(api, "commentOnCase", json!({"caseId": case, "text": "Looks odd."})).await;
    done(api, "closeCase", json!({"caseId": case, "resolution": {"value": "fine"}})).await;
    case
}

async fn changed(api: &Api, case: &str, number: usize) {
    api.patch(&format!("/api/cases/{case}"), json!({"c__n": number}).to_string()).await.expect(200);
}

/// Reads the feed up to all that has been written: a record that is written last is the mark.
async fn caught_up(follower: &mut Follower, api: &Api) {
    let mark = Ids::new().of("mark");
    api.post("/api/actors", actor(&mark).to_string()).await.expect(200);
    follower.read_until(api, &[mark]).await;
}

/// Reads on for as long as something would need to come that comes. From a subscription that is refused nothing comes either, so it has to stand.
async fn for_a_while(subscriber: &mut Subscriber, api: &Api) {
    let began = Instant::now();
    while began.elapsed() < SILENCE {
        subscriber.read_on(api, SILENCE.saturating_sub(began.elapsed())).await;
    }
    assert!(subscriber.is_there(), "it was refused");
}

fn of_these(cases: &[String], events: &[Value]) -> Vec<(i64, String, String)> {
    events.iter().map(told).filter(|(_, _, case)| cases.contains(case)).collect()
}

async fn changes_of_cases_come_as_the_feed_has_them(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mut feed = Follower::from_now(&server).await;
    let begun = feed.position.to_string();
    let cases = [worked_on(&server, &ids, json!({})).await, worked_on(&server, &ids, json!({})).await];
    caught_up(&mut feed, &server).await;
    let wanted = of_cases(&feed, |case| cases.iter().any(|own| own == case));
    assert_eq!(wanted.len(), 8, "{wanted:?}");
    // Of all cases, those of other tests among them, and of each alone.
    let mut all = Subscriber::behind(&begun, server.key(), CASES, json!({}));
    all.read_until(&server, "all changes come", |events| of_these(&cases, events).len() >= wanted.len()).await;
    assert_eq!(of_these(&cases, &all.events), wanted);
    for case in &cases {
        let mut one = Subscriber::behind(&begun, server.key(), CASES, json!({"id": case}));
        one.read_until(&server, "the case's changes come", |events| events.len() >= 4).await;
        let own: Vec<_> = wanted.iter().filter(|(_, _, of)| of == case).cloned().collect();
        assert_eq!(one.events.iter().map(told).collect::<Vec<_>>(), own);
        let stored = server.graphql(CASE, json!({"id": case})).await;
        assert_eq!(one.events.last().expect("four events")["case"], stored["case"], "what it is like is what a query says");
        let read = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
        assert_eq!(read["workflow"]["step_id"], one.events[3]["case"]["workflow"]["stepId"]);
        let changes: Vec<&Value> = feed.changes().filter(|change| change["caseId"] == json!(case)).collect();
        for (event, change) in one.events.iter().zip(changes) {
            let of = |one: &Value| ["at", "action", "userId", "requestId"].map(|field| one[field].clone());
            assert_eq!(of(event), of(change));
        }
    }
}

/// From each position that the feed has given and each that an event has, exactly the rest comes. The cases change side by side, so that a set has changes
/// of several; they are of a type that hardly anybody else makes.
async fn a_subscriber_goes_on_behind_any_position(engine: Engine) {
    const CASES_MADE: usize = 6;
    let server = Server::shared(engine);
    let mut feed = Follower::from_now(&server).await;
    let begun = feed.position;
    let cases = join_all((0..CASES_MADE).map(|_| made(&server, json!({"type": "FILING"})))).await;
    for number in 0..2 {
        join_all(cases.iter().map(|case| changed(&server, case, number))).await;
    }
    caught_up(&mut feed, &server).await;
    let filings = json!({"filter": {"type": ["FILING"]}});
    let mut first = Subscriber::behind(&begun.to_string(), server.key(), CASES, filings.clone());
    first.read_until(&server, "all changes come", |events| of_these(&cases, events).len() >= 3 * CASES_MADE).await;
    let events = first.events;
    assert_eq!(of_these(&cases, &events), of_cases(&feed, |case| cases.iter().any(|own| own == case)));
    let of_sets = (begun..=feed.position).map(|set| set.to_string());
    let positions: BTreeSet<String> = of_sets.chain(events.iter().map(|event| text(&event["position"]))).collect();
    println!("{} events, {} positions", events.len(), positions.len());
    for after in &positions {
        let is_behind = |event: &&Value| place(&text(&event["position"])) > place(after);
        let rest: Vec<&Value> = events.iter().filter(is_behind).map(|event| &event["position"]).collect();
        let mut subscriber = Subscriber::behind(after, server.key(), CASES, filings.clone());
        subscriber.read_until(&server, "the rest comes", |events| events.len() >= rest.len()).await;
        let came: Vec<&Value> = subscriber.events.iter().map(|event| &event["position"]).take(rest.len()).collect();
        assert_eq!(came, rest, "behind {after}");
    }
}

async fn without_a_position_only_what_comes_is_told(engine: Engine) {
    let server = Server::shared(engine);
    let mut follower = Follower::from_now(&server).await;
    let case = made(&server, json!({})).await;
    // What was made a moment ago may have no position yet, and is told then.
    caught_up(&mut follower, &server).await;
    let before = now(&server).await;
    let mut socket = Socket::signed_in(&server, server.key()).await;
    socket.subscribe("s", POSITIONS, json!({"id": case})).await;
    // What was made before is not told, whether its position was given before or is given now.
    assert_eq!(socket.answer("q", "{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));
    let heard = Mutex::new(None);
    let number = AtomicUsize::new(0);
    let socket = Mutex::new(socket);
    // Nothing says when a subscription has begun: changes go on until one is told.
    eventually("a change is told", SOON, async || {
        let number = number.fetch_add(1, Ordering::Relaxed);
        changed(&server, &case, number).await;
        let next = socket.lock().await.hear_within(SILENCE).await;
        let is_told = matches!(&next, Some(Heard::Message(message)) if message["type"] == "next");
        *heard.lock().await = next;
        is_told
    })
    .await;
    let Some(Heard::Message(message)) = heard.into_inner() else { panic!("a message") };
    let position = text(&message["payload"]["data"]["caseChanges"]["position"]);
    assert!(place(&position) > place(&before), "{position} is behind {before}");
}

async fn filters_choose_cases(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let begun = now(&server).await;
    let plain = worked_on(&server, &ids, json!({})).await;
    let filing = made(&server, json!({"type": "FILING"})).await;
    let assigned = made(&server, json!({})).await;
    done(&server, "assignCase", json!({"caseId": assigned, "userId": ids.of("user")})).await;
    let cases = [plain.clone(), filing.clone(), assigned.clone()];
    let table = [
        (json!({"mine": false}), vec![&plain, &filing, &assigned]),
        (json!({"filter": {}}), vec![&plain, &filing, &assigned]),
        (json!({"filter": {"type": ["FILING"]}}), vec![&filing]),
        (json!({"filter": {"state": ["CLOSED"]}}), vec![&plain]),
        (json!({"filter": {"assigned": true}}), vec![&assigned]),
        (json!({"filter": {"type": ["FILING"], "state": ["CLOSED"]}}), vec![]),
        (json!({"id": filing, "filter": {"type": ["FILING"]}}), vec![&filing]),
        (json!({"id": plain, "filter": {"type": ["FILING"]}}), vec![]),
    ];
    for (variables, wanted) in table {
        let mut subscriber = Subscriber::behind(&begun, server.key(), CASES, variables.clone());
        // What is chosen comes; what is not would have come before the last of it, or soon.
        if !wanted.is_empty() {
            let all_came = |events: &[Value]| wanted.iter().all(|case| events.iter().any(|event| event["caseId"] == json!(*case)));
            subscriber.read_until(&server, "what is chosen comes", all_came).await;
        }
        for_a_while(&mut subscriber, &server).await;
        let came: BTreeSet<String> = of_these(&cases, &subscriber.events).into_iter().map(|(_, _, case)| case).collect();
        assert_eq!(came, wanted.into_iter().cloned().collect(), "{variables}");
    }
}

/// Cases are assigned to users: they alone have some of their own.
async fn cases_of_the_caller_are_told_to_users(engine: Engine) {
    let issuer = Issuer::start().await;
    let (server, ids) = (issuer.trusted(Store::of(engine)), &issuer.ids);
    let token = issuer.token(json!({"sub": ids.of("sub"), "preferred_username": ids.of("ada"), "groups": [ids.of("analysts")]}));
    let api = server.anonymous();
    api.send(api.request("GET", "/api/users").bearer_auth(&token)).await.expect(200);
    let users = server.get("/api/users?limit=1000").await.expect(200).json();
    let users = users.as_array().expect("a list");
    let me = text(&users.iter().find(|user| user["username"] == json!(ids.of("ada"))).expect("a user")["user_id"]);
    let begun = now(&server).await;
    let [own, taken_away, other] = [case_id(), case_id(), case_id()];
    for case in [&own, &taken_away, &other] {
        made(&server, json!({"id": case})).await;
    }
    done(&server, "assignCase", json!({"caseId": own, "userId": me})).await;
    done(&server, "assignCase", json!({"caseId": taken_away, "userId": me})).await;
    done(&server, "assignCase", json!({"caseId": taken_away, "userId": ids.of("somebody")})).await;
    let mut mine = Subscriber::behind(&begun, "", CASES, json!({"mine": true})).with_token(&token);
    mine.read_until(&server, "the caller's cases come", |events| events.len() >= 2).await;
    // What is assigned while it is followed is told from then on.
    done(&server, "assignCase", json!({"caseId": other, "userId": me})).await;
    mine.read_until(&server, "what is assigned comes", |events| events.len() >= 3).await;
    for_a_while(&mut mine, &server).await;
    let came: Vec<(String, String)> = mine.events.iter().map(told).map(|(_, action, case)| (action, case)).collect();
    let wanted = [("case.created", &own), ("case.assigned", &own), ("case.assigned", &other)];
    assert_eq!(came, wanted.map(|(action, case)| (action.to_owned(), case.clone())));
    let mut socket = Socket::signed_in(&server, server.key()).await;
    socket.subscribe("s", "subscription { caseChanges(mine: true) { position } }", json!({})).await;
    let refused = socket.refusal("s").await;
    assert!(text(&refused[0]["message"]).starts_with("mine: "), "a key has no cases of its own: {refused:?}");
}

const NEW_OBSERVATIONS: &str = "subscription($filter: ObservationFilter, $after: ID) {
    newObservations(filter: $filter, after: $after) { position at observation { id type title behaviorId score } } }";
const OBSERVATIONS: (&str, &str) = (NEW_OBSERVATIONS, "newObservations");

async fn new_observations_come_once_each(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let begun = now(&server).await;
    let made: Vec<String> = (0..4).map(|number| ids.of(&format!("observation-{number}"))).collect();
    for id in &made {
        taken(&server, observation(id)).await;
    }
    // The same again, and what it says newly, is no new observation.
    taken(&server, observation(&made[0])).await;
    let mut renewed = observation(&made[1]);
    renewed["title"] = json!("Odd");
    taken(&server, renewed).await;
    let mut other = observation(&ids.of("other"));
    other["behaviorId"] = json!(ids.of("behavior"));
    taken(&server, other).await;
    let own = |events: &[Value]| -> Vec<String> {
        let ids_of = events.iter().map(|event| text(&event["observation"]["id"]));
        ids_of.filter(|id| made.contains(id) || *id == ids.of("other")).collect()
    };
    let mut subscriber = Subscriber::behind(&begun, server.key(), OBSERVATIONS, json!({}));
    let last = ids.of("other");
    subscriber.read_until(&server, "observations come", |events| own(events).contains(&last)).await;
    assert_eq!(own(&subscriber.events), [made.clone(), vec![last.clone()]].concat(), "each once, in order");
    let query = "query($id: ID!) { observation(id: $id) { id type title behaviorId score } }";
    for event in subscriber.events.iter().filter(|event| made.iter().any(|id| event["observation"]["id"] == json!(id))) {
        let stored = server.graphql(query, json!({"id": event["observation"]["id"]})).await;
        assert_eq!(event["observation"], stored["observation"]);
    }
    let chosen = json!({"filter": {"behaviorIds": [ids.of("behavior")]}});
    let mut one = Subscriber::behind(&begun, server.key(), OBSERVATIONS, chosen);
    one.read_until(&server, "the chosen one comes", |events| !events.is_empty()).await;
    for_a_while(&mut one, &server).await;
    assert_eq!(own(&one.events), [last]);
    assert_eq!(one.events.len(), 1);
}

/// Hears a topic to its end: all its results, whose last one is the state in which it stays.
async fn to_its_end(socket: &mut Socket, id: &str) -> Vec<Value> {
    let mut results = Vec::new();
    loop {
        let mut message = socket.message().await;
        match message["type"].as_str() {
            Some("complete") => return results,
            Some("next") if message["payload"]["errors"].is_null() => results.push(message["payload"]["data"].take()),
            _ => panic!("{id}: {message}, behind {results:?}"),
        }
    }
}

const PROGRESS: &str = "progress { list items pending deferred failed completed }";

async fn a_bulk_request_is_followed_to_its_end(engine: Engine) {
    const ACTORS: usize = 60;
    let (server, ids) = (Server::shared(engine), Ids::new());
    let request = ids.of("request");
    let actors: Vec<Value> = (0..ACTORS).map(|number| bulk_actor(&ids.of(&format!("actor-{number}")))).collect();
    bulk::taken(&server, &request, &json!({"actors": actors})).await;
    let mut socket = Socket::signed_in(&server, server.key()).await;
    let topic =
        format!("subscription($id: ID!) {{ bulkProgress(requestId: $id) {{ pending deferred failed done request {{ requestId {PROGRESS} }} }} }}");
    socket.subscribe("s", &topic, json!({"id": request})).await;
    let results: Vec<Value> = to_its_end(&mut socket, "s").await.into_iter().map(|mut result| result["bulkProgress"].take()).collect();
    // Nothing is left to do: each of them is there.
    server.get(&format!("/api/actors/{}", ids.of(&format!("actor-{}", ACTORS - 1)))).await.expect(200);
    let query = format!("query($id: String!) {{ bulkRequests(requestId: $id) {{ edges {{ node {{ id requestId {PROGRESS} }} }} }} }}");
    let mut stored = server.graphql(&query, json!({"id": request})).await["bulkRequests"]["edges"][0]["node"].take();
    let own_id = stored["id"].take();
    let last = results.last().expect("the present state comes first");
    assert_eq!(json!([last["pending"], last["deferred"], last["failed"], last["done"]]), json!([0, 0, 0, true]));
    assert_eq!((&last["request"]["requestId"], &last["request"]["progress"]), (&stored["requestId"], &stored["progress"]));
    let left: Vec<i64> = results.iter().filter_map(|state| state["pending"].as_i64()).collect();
    assert!(left.is_sorted_by(|one, other| one >= other), "{left:?}");
    assert!(results[..results.len() - 1].iter().all(|state| state["done"] == false), "{results:?}");
    // What is done already is told once, and is complete, by whichever of its names.
    for (number, name) in [json!(request), own_id].into_iter().enumerate() {
        let id = format!("{number}");
        socket.subscribe(&id, &topic, json!({"id": name})).await;
        let again = to_its_end(&mut socket, &id).await;
        assert_eq!(again.iter().map(|result| &result["bulkProgress"]).collect::<Vec<_>>(), [last], "{name}");
    }
    socket.subscribe("none", &topic, json!({"id": ids.of("nothing")})).await;
    assert!(text(&socket.refusal("none").await[0]["message"]).starts_with("requestId: "));
}

async fn a_job_is_followed_to_its_end(engine: Engine) {
    let server = Server::shared(engine);
    let started = server.graphql("mutation { verifyTransfers(input: {}) { job { id } } }", json!({})).await;
    let id = text(&started["verifyTransfers"]["job"]["id"]);
    let mut socket = Socket::signed_in(&server, server.key()).await;
    let topic = "subscription($id: ID!) { jobProgress(id: $id) { id kind status done total endedAt result } }";
    socket.subscribe("s", topic, json!({"id": id})).await;
    let results = to_its_end(&mut socket, "s").await;
    let stored = server.graphql("query($id: ID!) { job(id: $id) { id kind status done total endedAt result } }", json!({"id": id})).await;
    assert_eq!(results.last().expect("the present state comes first")["jobProgress"], stored["job"]);
    assert_eq!(stored["job"]["status"], "DONE", "{stored}");
    assert!(results.windows(2).all(|two| two[0] != two[1]), "told where it has changed: {results:?}");
    let done: Vec<i64> = results.iter().filter_map(|result| result["jobProgress"]["done"].as_i64()).collect();
    assert!(done.is_sorted(), "{done:?}");
    socket.subscribe("none", topic, json!({"id": case_id()})).await;
    assert_eq!(socket.refusal("none").await[0]["extensions"]["code"], "NOT_FOUND");
}

async fn deliveries_of_a_webhook_are_told_as_they_stand(engine: Engine) {
    let server = delivering::server(engine);
    let case = case_id();
    let gate = Arc::new(Semaphore::new(0));
    let held = Arc::clone(&gate);
    let receiver = Receiver::about(std::slice::from_ref(&case), move |_, _| Reply::Held(Arc::clone(&held), 204, String::new())).await;
    let (webhook, _) = registered(&server, &receiver, &["case.created"]).await;
    let mut socket = Socket::signed_in(&server, server.key()).await;
    socket.subscribe("s", DELIVERIES, json!({"id": webhook})).await;
    let mut now = socket.next("s").await["data"]["deliveries"].take();
    assert_eq!((&now["webhookId"], &now["webhook"]["name"]), (&json!(webhook), &json!("receiver")), "the present state comes first");
    made(&server, json!({"id": case})).await;
    eventually("a delivery is under way", SOON, async || receiver.count() == 1).await;
    // Other tests have cases of theirs delivered, too.
    while now["waiting"] == json!(0) {
        now = socket.next("s").await["data"]["deliveries"].take();
        assert_eq!((&now["webhookId"], &now["failed"]), (&json!(webhook), &json!(0)), "{now}");
    }
    gate.add_permits(1);
    while now["waiting"] != json!(0) {
        now = socket.next("s").await["data"]["deliveries"].take();
        assert_eq!((&now["webhookId"], &now["failed"]), (&json!(webhook), &json!(0)), "{now}");
    }
    let query = "query($id: ID!) { webhook(id: $id) { deliveries(filter: {state: [DELIVERED]}) { totalCount } } }";
    let stored = server.graphql(query, json!({"id": webhook})).await;
    assert!(stored["webhook"]["deliveries"]["totalCount"].as_i64() >= Some(1), "{stored}");
    socket.subscribe("none", DELIVERIES, json!({"id": case_id()})).await;
    assert_eq!(socket.refusal("none").await[0]["extensions"]["code"], "NOT_FOUND");
}

const DELIVERIES: &str = "subscription($id: ID) { deliveries(webhookId: $id) { webhookId waiting failed webhook { name } } }";

async fn each_topic_is_for_the_roles_that_may_read_it(engine: Engine) {
    const EXPLORERS: &[&str] = &["ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"];
    let (server, ids) = (Server::shared(engine), Ids::new());
    let begun = now(&server).await;
    let case = made(&server, json!({})).await;
    taken(&server, observation(&ids.of("observation"))).await;
    let request = ids.of("request");
    bulk::taken(&server, &request, &json!({"actors": [bulk_actor(&ids.of("actor"))]})).await;
    let started = server.graphql("mutation { verifyTransfers(input: {}) { job { id } } }", json!({})).await;
    let webhook = json!({"name": "never told", "url": "https://desk.example.com/hooks", "events": []});
    let webhook = server.post("/api/webhooks", webhook.to_string()).await.expect(201).json();
    // Each has something to tell at once to whom it may.
    let table: [(&str, Value, &[&str]); 5] = [
        (POSITIONS, json!({"id": case, "after": begun}), EXPLORERS),
        ("subscription($after: ID) { newObservations(after: $after) { position } }", json!({"after": begun}), EXPLORERS),
        ("subscription($id: ID!) { bulkProgress(requestId: $id) { __typename } }", json!({"id": request}), EXPLORERS),
        ("subscription($id: ID!) { jobProgress(id: $id) { id } }", json!({"id": started["verifyTransfers"]["job"]["id"]}), &["SUPERVISOR", "ADMIN"]),
        (DELIVERIES, json!({"id": webhook["id"]}), &["ADMIN"]),
    ];
    for role in ["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"] {
        let secret = key(&server, role).await.0;
        for (topic, variables, roles) in &table {
            let mut one = Socket::signed_in(&server, &secret).await;
            one.subscribe("s", topic, variables.clone()).await;
            if roles.contains(&role) {
                let result = one.next("s").await;
                assert!(result["errors"].is_null() && result["data"].is_object(), "{role}: {topic}: {result}");
            } else {
                let refused = one.refusal("s").await;
                let code = refused[0]["extensions"]["code"].as_str().unwrap_or_default();
                // Of somebody else's job nobody is told that it is there.
                assert!(code == "FORBIDDEN" || (code == "NOT_FOUND" && topic.contains("jobProgress")), "{role}: {topic}: {refused:?}");
            }
        }
    }
    server.delete(&format!("/api/webhooks/{}", text(&webhook["id"]))).await.expect(200);
}

async fn who_comes_too_late_is_told_of_the_gap_and_goes_on(engine: Engine) {
    let mut server = Server::with(Store::private(engine), &[("AMLGRAPH_CHANGES__KEEP_FOR", "1s")]);
    // The first cleaning up belongs to the start: it is not to come between a change and its reader.
    jobs::none_left(&server).await;
    let mut feed = Follower::from_now(&server).await;
    let begun = feed.position.to_string();
    let case = made(&server, json!({})).await;
    caught_up(&mut feed, &server).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    stored::write(&mut server, "MATCH (j:Job {id: 'housekeeping'}) SET j.dueAt = 0, j.restUntil = 0", Params::none()).await;
    let query = "query($after: ID!) { changes(after: $after) { position } }";
    eventually("they are forgotten", SOON, async || {
        let answer = server.graphql_answer(query, json!({"after": begun})).await;
        answer["errors"][0]["extensions"]["code"] == "FORGOTTEN"
    })
    .await;
    let mut socket = Socket::signed_in(&server, server.key()).await;
    socket.subscribe("s", POSITIONS, json!({"id": case, "after": begun})).await;
    let told = socket.next("s").await;
    let gap = &told["extensions"]["gap"];
    assert_eq!((&told["data"], &told["errors"], &gap["after"]), (&Value::Null, &Value::Null, &json!(begun)), "{told}");
    assert!(!text(&gap["message"]).is_empty() && gap["code"].is_null(), "{told}");
    let resumes = text(&gap["resumesAfter"]);
    assert!(place(&resumes) > place(&begun), "{told}");
    // It goes on, and whoever begins where it goes on is told of no gap.
    server.patch(&format!("/api/cases/{case}"), r#"{"c__n": 1}"#).await.expect(200);
    let event = socket.next("s").await;
    let position = text(&event["data"]["caseChanges"]["position"]);
    assert!(place(&position) > place(&resumes), "{event}");
    socket.subscribe("again", POSITIONS, json!({"id": case, "after": resumes})).await;
    assert_eq!(text(&socket.next("again").await["data"]["caseChanges"]["position"]), position);
}

async fn idle_subscribers_cost_one_look_a_second(engine: Engine) {
    const SUBSCRIBERS: usize = 150;
    let server = Server::on(Store::of(engine));
    let mut sockets = Vec::new();
    for number in 0..SUBSCRIBERS {
        if number % 50 == 0 {
            sockets.push(Socket::signed_in(&server, &key(&server, "ANALYST").await.0).await);
        }
        let socket = sockets.last_mut().expect("a socket");
        socket.subscribe(&format!("{number}"), "subscription { caseChanges { position } }", json!({})).await;
    }
    let looks = async || -> f64 {
        jobs::Shown::now(&server).await.statements().iter().filter(|(label, _)| label.starts_with("live/")).map(|(_, count)| count).sum()
    };
    // Once changes have come lately it looks more often.
    eventually("looks are rare", SOON, async || {
        let (before, began) = (looks().await, Instant::now());
        tokio::time::sleep(Duration::from_secs(4)).await;
        let (looks, time) = (looks().await - before, began.elapsed().as_secs_f64());
        println!("{looks} looks for {SUBSCRIBERS} subscribers in {time:.1} s");
        (1.0..=time + 1.0).contains(&looks)
    })
    .await;
}

/// Each writes by turns, and both tell it, while it is written.
async fn what_one_instance_writes_is_told_at_another(engine: Engine) {
    const TURNS: usize = 12;
    let (one, other) = (Server::on(Store::of(engine)), Server::on(Store::of(engine)));
    let mut feed = Follower::from_now(&one).await;
    let begun = feed.position.to_string();
    let case = made(&one, json!({})).await;
    let mut subscribers = [(); 2].map(|()| Subscriber::behind(&begun, one.key(), CASES, json!({"id": case})));
    let [first, second] = &mut subscribers;
    let writing = async {
        for turn in 0..TURNS {
            let api = if turn % 2 == 0 { &one } else { &other };
            changed(api, &case, turn).await;
        }
    };
    let all_came = |events: &[Value]| events.len() > TURNS;
    tokio::join!(writing, first.read_until(&one, "at one instance", all_came), second.read_until(&other, "at the other", all_came));
    caught_up(&mut feed, &other).await;
    let wanted = of_cases(&feed, |id| id == case);
    assert_eq!(wanted.len(), TURNS + 1);
    for subscriber in subscribers {
        assert_eq!(subscriber.events.iter().map(told).collect::<Vec<_>>(), wanted, "in order, once");
    }
}
