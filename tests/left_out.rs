//! What a request leaves out: what is required is asked for by its name, all of it at once; what has a default takes it.

use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: what_is_said_without_a_date_is_of_today, an_exclusion_without_a_moment_is_of_now, a_case_without_a_moment_is_of_now;
    embedded: what_is_required_is_asked_for_by_name, bulk_requires_what_single_requests_do];

/// Runs something that is of its own day; answers with what came of it and the days that this may have been: midnight may come meanwhile.
async fn within_a_day<T>(what: impl Future<Output = T>) -> (T, [String; 2]) {
    let today = || chrono::Utc::now().date_naive().to_string();
    let before = today();
    let came = what.await;
    (came, [before, today()])
}

/// A case of which nothing is said; answers with its id.
async fn case(api: &Api) -> String {
    let made = api.post("/api/cases", "{}").await.expect(200).json();
    made["case_id"].as_str().expect("an id").to_owned()
}

async fn what_is_required_is_asked_for_by_name(engine: Engine) {
    let server = Server::shared(engine);
    let case = case(&server).await;
    let of_case = |what: &str| format!("/api/cases/{case}/{what}");
    let of_actor = |what: &str| format!("/api/actors/x/{what}");
    let of_payments = ["account_id", "account_owner_id", "amount", "counterparty", "created_at", "direction", "id", "standardized_amount", "status"];
    let table: [(String, &str, u16, &[&str]); 20] = [
        ("/api/actors".into(), "{}", 422, &["asOfDate", "id", "type"]),
        (of_actor("associates"), "{}", 422, &["actorAssociates"]),
        (of_actor("exclusions"), "{}", 422, &["exclusion_type"]),
        (of_actor("riskAssessments"), "[{}]", 422, &["[0].asOfDate", "[0].type", "[0].value"]),
        (of_actor("risk_scores"), "{}", 400, &["as_of_date", "final_score", "risk_rule_id"]),
        ("/api/accounts".into(), "{}", 422, &["accountType", "asOfDate", "id"]),
        ("/api/accounts/x/balances".into(), "{}", 422, &["currency", "current"]),
        ("/api/accounts/x/actors".into(), "{}", 422, &["actors"]),
        ("/api/accounts/x/actors".into(), r#"{"actors":[{}]}"#, 422, &["actors[0].id", "actors[0].role"]),
        ("/api/v2/transactions".into(), "{}", 400, &of_payments),
        ("/api/channel_locations".into(), "{}", 400, &["address", "id", "type"]),
        ("/api/observations".into(), "{}", 422, &["behaviorId", "behaviorName", "date", "id", "type"]),
        ("/api/observations/x/actors".into(), "[{}]", 400, &["[0].actorId"]),
        ("/api/cases".into(), r#"{"actors":[{}]}"#, 422, &["actors[0].id"]),
        (of_case("actors"), "{}", 422, &["actor"]),
        (of_case("communications"), "{}", 422, &["id", "receiver_id", "sender_id", "subject", "type"]),
        ("/api/webhooks".into(), "{}", 422, &["events", "name", "url"]),
        ("/api/segmentation/categories".into(), "{}", 400, &["name"]),
        ("/api/segmentation/groups".into(), "{}", 400, &["category_id", "name"]),
        ("/api/request_for_data/schemas".into(), "{}", 422, &["schema", "type"]),
    ];
    for (path, body, status, places) in table {
        let refused = server.post(&path, body).await.expect(status);
        assert_eq!(refused.places(), places, "{path}");
        assert!(refused.errors().iter().all(|error| error.ends_with(": is required")), "{path}: {:?}", refused.errors());
    }
}

async fn bulk_requires_what_single_requests_do(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let lists: [(&str, &[&str]); 9] = [
        ("account_actors", &["account_id", "actor_id", "actor_role"]),
        ("account_balances", &["account_id", "currency", "current"]),
        ("accounts", &["account_type", "as_of_date", "id"]),
        ("actor_segmentation_groups", &["actor_id", "group_id"]),
        ("actors", &["as_of_date", "id", "type"]),
        ("cases", &["id"]),
        ("communications", &["id", "subject", "type"]),
        ("observations", &["behavior_id", "created_at", "id", "type"]),
        (
            "transactions",
            &["account_id", "account_owner_id", "amount", "counterparty", "created_at", "direction", "id", "standardized_amount", "status"],
        ),
    ];
    let body: Value = lists.iter().map(|(list, _)| ((*list).to_owned(), json!([{}]))).collect::<serde_json::Map<_, _>>().into();
    let request = server.posting("/api/bulk", body.to_string()).header("x-request-id", ids.of("request"));
    let wanted: Vec<String> = lists.iter().flat_map(|(list, fields)| fields.iter().map(move |field| format!("{list}[0].{field}"))).collect();
    assert_eq!(server.send(request).await.expect(400).places(), wanted);
}

async fn what_is_said_without_a_date_is_of_today(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let role = json!({"actors": [{"id": ids.of("actor"), "role": "OWNER"}]}).to_string();
    let associate = json!({"actorAssociates": [{"id": ids.of("other"), "type": "SPOUSE"}]}).to_string();
    let (_, today) = within_a_day(async {
        server.post(&format!("/api/accounts/{}/actors", ids.of("account")), role).await.expect(200);
        server.post(&format!("/api/actors/{}/associates", ids.of("actor")), associate).await.expect(200);
        // Of this the stored record itself says the date.
        server.post(&format!("/api/actors/{}/extendedInfo", ids.of("actor")), "{}").await.expect(200);
    })
    .await;
    let query = "query($account: ID!, $actor: ID!) { account(id: $account) { actors { edges { asOfDate } } }
        actor(id: $actor) { associates { edges { asOfDate } } } }";
    let shown = server.graphql(query, json!({"account": ids.of("account"), "actor": ids.of("actor")})).await;
    let information = server.get(&format!("/api/actors/{}/extendedInfo", ids.of("actor"))).await.expect(200).json();
    for (what, date) in [
        ("role", &shown["account"]["actors"]["edges"][0]["asOfDate"]),
        ("associate", &shown["actor"]["associates"]["edges"][0]["asOfDate"]),
        ("extended information", &information["asOfDate"]),
    ] {
        assert!(today.iter().any(|day| date == day), "{what}: {date} is not of {today:?}");
    }
}

async fn an_exclusion_without_a_moment_is_of_now(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let of = |name: &str| format!("/api/actors/{}/exclusions", ids.of(name));
    let before = chrono::Utc::now().timestamp_millis();
    server.post(&of("now"), r#"{"exclusion_type":"MONITORED"}"#).await.expect(200);
    let after = chrono::Utc::now().timestamp_millis();
    server.post(&of("then"), r#"{"exclusion_type":"MONITORED","stored_at":"2024-01-31T12:00:00.5+01:00"}"#).await.expect(200);
    let rows = server.cypher(&format!(
        "MATCH (a:Actor)-[:HAS_EXCLUSION]->(x) WHERE a.id IN ['{}', '{}'] WITH a, x ORDER BY a.id RETURN x.storedAt AS at",
        ids.of("now"),
        ids.of("then")
    ));
    let moments: Vec<i64> = rows.iter().map(|row| row["at"].as_i64().expect("milliseconds")).collect();
    let [now, then] = moments[..] else { panic!("one of each: {rows:?}") };
    assert!((before..=after).contains(&now), "{now} is not from {before} to {after}");
    assert_eq!(then, 1_706_698_800_500);
}

async fn a_case_without_a_moment_is_of_now(engine: Engine) {
    let server = Server::shared(engine);
    for body in [json!({"id": case_id()}), json!({"id": case_id(), "created_at": null})] {
        let before = chrono::Utc::now().timestamp_millis();
        server.post("/api/cases", body.to_string()).await.expect(200);
        let after = chrono::Utc::now().timestamp_millis();
        let read = server.get(&format!("/api/cases/{}", body["id"].as_str().expect("an id"))).await.expect(200).json();
        let at = chrono::DateTime::parse_from_rfc3339(read["created_at"].as_str().expect("a moment")).expect("RFC 3339").timestamp_millis();
        assert!((before..=after).contains(&at), "{body}: {read}");
    }
}
