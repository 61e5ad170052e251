//! Requests for data: when they are due, which are overdue, and what answered them.

use std::time::{Duration, Instant};

use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::requests::{SCHEMAS, answer, ask, asked, case, reject, schema};
use crate::support::{Api, Engine, Ids, Server, Store, eventually, tests};

tests![both: an_answer_is_linked_to_what_it_added, a_request_is_due_as_it_says_or_its_type_or_the_settings, what_is_overdue_is_listed_and_counted,
    requests_are_listed_by_filters; embedded: rules_of_due_times];

/// What the service does in the background has happened by then, however busy the machine is.
const SOON: Duration = Duration::from_secs(90);
/// What is due so many seconds from now is asked for before it is due, and on a busy machine, too.
const ASKED_WITHIN: i64 = 12;

/// A time so long from now.
fn soon(seconds: i64) -> String {
    Timestamp(chrono::Utc::now().timestamp_millis() + 1000 * seconds).to_string()
}

async fn an_answer_is_linked_to_what_it_added(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    let shown = "query($id: ID!) { requestForData(id: $id) { status endedBy overdue answeringActor { id } answeringCommunication { id subject } answeringFile { id name } } }";
    for (what, field, root) in
        [("actors", "answeringActor", "actor"), ("communications", "answeringCommunication", "communication"), ("files", "answeringFile", "file")]
    {
        let case = case(&server).await;
        let request = asked(&server, &case, &kind).await;
        let added = answer(&server, &case, what, &case_id(), &request).await.expect(200).json()["id"].clone();
        let mut data = server.graphql(shown, json!({"id": request})).await["requestForData"].take();
        assert_eq!((&data["status"], &data["overdue"]), (&json!("COMPLETED"), &json!(false)));
        assert!(data["endedBy"].is_string(), "{data}");
        assert_eq!(data[field].take()["id"], added, "{what}");
        for other in ["answeringActor", "answeringCommunication", "answeringFile"] {
            assert_eq!(data[other], Value::Null, "{what}");
        }
        let back = format!("query($id: ID!) {{ {root}(id: $id) {{ answeredRequests {{ totalCount edges {{ node {{ id case {{ id }} }} }} }} }} }}");
        let data = server.graphql(&back, json!({"id": added})).await[root].take();
        assert_eq!(data["answeredRequests"], json!({"totalCount": 1, "edges": [{"node": {"id": request, "case": {"id": case}}}]}), "{what}");
    }
    // One that was rejected was answered by nothing.
    let request = asked(&server, &case(&server).await, &kind).await;
    reject(&server, &request).await.expect(200);
    let data = server.graphql(shown, json!({"id": request})).await["requestForData"].take();
    assert_eq!((&data["status"], &data["answeringActor"]), (&json!("REJECTED"), &Value::Null));
}

/// How long after it was asked for a request is due, in seconds.
async fn due_after(api: &Api, case: &str, kind: &str, more: Value) -> i64 {
    let payload = ask(api, case, kind, json!({"actor_id": "a"}), more).await;
    assert_eq!(payload["userErrors"], json!([]), "{payload}");
    let id = payload["requestForData"]["id"].as_str().expect("an id");
    let read = api.get(&format!("/api/request_for_data/{id}")).await.expect(200).json();
    let data = api.graphql("query($id: ID!) { requestForData(id: $id) { createdAt dueAt overdue } }", json!({"id": id})).await;
    assert_eq!((&data["requestForData"]["dueAt"], &data["requestForData"]["overdue"]), (&read["due_at"], &json!(false)));
    let millis = |field: &str| Timestamp::parse(read[field].as_str().expect("a time")).expect("a time").millis();
    (millis("due_at") - millis("created_at")) / 1000
}

async fn a_request_is_due_as_it_says_or_its_type_or_the_settings(engine: Engine) {
    let ids = Ids::new();
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_REQUESTS_FOR_DATA__DUE_WITHIN", "5m")]);
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    assert_eq!(due_after(&server, &case, &kind, json!({})).await, 300, "as the settings have it");
    let typed = json!({"type": kind, "schema": {}, "due_within": 3600});
    assert_eq!(server.post(SCHEMAS, typed.to_string()).await.expect(200).json()["due_within"], 3600);
    assert_eq!(server.get(&format!("{SCHEMAS}/{kind}")).await.expect(200).json()["due_within"], 3600);
    assert_eq!(due_after(&server, &case, &kind, json!({})).await, 3600, "as its type has it");
    let said = due_after(&server, &case, &kind, json!({"dueAt": soon(7200)})).await;
    assert!((7100..=7200).contains(&said), "as it says itself: {said}");
    // An update resubmits the whole: what it does not say is gone.
    server.post(SCHEMAS, json!({"type": kind, "schema": {}}).to_string()).await.expect(200);
    assert_eq!(server.get(&format!("{SCHEMAS}/{kind}")).await.expect(200).json()["due_within"], Value::Null);
    assert_eq!(due_after(&server, &case, &kind, json!({})).await, 300);
}

async fn rules_of_due_times(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for wrong in [json!(0), json!(-1), json!(1.5), json!("1h"), json!(31_622_401)] {
        let body = json!({"type": ids.of("KYC"), "schema": {}, "due_within": wrong}).to_string();
        assert_eq!(server.post(SCHEMAS, body).await.expect(422).places(), ["due_within"], "{wrong}");
    }
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    let past = ask(&server, &case, &kind, json!({"actor_id": "a"}), json!({"dueAt": soon(-1)})).await;
    assert_eq!(past["userErrors"][0]["message"], "dueAt: must be later than now", "{past}");
    // What was asked with a key is answered again when the time is over.
    let due = Instant::now() + Duration::from_secs(ASKED_WITHIN.unsigned_abs());
    let more = json!({"dueAt": soon(ASKED_WITHIN), "idempotencyKey": ids.of("key")});
    let first = ask(&server, &case, &kind, json!({"actor_id": "a"}), more.clone()).await;
    tokio::time::sleep_until((due + Duration::from_millis(200)).into()).await;
    let again = ask(&server, &case, &kind, json!({"actor_id": "a"}), more).await;
    assert_eq!((&again["userErrors"], &again["requestForData"]["id"]), (&json!([]), &first["requestForData"]["id"]), "{again}");
    assert!(first["requestForData"]["id"].is_string(), "{first}");
    for (filter, message) in [
        (json!({"status": []}), "filter.status: must name at least one; leave it out for all"),
        (json!({"type": []}), "filter.type: must name at least one; leave it out for all"),
        (json!({"type": ["x".repeat(129)]}), "filter.type: must be of at most 128 bytes each"),
    ] {
        let query = "query($filter: RequestForDataFilter) { requestsForData(filter: $filter) { totalCount } }";
        let answer = server.graphql_answer(query, json!({"filter": filter})).await;
        assert_eq!(answer["errors"][0]["message"], message, "{answer}");
    }
}

/// The ids of a page, and how many there are.
async fn listed(api: &Api, overdue: Option<bool>, filter: Value) -> (Vec<String>, i64) {
    let query = "query($overdue: Boolean, $filter: RequestForDataFilter) {
        requestsForData(first: 50, overdue: $overdue, filter: $filter) { totalCount edges { node { id overdue } } } }";
    let data = api.graphql(query, json!({"overdue": overdue, "filter": filter})).await["requestsForData"].take();
    let edges = data["edges"].as_array().expect("edges");
    assert!(overdue.is_none_or(|overdue| edges.iter().all(|edge| edge["node"]["overdue"] == overdue)), "{data}");
    let ids = edges.iter().map(|edge| edge["node"]["id"].as_str().expect("an id").to_owned()).collect();
    (ids, data["totalCount"].as_i64().expect("a count"))
}

async fn overdue_count(api: &Api) -> Option<f64> {
    let text = api.anonymous().get("/metrics").await.expect(200).text;
    text.lines().find_map(|line| line.strip_prefix("amlgraph_requests_for_data_overdue ")).map(|value| value.parse().expect("a number"))
}

async fn what_is_overdue_is_listed_and_counted(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    let of_case = json!({"caseId": case});
    let ask_due = async |at: String| {
        let payload = ask(&server, &case, &kind, json!({"actor_id": "a"}), json!({"dueAt": at})).await;
        payload["requestForData"]["id"].as_str().unwrap_or_else(|| panic!("{payload}")).to_owned()
    };
    // The first that asks may have to wait for plans. The times of the others are in their order, however long asking takes.
    let later = ask_due(soon(3600)).await;
    let (at_first, at_second) = (soon(ASKED_WITHIN), soon(ASKED_WITHIN + 2));
    let (second, first) = (ask_due(at_second).await, ask_due(at_first).await);
    let both = vec![first.clone(), second.clone()];
    eventually("both are overdue", SOON, async || listed(&server, Some(true), of_case.clone()).await.0 == both).await;
    assert_eq!(listed(&server, Some(true), of_case.clone()).await.1, 2);
    assert_eq!(listed(&server, Some(false), of_case.clone()).await, (vec![later.clone()], 1));
    // A page at a time, both ways.
    let query = "query($case: ID!, $first: Int, $after: String, $last: Int, $before: String) {
        requestsForData(overdue: true, filter: {caseId: $case}, first: $first, after: $after, last: $last, before: $before) {
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { id } } } }";
    let page = async |more: Value| {
        let mut variables = more;
        variables["case"] = json!(case);
        server.graphql(query, variables).await["requestsForData"].take()
    };
    let head = page(json!({"first": 1})).await;
    assert_eq!((&head["edges"][0]["node"]["id"], &head["pageInfo"]["hasNextPage"]), (&json!(first), &json!(true)));
    let next = page(json!({"first": 1, "after": head["pageInfo"]["endCursor"]})).await;
    assert_eq!((&next["edges"][0]["node"]["id"], &next["pageInfo"]["hasNextPage"]), (&json!(second), &json!(false)));
    let back = page(json!({"last": 1, "before": next["pageInfo"]["startCursor"]})).await;
    assert_eq!(back["edges"][0]["node"]["id"], json!(first));

    // Others may have some on the database that all tests share.
    eventually("they are counted", SOON, async || overdue_count(&server).await.is_some_and(|count| count >= 2.0)).await;
    answer(&server, &case, "communications", &case_id(), &first).await.expect(200);
    reject(&server, &second).await.expect(200);
    assert_eq!(listed(&server, Some(true), of_case.clone()).await, (Vec::new(), 0), "who has ended is not overdue any more");
    assert_eq!(listed(&server, None, of_case).await, (vec![first, second, later], 3), "the newest first");
    if engine == Engine::Embedded {
        eventually("none is counted", SOON, async || overdue_count(&server).await == Some(0.0)).await;
    }
}

async fn requests_are_listed_by_filters(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    let (one, other) = (case(&server).await, case(&server).await);
    let first = asked(&server, &one, &kind).await;
    let payload = ask(&server, &one, &kind, json!({"actor_id": "a"}), json!({"dueAt": soon(60)})).await;
    let second = payload["requestForData"]["id"].as_str().expect("an id").to_owned();
    let third = asked(&server, &other, &kind).await;
    reject(&server, &third).await.expect(200);
    let table = [
        (json!({}), vec![&third, &second, &first]),
        (json!({"caseId": one}), vec![&second, &first]),
        (json!({"status": ["REJECTED", "COMPLETED"]}), vec![&third]),
        (json!({"status": ["REQUESTED"]}), vec![&second, &first]),
        (json!({"dueBefore": soon(3600)}), vec![&second]),
        (json!({"dueBefore": soon(3600), "caseId": other}), vec![]),
        (json!({"type": [ids.of("none")]}), vec![]),
    ];
    for (filter, wanted) in table {
        let mut filter = filter;
        if filter["type"].is_null() {
            filter["type"] = json!([kind]);
        }
        let (found, total) = listed(&server, None, filter.clone()).await;
        assert_eq!((found.iter().collect::<Vec<_>>(), total), (wanted.clone(), wanted.len() as i64), "{filter}");
    }
}
