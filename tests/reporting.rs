//! Feedback on observations, given by people and read as a report; and the report of suppressed signals.

use cypher::{Params, Value as Row, map};
use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::fixtures::with;
use crate::support::{Api, Engine, Ids, Server, stored, tests};

tests![both: feedback_is_given_and_told_and_shown, feedback_must_be_about_an_observation_of_the_case, feedback_is_reported_with_all_that_is_known, feedback_is_reported_as_it_stood_at_the_end_of_the_span,
    suppressed_signals_are_listed_by_day; embedded: spans_must_make_sense, feedback_is_reported_however_much_it_is];

const FEEDBACK: &str = "/api/reporting/observation_feedback";
const SIGNALS: &str = "/api/reporting/suppressed_signals";

/// A case that was raised from an observation.
async fn case_of(api: &Api, observation: &str) -> String {
    let made = api.post("/api/cases", json!({"observation_ids": [observation]}).to_string()).await.expect(200).json();
    made["case_id"].as_str().expect("an id").to_owned()
}

/// Gives feedback; answers with the payload.
async fn given(api: &Api, input: Value) -> Value {
    let query =
        "mutation($input: GiveObservationFeedbackInput!) { giveObservationFeedback(input: $input) { userErrors { code message } case { version } } }";
    api.graphql(query, json!({"input": input})).await["giveObservationFeedback"].take()
}

async fn feedback_is_given_and_told_and_shown(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let observation = ids.of("observation");
    let case = case_of(&server, &observation).await;
    let said = |feedback: &str| json!({"caseId": case, "observationId": observation, "feedback": feedback});
    for (feedback, version) in [("TRUE_POSITIVE", 2), ("TRUE_POSITIVE", 2), ("FALSE_POSITIVE", 3)] {
        assert_eq!(given(&server, said(feedback)).await, json!({"userErrors": [], "case": {"version": version}}));
    }
    let shown = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    assert_eq!(shown["observations"], json!([{"id": observation, "feedback": "FALSE_POSITIVE"}]));
    let query = "query($case: ID!, $observation: ID!) {
        case(id: $case) { observations { edges { feedback } } feedback { edges { node { feedback userId createdAt observation { id } } } } }
        observation(id: $observation) { feedback { totalCount edges { node { feedback case { id } } } } } }";
    let data = server.graphql(query, json!({"case": case, "observation": observation})).await;
    assert_eq!(data["case"]["observations"]["edges"], json!([{"feedback": "FALSE_POSITIVE"}]));
    let node = &data["case"]["feedback"]["edges"][0]["node"];
    assert_eq!((&node["feedback"], &node["observation"]["id"]), (&json!("FALSE_POSITIVE"), &json!(observation)));
    assert!(node["userId"].is_string() && node["createdAt"].is_string(), "{node}");
    let wanted = json!({"totalCount": 1, "edges": [{"node": {"feedback": "FALSE_POSITIVE", "case": {"id": case}}}]});
    assert_eq!(data["observation"]["feedback"], wanted, "what was said before is replaced");
    let taken_back = with(said("FALSE_POSITIVE"), json!({"feedback": null}));
    assert_eq!(given(&server, taken_back).await, json!({"userErrors": [], "case": {"version": 4}}));
    let query = format!("MATCH (e:Event) WHERE e.caseId = '{case}' WITH e ORDER BY e.sequence RETURN e.name AS name, e.data AS data");
    let events = server.cypher(&query);
    let told: Vec<(&str, Value)> = events
        .iter()
        .map(|row| (row["name"].as_str().expect("a name"), serde_json::from_str(row["data"].as_str().expect("a text")).expect("JSON")))
        .collect();
    let names: Vec<&str> = told.iter().map(|(name, _)| *name).collect();
    let updated = "case.observations.feedback.updated";
    assert_eq!(names, ["case.created", updated, updated, updated], "the same again is not told");
    let wanted = json!({"id": case, "userId": told[2].1["userId"], "observationId": observation, "feedback": "FALSE_POSITIVE"});
    assert_eq!(told[2].1, wanted);
    assert_eq!(told[3].1, with(wanted, json!({"feedback": null})));
}

/// What was said later in its place does not take it out of the report, and is not in it.
async fn feedback_is_reported_as_it_stood_at_the_end_of_the_span(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let observation = ids.of("observation");
    let case = case_of(&server, &observation).await;
    let mut moments = Vec::new();
    let moment = async || {
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
        let now = Timestamp(chrono::Utc::now().timestamp_millis());
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
        now
    };
    for feedback in ["A", "B", "B", "A", "C"] {
        moments.push(moment().await);
        given(&server, json!({"caseId": case, "observationId": observation, "feedback": feedback})).await;
    }
    moments.push(moment().await);
    let query = "query($case: ID!) { case(id: $case) { feedback { totalCount edges { node { feedback } } } } }";
    let shown = server.graphql(query, json!({"case": case})).await;
    let wanted = json!({"totalCount": 1, "edges": [{"node": {"feedback": "C"}}]});
    assert_eq!(shown["case"]["feedback"], wanted, "elsewhere the last is all there is");
    given(&server, json!({"caseId": case, "observationId": observation, "feedback": null})).await;
    moments.push(moment().await);
    // By the spans between the moments at which it was given.
    for (from, to, wanted) in [
        (0, 1, &["A"][..]),
        (0, 2, &["B"]),
        (1, 2, &["B"]),
        // The same again was given before.
        (2, 3, &[]),
        (1, 3, &["B"]),
        (0, 4, &["A"]),
        (3, 4, &["A"]),
        (0, 5, &["C"]),
        (4, 5, &["C"]),
        // It was taken back.
        (4, 6, &[]),
        (0, 6, &[]),
        (5, 6, &[]),
    ] {
        let answer = server.get(&format!("{FEEDBACK}?startDate={}&endDate={}", moments[from], moments[to])).await.expect(200).json();
        let items = answer.as_array().expect("an array").iter().filter(|item| item["caseId"] == json!(case));
        let found: Vec<&str> = items.map(|item| item["feedback"].as_str().expect("text")).collect();
        assert_eq!(found, wanted, "{from} to {to}");
    }
}

/// More than was ever answered at once before.
async fn feedback_is_reported_however_much_it_is(engine: Engine) {
    let mut server = Server::start(engine);
    let rows = |kind: &str, count: usize, day: i64| -> Vec<Row> {
        let row = |at: usize| {
            let at = at as i64;
            map([("id", format!("{kind}-{at}").into()), ("at", (day * 86_400_000 + at / 3).into())])
        };
        (0..count).map(row).collect()
    };
    const PRESENT: &str = "UNWIND $rows AS row CREATE (f:ObservationFeedback {id: row.id, name: 'A', feedback: 'A', userId: 'u', createdAt: row.at, caseId: row.id, \
        observationId: 'o'})";
    const FORMER: &str = "UNWIND $rows AS row CREATE (f:FormerObservationFeedback {id: row.id, name: 'B', feedback: 'B', userId: 'u', createdAt: row.at, \
        until: 9000000000000, caseId: row.id, observationId: 'o'})";
    stored::write(&mut server, PRESENT, Params::rows(rows("present", 10_500, 1))).await;
    stored::write(&mut server, FORMER, Params::rows(rows("former", 2_500, 1))).await;
    stored::write(&mut server, PRESENT, Params::rows(rows("later", 10, 3))).await;
    let answer = server.get(&format!("{FEEDBACK}?startDate=1970-01-01T00:00:00Z&endDate=1970-01-03T00:00:00Z")).await.expect(200).json();
    let items = answer.as_array().expect("an array");
    let cases: std::collections::BTreeSet<&str> = items.iter().filter_map(|item| item["caseId"].as_str()).collect();
    assert_eq!((items.len(), cases.len()), (13_000, 13_000), "each once");
    // As moments: a text without a fraction does not sort among those with one.
    let moment = |item: &Value| chrono::DateTime::parse_from_rfc3339(item["createdTime"].as_str().expect("text")).expect("a moment");
    let times: Vec<_> = items.iter().map(moment).collect();
    assert!(times.is_sorted_by(|one, other| one >= other), "the latest first");
}

async fn feedback_must_be_about_an_observation_of_the_case(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let case = case_of(&server, &ids.of("observation")).await;
    let input = json!({"caseId": case, "observationId": ids.of("observation"), "feedback": "TRUE_POSITIVE"});
    let table = [
        (json!({"observationId": ids.of("strange")}), "INVALID", "observationId: "),
        (json!({"feedback": " "}), "INVALID", "feedback: "),
        (json!({"feedback": "x".repeat(1001)}), "INVALID", "feedback: "),
        (json!({"expectedVersion": 7}), "STALE", "expectedVersion: "),
        (json!({"caseId": uuid::Uuid::new_v4().to_string()}), "NOT_FOUND", "there is no case "),
    ];
    for (more, code, message) in table {
        let payload = given(&server, with(input.clone(), more)).await;
        let error = &payload["userErrors"][0];
        assert_eq!(error["code"], json!(code), "{payload}");
        assert!(error["message"].as_str().is_some_and(|text| text.starts_with(message)), "{payload}");
    }
    let shown = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    assert_eq!(shown["observations"], json!([{"id": ids.of("observation")}]));
    let key = server.post("/admin/keys", json!({"role": "INGEST"}).to_string()).await.expect(201).json();
    let ingest = server.with_key(key["key"].as_str().expect("a key"));
    let query = "mutation($input: GiveObservationFeedbackInput!) { giveObservationFeedback(input: $input) { case { id } } }";
    assert_eq!(ingest.graphql_answer(query, json!({"input": input})).await["errors"][0]["extensions"]["code"], json!("FORBIDDEN"));
}

async fn feedback_is_reported_with_all_that_is_known(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let of = |name: &str| ids.of(name);
    let rich = json!({"id": of("rich"), "type": "ALERT_AML_V2", "behaviorId": "b-1", "behaviorName": "Structuring", "date": 1_718_280_000, "score": 0.75,
        "taxonomyDescription": "Layering", "dataSource": "core", "transactionIds": [of("t2"), of("t1")],
        "actors": [{"actorId": of("a")}, {"actorId": of("b"), "primary": true}]});
    server.post("/api/observations", rich.to_string()).await.expect(200);
    let before = Timestamp(chrono::Utc::now().timestamp_millis());
    let mut cases = Vec::new();
    for name in ["rich", "named"] {
        let case = case_of(&server, &of(name)).await;
        let payload = given(&server, json!({"caseId": case, "observationId": of(name), "feedback": "TRUE_POSITIVE"})).await;
        assert_eq!(payload["userErrors"], json!([]));
        cases.push(case);
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let end = Timestamp(chrono::Utc::now().timestamp_millis() + 1000);
    let reported = async |from: Timestamp, to: Timestamp| -> Vec<Value> {
        let answer = server.get(&format!("{FEEDBACK}?startDate={from}&endDate={to}")).await.expect(200).json();
        let all = answer.as_array().expect("an array").clone();
        // Others give feedback, too.
        all.into_iter().filter(|item| cases.iter().any(|case| item["caseId"] == json!(case))).collect()
    };
    let mut items = reported(before, end).await;
    let times: Vec<Timestamp> = items.iter().map(|item| Timestamp::parse(item["createdTime"].as_str().expect("a time")).expect("a time")).collect();
    assert!(times.is_sorted_by(|a, b| a > b), "the latest first: {times:?}");
    for item in &mut items {
        item.as_object_mut().expect("an object").remove("createdTime");
    }
    let named = json!({"observationId": of("named"), "feedback": "TRUE_POSITIVE", "caseId": cases[1]});
    let whole = json!({"observationId": of("rich"), "observationType": "ALERT_AML_V2", "observationDate": "2024-06-13T12:00:00Z", "feedback": "TRUE_POSITIVE",
        "typology": "Layering", "behaviorId": "b-1", "behaviorName": "Structuring", "modelScore": 0.75, "caseId": cases[0], "actorId": of("b"),
        "dataSource": "core", "transactionIds": [of("t2"), of("t1")]});
    assert_eq!(items, [named, whole]);
    // Both ends belong to the span, and nothing beside it.
    assert_eq!(reported(times[1], end).await.len(), 2);
    assert_eq!(reported(Timestamp(times[1].millis() + 1), end).await.len(), 1);
    assert_eq!(reported(before, times[1]).await.len(), 1);
    let query = "query($from: DateTime, $to: DateTime, $orderBy: ObservationFeedbackOrder) {
        observationFeedback(first: 500, filter: {from: $from, to: $to}, orderBy: $orderBy) { totalCount edges { node { case { id } observation { id } } } } }";
    let listed = async |order: Value| -> Vec<Value> {
        let variables = json!({"from": before.to_string(), "to": end.to_string(), "orderBy": order});
        let listed = server.graphql(query, variables).await["observationFeedback"].take();
        let nodes = listed["edges"].as_array().expect("edges").iter().map(|edge| &edge["node"]);
        let own = nodes.filter(|node| cases.iter().any(|case| node["case"]["id"] == json!(case)));
        own.map(|node| node["observation"]["id"].clone()).collect()
    };
    assert_eq!(listed(Value::Null).await, [json!(of("named")), json!(of("rich"))]);
    assert_eq!(listed(json!({"field": "CREATED_AT", "direction": "ASC"})).await, [json!(of("rich")), json!(of("named"))]);
    // The end of GraphQL is not of the span.
    let until = server.graphql(query, json!({"from": times[1].to_string(), "to": times[0].to_string()})).await["observationFeedback"].take();
    let is_listed = |case: &str| until["edges"].as_array().expect("edges").iter().any(|edge| edge["node"]["case"]["id"] == case);
    assert_eq!((is_listed(&cases[0]), is_listed(&cases[1])), (true, false), "{until}");
}

/// Detection writes them; no operation does.
async fn suppressed_signals_are_listed_by_day(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let actor = ids.of("actor");
    let number = ids.digits(9).parse::<i64>().expect("a number") * 10;
    // A year that no other test has: what is listed is of this test alone.
    let year = 3000 + ids.digits(4).parse::<i64>().expect("a number") % 6000;
    let days = ["01-31", "01-31", "02-01", "02-02", "03-01"];
    let rows: Vec<cypher::Value> = days
        .iter()
        .enumerate()
        .map(|(n, day)| {
            let number = number + n as i64;
            let more = if n == 0 { cypher::Value::Null } else { "core".into() };
            let props = cypher::map([
                ("name", format!("Signal {number}").into()),
                ("signalId", number.into()),
                ("actorId", actor.as_str().into()),
                ("reviewDate", format!("{year}-{day}").into()),
                ("detectionMethodName", "Structuring".into()),
                ("decisionReason", "SUPPRESSED".into()),
                ("dataSource", more),
            ]);
            cypher::map([("id", number.to_string().into()), ("actor", actor.as_str().into()), ("props", props)])
        })
        .collect();
    let text = "UNWIND $rows AS row MERGE (a:Actor {id: row.actor}) ON CREATE SET a:Placeholder, a.name = row.actor
        MERGE (s:SuppressedSignal {id: row.id}) SET s += row.props MERGE (s)-[:SUPPRESSED_FOR]->(a)";
    stored::write(&mut server, text, cypher::Params::rows(rows)).await;
    let listed = async |from: &str, to: &str, more: &str| -> Value {
        let answer = server.get(&format!("{SIGNALS}?startDate={year}-{from}&endDate={year}-{to}{more}")).await.expect(200).json();
        let items = answer["signals_suppressed"].as_array().expect("items");
        let numbers: Vec<i64> = items.iter().map(|item| item["suppressed_signal_id"].as_i64().expect("a number") - number).collect();
        json!([numbers, answer["number_of_signals"], answer["limit"], answer["offset"]])
    };
    assert_eq!(listed("01-01", "12-31", "").await, json!([[4, 3, 2, 0, 1], 5, 100, 0]));
    assert_eq!(listed("01-31", "02-01", "").await, json!([[2, 0, 1], 3, 100, 0]), "both days belong to it");
    assert_eq!(listed("02-02", "02-02", "").await, json!([[3], 1, 100, 0]));
    assert_eq!(listed("01-01", "12-31", "&limit=2&offset=1").await, json!([[3, 2], 5, 2, 1]));
    assert_eq!(listed("01-01", "12-31", "&limit=2&offset=5").await, json!([[], 5, 2, 5]));
    let first = server.get(&format!("{SIGNALS}?startDate={year}-01-01&endDate={year}-01-31&limit=1")).await.expect(200).json();
    let wanted = json!({"suppressed_signal_id": number, "actor_id": actor, "review_date": format!("{year}-01-31"), "detection_method_name": "Structuring",
        "decision_reason": "SUPPRESSED"});
    assert_eq!(first["signals_suppressed"], json!([wanted]));
    let second = server.get(&format!("{SIGNALS}?startDate={year}-01-01&endDate={year}-01-31&limit=1&offset=1")).await.expect(200).json();
    let shown = &second["signals_suppressed"][0];
    assert_eq!((&shown["suppressed_signal_id"], &shown["data_source"]), (&json!(number + 1), &json!("core")));
    let query =
        "query($id: ID!, $filter: SuppressedSignalFilter) { actor(id: $id) { suppressedSignals { totalCount edges { node { id reviewDate } } } }
        suppressedSignals(filter: $filter, orderBy: {field: REVIEW_DATE, direction: ASC}) { totalCount edges { node { decisionReason actor { id } } } } }";
    let filter = json!({"from": format!("{year}-01-31"), "to": format!("{year}-02-01")});
    let data = server.graphql(query, json!({"id": actor, "filter": filter})).await;
    assert_eq!(data["actor"]["suppressedSignals"]["totalCount"], json!(5));
    assert_eq!(
        data["actor"]["suppressedSignals"]["edges"][0]["node"],
        json!({"id": (number + 4).to_string(), "reviewDate": format!("{year}-03-01")})
    );
    assert_eq!(data["suppressedSignals"]["totalCount"], json!(3));
    assert_eq!(data["suppressedSignals"]["edges"][0]["node"], json!({"decisionReason": "SUPPRESSED", "actor": {"id": actor}}));
}

async fn spans_must_make_sense(engine: Engine) {
    let server = Server::shared(engine);
    let (moment, later) = ("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z");
    let table: [(String, u16, &[&str]); 11] = [
        (FEEDBACK.to_owned(), 400, &["endDate", "startDate"]),
        (format!("{FEEDBACK}?startDate={moment}&endDate=tomorrow&x=1"), 400, &["endDate", "x"]),
        (format!("{FEEDBACK}?startDate={moment}&endDate={moment}"), 422, &["endDate"]),
        (format!("{FEEDBACK}?startDate={later}&endDate={moment}"), 422, &["endDate"]),
        (format!("{FEEDBACK}?startDate={moment}&endDate={later}"), 200, &[]),
        (SIGNALS.to_owned(), 400, &["endDate", "startDate"]),
        (format!("{SIGNALS}?startDate=2024-02-30&endDate=2024-01-01T00:00:00Z"), 400, &["endDate", "startDate"]),
        (format!("{SIGNALS}?startDate=2024-01-02&endDate=2024-01-01"), 422, &["endDate"]),
        (format!("{SIGNALS}?startDate=2024-01-01&endDate=2024-01-01&limit=1001&offset=-1"), 400, &["limit", "offset"]),
        (format!("{SIGNALS}?startDate=2024-01-01&endDate=2024-01-01&limit=1000"), 200, &[]),
        (format!("{SIGNALS}?startDate=2024-01-01&endDate=2024-01-01"), 200, &[]),
    ];
    for (path, status, places) in table {
        let answer = server.get(&path).await.expect(status);
        if status != 200 {
            assert_eq!(answer.places(), places, "{path}");
        }
    }
}
