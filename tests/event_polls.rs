//! Events that are asked for: `GET /events` by position, with a wait, and what it is like when something goes wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use cypher::Params;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::support::case_work::{done, made};
use crate::support::delivering::{self, registered, taken};
use crate::support::fixtures::{actor, case_id};
use crate::support::follower::Follower;
use crate::support::reader::{Reader, place, text};
use crate::support::receiver::{Receiver, Reply};
use crate::support::{Answer, Api, Engine, Ids, Server, Store, eventually, jobs, stored, tests};

tests![
    both: events_come_once_in_the_order_of_the_feed_as_webhooks_are_sent_them,
          a_reader_goes_on_behind_any_event,
          chosen_names_alone_are_answered_and_the_position_goes_on,
          a_wait_ends_with_the_event_that_is_wanted,
          a_wait_without_an_event_ends_with_the_position_of_what_was_seen,
          a_reader_that_comes_too_late_is_told_where_to_begin,
          events_that_are_kept_for_less_than_their_changes_are_never_passed_over,
          a_stop_answers_those_who_wait;
    embedded: events_stay_for_as_long_as_the_feed_names_them,
          faults_are_told_at_once_with_their_places,
          a_wait_may_last_longer_than_a_request_may_take,
          requests_that_wait_are_bounded_and_hold_no_place,
          a_key_that_was_revoked_meanwhile_is_told_nothing,
          a_token_whose_client_was_revoked_meanwhile_is_told_nothing;
    neo4j: an_event_of_one_instance_is_read_at_another
];

const SOON: Duration = Duration::from_secs(120);

/// A case that was made, changed and closed: six events, of which three are of one transaction.
async fn worked_on(api: &Api, ids: &Ids) -> String {
    let case = case_id();
    work_on(api, ids, &case).await;
    case
}

async fn work_on(api: &Api, ids: &Ids, case: &str) {
    made(api, json!({"id": case, "actors": [{"id": ids.of("person")}]})).await;
    api.patch(&format!("/api/cases/{case}"), r#"{"c__n": 1}"#).await.expect(200);
    done(api, "commentOnCase", json!({"caseId": case, "text": "Looks odd."})).await;
    done(api, "closeCase", json!({"caseId": case, "resolution": {"value": "fine"}})).await;
}

const OF_A_CASE: [&str; 6] =
    ["case.created", "case.updated", "case.commented", "case.workflow.actioned", "case.workflow.transitioned", "case.closed"];

/// A request that waits: it goes on beside the test, and the server has seen it.
async fn waiting(api: Api, path: String, waiting: usize) -> JoinHandle<Answer> {
    let request = api.request("GET", &path);
    sent(api, request, waiting).await
}

/// The same of a request that has other credentials than its client.
async fn sent(api: Api, request: reqwest::RequestBuilder, waiting: usize) -> JoinHandle<Answer> {
    let metrics = api.anonymous();
    let answer = tokio::spawn(async move { api.send(request).await });
    let shown = format!("amlgraph_event_polls_waiting {waiting}\n");
    eventually("the request waits", SOON, async || metrics.get("/metrics").await.expect(200).text.contains(&shown)).await;
    answer
}

async fn events_come_once_in_the_order_of_the_feed_as_webhooks_are_sent_them(engine: Engine) {
    let (server, ids) = (delivering::server(engine), Ids::new());
    // The follower begins before the reader, and ends behind it.
    let mut follower = Follower::from_now(&server).await;
    let mut reader = Reader::from_now(&server).await;
    let cases = [case_id(), case_id()];
    let receiver = Receiver::about(&cases, |_, _| Reply::Status(204)).await;
    registered(&server, &receiver, &["*"]).await;
    for case in &cases {
        work_on(&server, &ids, case).await;
    }
    let wanted = cases.len() * OF_A_CASE.len();
    reader.read_until(&server, "&limit=2", &cases, wanted).await;
    let own = reader.about(&cases);
    for case in &cases {
        let names: Vec<String> =
            own.iter().filter(|event| event["event"]["data"]["id"] == json!(case)).map(|event| text(&event["event"]["name"])).collect();
        assert_eq!(names, OF_A_CASE, "{case}");
    }

    follower.read_all(&server).await;
    let read = reader.ids();
    let told: Vec<&String> = follower.events.iter().filter(|id| read.contains(id)).collect();
    assert_eq!(told, read.iter().collect::<Vec<_>>(), "the feed has the same events in the same order, each once");

    let own: BTreeMap<String, &Value> = own.into_iter().map(|event| (text(&event["event"]["id"]), &event["event"])).collect();
    let received = taken(&receiver, wanted).await;
    let told: BTreeSet<&str> = received.iter().map(|received| received.id()).collect();
    assert_eq!(told, own.keys().map(String::as_str).collect(), "the receiver was told the same");
    for received in &received {
        assert_eq!(&received.body(), own[received.id()]);
        assert!(reader.texts.contains(&received.text), "byte for byte: {}", received.text);
    }
}

async fn a_reader_goes_on_behind_any_event(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mut reader = Reader::from_now(&server).await;
    let begun = reader.after.clone();
    let cases = [worked_on(&server, &ids).await];
    reader.read_until(&server, "", &cases, OF_A_CASE.len()).await;
    let of_one_set = reader.about(&cases).iter().filter(|event| text(&event["position"]).contains('.')).count();
    assert!(of_one_set >= 2, "closing a case leaves three events in one transaction: {:#?}", reader.about(&cases));
    // Those of other tests are among them.
    let mut after = begun;
    for event in &reader.events {
        let next = server.get(&format!("/events?after={after}&limit=1")).await.expect(200).json();
        assert_eq!(next["events"], json!([event]), "behind {after}");
        assert_eq!(next["next"], event["position"]);
        after = text(&event["position"]);
    }
    assert_eq!(place(&after).1, 0, "the last one is behind all of its set");
}

async fn chosen_names_alone_are_answered_and_the_position_goes_on(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let mut reader = Reader::from_now(&server).await;
    let begun = reader.after.clone();
    let cases = [worked_on(&server, &ids).await];
    reader.read_until(&server, "&types=case.closed,case.commented&types=case.created&limit=1", &cases, 3).await;
    let names: Vec<String> = reader.about(&cases).iter().map(|event| text(&event["event"]["name"])).collect();
    assert_eq!(names, ["case.created", "case.commented", "case.closed"]);
    let others =
        reader.events.iter().filter(|event| !["case.created", "case.commented", "case.closed"].map(Value::from).contains(&event["event"]["name"]));
    assert_eq!(others.count(), 0);

    // Nobody asks for data here: the position goes on all the same.
    let mut none = Reader::behind(begun.clone());
    let closed = place(&text(&reader.about(&cases)[2]["position"]));
    none.read_all(&server, "&types=request_for_data.created").await;
    assert_eq!(none.about(&cases), Vec::<&Value>::new());
    assert!(place(&none.after) >= closed, "{} is behind what was filtered out", none.after);
    let mut all = Reader::behind(begun);
    all.read_until(&server, "&types=*&limit=1000", &cases, OF_A_CASE.len()).await;
}

async fn a_wait_ends_with_the_event_that_is_wanted(engine: Engine) {
    let (server, ids) = (Server::on(Store::private(engine)), Ids::new());
    // A wait has thirty seconds: what a cold database has to plan for what is done meanwhile is planned before.
    let mut reader = Reader::from_now(&server).await;
    let before = [worked_on(&server, &ids).await];
    reader.read_until(&server, "", &before, OF_A_CASE.len()).await;
    let begun = reader.after;
    let any = waiting(server.client(), format!("/events?after={begun}&wait=30"), 1).await;
    let closed = waiting(server.client(), "/events?types=case.closed&wait=30".to_owned(), 2).await;
    // A change without an event, and events of other names, wake nobody for long.
    server.post("/api/actors", actor(&ids.of("person")).to_string()).await.expect(200);
    let case = made(&server, json!({"actors": [{"id": ids.of("person")}]})).await;
    let answer = any.await.expect("it ends").expect(200).json();
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(1), "{answer}");
    assert_eq!(answer["events"][0]["event"]["data"]["id"], json!(case));
    assert!(place(&text(&answer["next"])) >= place(&text(&answer["events"][0]["position"])), "{answer}");
    done(&server, "commentOnCase", json!({"caseId": case, "text": "Looks odd."})).await;
    done(&server, "closeCase", json!({"caseId": case})).await;
    let answer = closed.await.expect("it ends").expect(200).json();
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(1), "{answer}");
    assert_eq!(answer["events"][0]["event"]["name"], "case.closed");
}

async fn a_wait_without_an_event_ends_with_the_position_of_what_was_seen(engine: Engine) {
    let (server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let begun = Reader::from_now(&server).await.after;
    server.post("/api/actors", actor(&ids.of("person")).to_string()).await.expect(200);
    eventually("the position goes on", SOON, async || {
        let answer = server.get(&format!("/events?after={begun}&wait=1")).await.expect(200).json();
        assert_eq!((&answer["events"], &answer["more"]), (&json!([]), &json!(false)));
        place(&text(&answer["next"])) > place(&begun)
    })
    .await;
}

/// Lets housekeeping run now.
const CLEAN_UP: &str = "MATCH (j:Job {id: 'housekeeping'}) SET j.dueAt = 0, j.restUntil = 0";

/// That a read behind a position is refused, in the end, as events are kept no more; answers with the position to begin at.
async fn forgotten(server: &Server, after: &str) -> String {
    let path = format!("/events?after={after}");
    eventually("they are forgotten", SOON, async || server.get(&path).await.status == 410).await;
    let refused = server.get(&path).await.expect(410);
    assert!(refused.errors()[0].starts_with("after: what comes behind it is kept no more; begin at "), "{refused:?}");
    let oldest = text(&refused.json()["oldest"]);
    assert!(place(&oldest) > place(after), "{oldest} is behind {after}");
    oldest
}

/// Reads what comes behind the first position that is kept: nothing of what was forgotten, all of what comes.
async fn read_anew(server: &Server, ids: &Ids, oldest: &str) {
    let cases = [worked_on(server, ids).await];
    let mut reader = Reader::behind(oldest.to_owned());
    reader.read_until(server, "", &cases, OF_A_CASE.len()).await;
    assert_eq!(reader.about(&cases).len(), reader.events.len(), "what was forgotten does not come");
    let refused = server.get("/events?after=0").await.expect(410);
    assert_eq!(text(&refused.json()["oldest"]), oldest, "who begins before all is told, too");
}

async fn a_reader_that_comes_too_late_is_told_where_to_begin(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let mut reader = Reader::from_now(&server).await;
    let begun = reader.after.clone();
    let cases = [worked_on(&server, &ids).await];
    reader.read_until(&server, "", &cases, OF_A_CASE.len()).await;
    // The first cleaning up, which belongs to the start, is over: it would take the next one for its own.
    jobs::none_left(&server).await;
    stored::write(&mut server, "MATCH (c:ChangeSet) SET c.createdAt = 1", Params::none()).await;
    stored::write(&mut server, CLEAN_UP, Params::none()).await;
    let oldest = forgotten(&server, &begun).await;
    read_anew(&server, &ids, &oldest).await;
    // Who has read all is not late.
    server.get(&format!("/events?after={}", reader.after)).await.expect(200);
}

async fn events_that_are_kept_for_less_than_their_changes_are_never_passed_over(engine: Engine) {
    let (mut server, ids) = (Server::on(Store::private(engine)), Ids::new());
    let mut reader = Reader::from_now(&server).await;
    let begun = reader.after.clone();
    let cases = [worked_on(&server, &ids).await];
    reader.read_until(&server, "", &cases, OF_A_CASE.len()).await;
    // An event stays until it was dealt with.
    jobs::none_left(&server).await;
    stored::write(&mut server, "MATCH (e:Event) SET e.createdAt = 1", Params::none()).await;
    stored::write(&mut server, CLEAN_UP, Params::none()).await;
    let oldest = forgotten(&server, &begun).await;
    // Whichever names are wanted: nobody knows which name it had.
    server.get(&format!("/events?after={begun}&types=request_for_data.created")).await.expect(410);
    read_anew(&server, &ids, &oldest).await;
}

async fn events_stay_for_as_long_as_the_feed_names_them(engine: Engine) {
    let mut server = Server::with(Store::private(engine), &[("AMLGRAPH_WEBHOOKS__KEEP_FOR", "1s")]);
    let ids = Ids::new();
    let mut reader = Reader::from_now(&server).await;
    let begun = reader.after.clone();
    let old = [worked_on(&server, &ids).await];
    reader.read_until(&server, "", &old, OF_A_CASE.len()).await;
    jobs::none_left(&server).await;
    stored::write(&mut server, "MATCH (e:Event) SET e.createdAt = 1", Params::none()).await;
    let mut reader = Reader::behind(reader.after);
    let behind_old = reader.after.clone();
    let cases = [worked_on(&server, &ids).await];
    reader.read_until(&server, "", &cases, OF_A_CASE.len()).await;
    jobs::none_left(&server).await;
    // Longer than webhooks have them kept.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    stored::write(&mut server, CLEAN_UP, Params::none()).await;
    forgotten(&server, &begun).await;
    let mut again = Reader::behind(behind_old);
    again.read_until(&server, "", &cases, OF_A_CASE.len()).await;
    assert_eq!(again.ids(), reader.ids());
}

async fn a_stop_answers_those_who_wait(engine: Engine) {
    let server = Server::on(Store::private(engine));
    let begun = Reader::from_now(&server).await.after;
    let one = waiting(server.client(), format!("/events?after={begun}&wait=30"), 1).await;
    let other = waiting(server.client(), "/events?types=case.closed&wait=30".to_owned(), 2).await;
    server.terminate();
    for answer in [one, other] {
        let answer = answer.await.expect("it ends").expect(200).json();
        assert_eq!((&answer["events"], &answer["more"]), (&json!([]), &json!(false)));
        assert!(place(&text(&answer["next"])) >= place(&begun), "{answer}");
    }
    let ended = server.ended();
    assert_eq!(ended.code(), Some(0), "{ended}");
}

async fn an_event_of_one_instance_is_read_at_another(engine: Engine) {
    let store = Store::private(engine);
    let (one, other) = (Server::on(store.clone()), Server::on(store));
    let ids = Ids::new();
    // A wait has thirty seconds: what a cold database has to plan is planned before.
    let mut reader = Reader::from_now(&one).await;
    let before = [made(&one, json!({"actors": [{"id": ids.of("person")}]})).await];
    reader.read_until(&one, "", &before, 1).await;
    for (writer, reader) in [(&one, &other), (&other, &one)] {
        let begun = Reader::from_now(reader).await.after;
        let answer = waiting(reader.client(), format!("/events?after={begun}&types=case.created&wait=30"), 1).await;
        let case = made(writer, json!({"actors": [{"id": ids.of("person")}]})).await;
        let answer = answer.await.expect("it ends").expect(200).json();
        assert_eq!(answer["events"][0]["event"]["data"]["id"], json!(case), "{answer}");
    }
}

async fn faults_are_told_at_once_with_their_places(engine: Engine) {
    let server = Server::shared(engine);
    let table: [(&str, &[&str]); 14] = [
        ("after=x&limit=0&types=case.made,case.created&wait=31&since=1", &["after", "limit", "since", "types", "wait"]),
        ("after=-1", &["after"]),
        ("after=1.0", &["after"]),
        ("after=0.1", &["after"]),
        ("after=99999999999999999999", &["after"]),
        // No position of the feed, though it could be one.
        ("after=999999999999", &["after"]),
        ("after=0&after=1", &["after"]),
        ("limit=1001", &["limit"]),
        ("wait=-1", &["wait"]),
        ("wait=1.5", &["wait"]),
        ("wait=1s", &["wait"]),
        ("types=", &["types"]),
        ("types=case.created,", &["types"]),
        ("types=CASE.CREATED", &["types"]),
    ];
    for (query, places) in table {
        let answer = server.get(&format!("/events?{query}")).await.expect(400);
        assert_eq!(answer.places(), places, "{query}: {}", answer.text);
        assert!(!answer.header("x-request-id").is_empty());
    }
    let named = server.get("/events?types=case.made").await.expect(400).errors();
    assert!(named[0].contains("case.assigned, case.closed, "), "the known names are listed: {named:?}");
}

/// Longer than a request may take that does not wait, and than a connection may be idle.
const LONG: Duration = Duration::from_secs(12);

async fn a_wait_may_last_longer_than_a_request_may_take(engine: Engine) {
    let server = Server::on(Store::of(engine));
    let begun = Reader::from_now(&server).await.after;
    let path = format!("/events?after={begun}&wait={}", LONG.as_secs());
    eventually("a wait ends with its time", SOON, async || {
        let asked = Instant::now();
        let answer = server.get(&path).await;
        // On a busy machine the last look for events may have failed.
        if answer.status == 503 {
            return false;
        }
        let answer = answer.expect(200);
        assert!(asked.elapsed() >= LONG, "no event came: {answer:?}");
        assert_eq!(answer.json()["events"], json!([]));
        assert_eq!(answer.header("cache-control"), "no-store");
        true
    })
    .await;
}

/// A key of another caller, and its id.
async fn another(server: &Server) -> (Api, String) {
    let made = server.post("/admin/keys", r#"{"role":"INGEST"}"#).await.expect(201).json();
    (server.client().with_key(&text(&made["key"])), text(&made["id"]))
}

/// One caller has a quarter of them; those of all hold no place of other requests, of which there is one here.
async fn requests_that_wait_are_bounded_and_hold_no_place(engine: Engine) {
    let settings = [("AMLGRAPH_LIMITS__EVENT_POLLS", "4"), ("AMLGRAPH_LIMITS__IN_FLIGHT", "1")];
    let server = Server::with(Store::of(engine), &settings);
    let path = "/events?wait=30";
    // All of them before the first one waits, which it does for thirty seconds.
    let mut callers = Vec::new();
    for _ in 0..5 {
        callers.push(another(&server).await.0);
    }
    let fifth = callers.pop().expect("five callers");
    let mut answers = Vec::new();
    for (number, api) in (1..).zip(&callers) {
        answers.push(waiting(api.clone(), path.to_owned(), number).await);
        let refused = api.get("/events").await.expect(429);
        assert_eq!(refused.header("retry-after"), "1", "{refused:?}");
        assert!(refused.errors()[0].starts_with("service: too many requests for events"), "{refused:?}");
    }
    fifth.get("/events").await.expect(429);
    fifth.post("/api/actors", actor("somebody").to_string()).await.expect(200);
    // Whoever goes away leaves a place.
    answers.remove(0).abort();
    eventually("there is room again", SOON, async || fifth.get("/events").await.status == 200).await;
    server.terminate();
    for answer in answers {
        answer.await.expect("it ends").expect(200);
    }
    assert_eq!(server.ended().code(), Some(0));
}

async fn a_key_that_was_revoked_meanwhile_is_told_nothing(engine: Engine) {
    let server = Server::on(Store::of(engine));
    let (api, id) = another(&server).await;
    let answer = waiting(api, "/events?wait=30".to_owned(), 1).await;
    server.delete(&format!("/admin/keys/{id}")).await.expect(204);
    made(&server, json!({"actors": [{"id": "somebody"}]})).await;
    let refused = answer.await.expect("it ends").expect(401);
    assert!(!refused.header("www-authenticate").is_empty() && !refused.text.contains("case."), "{refused:?}");
}

async fn a_token_whose_client_was_revoked_meanwhile_is_told_nothing(engine: Engine) {
    let server = Server::on(Store::of(engine));
    let client = server.post("/admin/clients", r#"{"role":"INGEST"}"#).await.expect(201).json();
    let [id, secret] = ["client_id", "client_secret"].map(|field| text(&client[field]));
    let form = [("grant_type", "client_credentials"), ("client_id", id.as_str()), ("client_secret", secret.as_str())];
    let api = server.anonymous();
    let issued = api.send(api.request("POST", "/auth/token").form(&form)).await.expect(200).json();
    let with_token = |path: &str| api.request("GET", path).bearer_auth(text(&issued["access_token"]));
    api.send(with_token("/events")).await.expect(200);
    let answer = sent(api.clone(), with_token("/events?wait=30"), 1).await;
    server.delete(&format!("/admin/clients/{id}")).await.expect(204);
    made(&server, json!({"actors": [{"id": "somebody"}]})).await;
    let refused = answer.await.expect("it ends").expect(401);
    assert!(!refused.header("www-authenticate").is_empty() && !refused.text.contains("case."), "{refused:?}");
}
