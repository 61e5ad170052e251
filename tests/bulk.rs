//! Bulk requests: checked whole, taken once, processed in the background; what names something that is not there waits for it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::fixtures::{actor, case_id, with};
use crate::support::wire::{self, Wire};
use crate::support::{Answer, Api, Engine, Ids, Server, Store, eventually, tests};

tests![
    both: records_of_every_list_arrive_as_if_they_were_sent_one_by_one, all_faults_are_told_and_nothing_is_stored,
    the_same_request_again_adds_nothing, a_case_waits_for_what_it_names_and_is_made_when_that_arrives,
    what_waits_for_too_long_goes_to_the_dead_letters, a_case_that_is_there_is_updated, a_payment_waits_for_its_channel_location,
    a_list_has_at_most_1000_items, graphql_shows_how_far_a_request_is, bulk_is_for_those_who_send;
    embedded: a_request_has_at_most_32_mb
];

/// How long something in the background may take: on Neo4j the worker of another test's server may have to do it, or to die first.
const SOON: Duration = Duration::from_secs(90);

fn bulk_actor(id: &str) -> Value {
    json!({"id": id, "type": "INDIVIDUAL", "as_of_date": "2024-01-01"})
}

fn bulk_payment(id: &str, from: &str, to: &str) -> Value {
    json!({"id": id, "account_id": from, "account_owner_id": format!("owner-of-{from}"), "amount": {"value": 10.50, "currency": "EUR"},
        "standardized_amount": 10.50, "counterparty": {"type": "ACCOUNT_INFO", "id": to}, "created_at": "2024-06-13T12:00:00Z",
        "direction": "OUTBOUND", "status": "COMPLETED"})
}

async fn send(api: &Api, request: &str, body: &Value) -> Answer {
    api.send(api.posting("/api/bulk", body.to_string()).header("x-request-id", request)).await
}

async fn taken(api: &Api, request: &str, body: &Value) {
    let answer = send(api, request, body).await.expect(202);
    assert_eq!(answer.json(), json!({"request_id": request}));
}

/// Waits until a record can be read.
async fn arrived(api: &Api, path: &str) -> Value {
    eventually(&format!("{path} is there"), SOON, async || api.get(path).await.status == 200).await;
    api.get(path).await.json()
}

async fn status(api: &Api, case: &str) -> Value {
    api.get(&format!("/api/bulk/cases/{case}/status")).await.expect(200).json()
}

async fn eventually_is(api: &Api, case: &str, state: &str) -> Value {
    eventually(&format!("case {case} is {state}"), SOON, async || status(api, case).await["status"] == state).await;
    status(api, case).await
}

async fn records_of_every_list_arrive_as_if_they_were_sent_one_by_one(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, message) = (case_id(), case_id());
    let category = server.post("/api/segmentation/categories", json!({"name": ids.of("category")}).to_string()).await.expect(200).json();
    let group = json!({"category_id": category["id"], "name": "group"}).to_string();
    let group = server.post("/api/segmentation/groups", group).await.expect(200).json()["id"].clone();
    let body = json!({
        "actor_segmentation_groups": [{"actor_id": ids.of("anna"), "group_id": group}],
        "communications": [{"id": message, "type": "email", "subject": "Hello"}],
        "observations": [{"id": ids.of("o"), "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "behavior_id": "b",
            "transaction_ids": [ids.of("t")], "actor_ids": [ids.of("anna")], "score": 0.50}],
        "cases": [{"id": case, "observation_ids": [ids.of("o")], "communication_ids": [message], "actors": [{"id": ids.of("anna"), "type": "FOCAL"}], "resolution": {"value": "open"}, "c__score": 1.50}],
        "transactions": [bulk_payment(&ids.of("t"), &ids.of("k"), &ids.of("l"))],
        "account_balances": [{"account_id": ids.of("k"), "currency": "EUR", "current": 10.00}],
        "account_actors": [{"account_id": ids.of("k"), "actor_id": ids.of("anna"), "actor_role": "OWNER"}],
        "accounts": [{"id": ids.of("k"), "account_type": "CURRENT", "as_of_date": "2024-01-01", "name": "Salary"}],
        "actors": [with(bulk_actor(&ids.of("anna")), json!({"name": "Anna", "subtypes": ["CUSTOMER"]}))],
    });
    taken(&server, &ids.of("request"), &body).await;
    let anna = arrived(&server, &format!("/api/actors/{}", ids.of("anna"))).await;
    assert_eq!(anna, json!({"asOfDate": "2024-01-01", "id": ids.of("anna"), "type": "INDIVIDUAL", "name": "Anna", "subType": ["CUSTOMER"]}));
    let payment = arrived(&server, &format!("/api/v2/transactions/{}", ids.of("t"))).await;
    assert_eq!((&payment["created_at"], &payment["counterparty"]["object"]), (&json!(1718280000), &json!("ACCOUNT_INFO")));
    let made = arrived(&server, &format!("/api/cases/{case}")).await;
    assert_eq!((&made["resolution"], &made["c__score"]), (&json!({"value": "open"}), &json!(1.50)));
    assert_eq!((&made["actors"][0]["type"], &made["observations"][0]["id"]), (&json!("FOCAL"), &json!(ids.of("o"))));
    let observation = arrived(&server, &format!("/api/observations/{}", ids.of("o"))).await;
    assert_eq!((&observation["transactionIds"], &observation["finalized"]), (&json!([ids.of("t")]), &json!(true)));
    let members = server.get(&format!("/api/segmentation/groups/{}/actors", group.as_str().expect("an id"))).await.expect(200).json();
    assert_eq!(members["actor_ids"], json!([ids.of("anna")]));
    assert_eq!(eventually_is(&server, &case, "COMPLETED").await["attempts"], 1);
    let query = "query($id: ID!) { case(id: $id) { communications { edges { node { id subject } } } } }";
    let shown = server.graphql(query, json!({"id": case})).await;
    assert_eq!(shown["case"]["communications"]["edges"], json!([{"node": {"id": message, "subject": "Hello"}}]));
    let query = "query($id: ID!) { account(id: $id) { name actors { edges { role node { id } } } sent { totalCount } } }";
    let shown = server.graphql(query, json!({"id": ids.of("k")})).await;
    let wanted = json!({"name": "Salary", "actors": {"edges": [{"role": "OWNER", "node": {"id": ids.of("anna")}}]}, "sent": {"totalCount": 1}});
    assert_eq!(shown["account"], wanted);
}

async fn all_faults_are_told_and_nothing_is_stored(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let body = json!({"actors": [bulk_actor(&ids.of("good")), {"id": ids.of("bad"), "type": "MAN", "as_of_date": "2024-13-01", "nmae": "x"}],
        "transactions": [with(bulk_payment(&ids.of("t"), "k", "l"), json!({"amount": {"value": "1", "currency": "EUR"}}))], "actor": []});
    let places = send(&server, &ids.of("request"), &body).await.expect(400).places();
    for place in ["actors[1].type", "actors[1].as_of_date", "actors[1].nmae", "transactions[0].amount.value", "actor"] {
        assert!(places.contains(&place.to_owned()), "{place} in {places:?}");
    }
    // Neither does a good request under the same name find anything of it, nor is the good item there.
    taken(&server, &ids.of("request"), &json!({"actors": [bulk_actor(&ids.of("other"))]})).await;
    arrived(&server, &format!("/api/actors/{}", ids.of("other"))).await;
    server.get(&format!("/api/actors/{}", ids.of("good"))).await.expect(404);
    // What names the request is told with the rest.
    let unnamed = server.post("/api/bulk", r#"{"actors":7}"#).await.expect(400).places();
    assert_eq!(unnamed, ["actors", "x-request-id"]);
    for wrong in ["two words", "ä"] {
        let answer = server.send(server.posting("/api/bulk", "{}").header("x-request-id", wrong)).await;
        assert_eq!(answer.expect(400).places(), ["x-request-id"], "{wrong}");
    }
}

async fn the_same_request_again_adds_nothing(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let request = ids.of("request");
    let body = json!({"actors": [bulk_actor(&ids.of("a"))], "accounts": []});
    for _ in 0..3 {
        taken(&server, &request, &body).await;
    }
    arrived(&server, &format!("/api/actors/{}", ids.of("a"))).await;
    taken(&server, &request, &body).await;
    let other = send(&server, &request, &json!({"actors": [bulk_actor(&ids.of("b"))]})).await.expect(400);
    assert_eq!(other.places(), ["x-request-id"]);
    let last = ids.of("last");
    taken(&server, &ids.of("later"), &json!({"actors": [bulk_actor(&last)]})).await;
    arrived(&server, &format!("/api/actors/{last}")).await;
    let entries = server
        .cypher(&format!("MATCH (e:AuditEntry) WHERE e.objectId = '{}' AND e.action = 'actor.recorded' RETURN e.requestId AS request", ids.of("a")));
    assert_eq!(entries, [json!({"request": request})], "it was written once, in the name of its request");
}

async fn a_case_waits_for_what_it_names_and_is_made_when_that_arrives(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let case = case_id();
    let body = json!({"cases": [{"id": case, "actors": [{"id": ids.of("late")}, {"id": ids.of("later")}], "workflow_id": "default-analysis"}]});
    taken(&server, &ids.of("request"), &body).await;
    let waiting = eventually_is(&server, &case, "DEFERRED").await;
    assert_eq!(waiting["missing_relations"]["actors"], json!([ids.of("late"), ids.of("later")]));
    assert_eq!(waiting["missing_relations"]["workflow"], json!([]));
    assert!(waiting["deferred_until"].is_string() && waiting["processed_at"].is_null(), "{waiting}");
    server.get(&format!("/api/cases/{case}")).await.expect(404);
    // Named by others, it is still not there.
    server.post("/api/cases", json!({"actors": [{"id": ids.of("late")}]}).to_string()).await.expect(200);
    server.post("/api/actors", actor(&ids.of("late")).to_string()).await.expect(200);
    server.post("/api/actors", actor(&ids.of("later")).to_string()).await.expect(200);
    let done = eventually_is(&server, &case, "COMPLETED").await;
    assert_eq!(done["missing_relations"]["actors"], json!([]));
    assert!(done["processed_at"].is_string() && done["deferred_until"].is_null(), "{done}");
    arrived(&server, &format!("/api/cases/{case}")).await;
    server.get(&format!("/api/bulk/cases/{}/status", case_id())).await.expect(404);
}

async fn what_waits_for_too_long_goes_to_the_dead_letters(engine: Engine) {
    // Nobody else's worker, which would wait for longer, may process this.
    let store = Store::private(engine);
    let (mut server, ids) = (Server::with(store, &[("AMLGRAPH_BULK__DEFER_FOR", "1s")]), Ids::new());
    let case = case_id();
    let item = json!({"id": case, "observation_ids": [ids.of("never")], "c__a": [1.0]});
    taken(&server, &ids.of("request"), &json!({"cases": [item]})).await;
    let failed = eventually_is(&server, &case, "FAILED").await;
    assert_eq!(failed["missing_relations"]["observations"], json!([ids.of("never")]));
    let letters = server.get(&format!("/api/bulk/cases/dead_letter_queue?filter.case_id={case}&sorting=-created_at")).await.expect(200).json();
    assert_eq!((letters.as_array().map(Vec::len), &letters[0]["case_id"], &letters[0]["case"]), (Some(1), &json!(case), &item));
    assert_eq!(letters[0]["created_at"], failed["created_at"]);
    for (query, count) in
        [("filter.created_at.from=2020-01-01T00:00:00Z", 1), ("filter.created_at.to=2020-01-01T00:00:00Z", 0), ("limit=1&offset=1", 0)]
    {
        let letters = server.get(&format!("/api/bulk/cases/dead_letter_queue?{query}")).await.expect(200).json();
        assert_eq!(letters.as_array().map(Vec::len), Some(count), "{query}");
    }
    server.get("/api/bulk/cases/dead_letter_queue?sorting=case&limit=0").await.expect(400);
    let events = server.cypher(&format!("MATCH (e:Event) WHERE e.caseId = '{case}' RETURN e.name AS name, e.data AS data"));
    assert_eq!(events, [json!({"name": "case.creation_failed", "data": json!({"id": case}).to_string()})]);
}

async fn a_case_that_is_there_is_updated(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let case = case_id();
    server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    server.patch(&format!("/api/cases/{case}"), r#"{"c__a":[1]}"#).await.expect(200);
    taken(&server, &ids.of("request"), &json!({"cases": [{"id": case, "resolution": "done", "c__a": [2.0]}]})).await;
    eventually_is(&server, &case, "COMPLETED").await;
    let shown = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    assert_eq!((&shown["resolution"], &shown["c__a"]), (&json!("done"), &json!([1, 2.0])));
}

async fn a_payment_waits_for_its_channel_location(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let payment = with(bulk_payment(&ids.of("t"), &ids.of("k"), &ids.of("l")), json!({"channel_location_id": ids.of("atm")}));
    taken(&server, &ids.of("request"), &json!({"transactions": [payment, bulk_payment(&ids.of("u"), &ids.of("k"), &ids.of("l"))]})).await;
    arrived(&server, &format!("/api/v2/transactions/{}", ids.of("u"))).await;
    server.get(&format!("/api/v2/transactions/{}", ids.of("t"))).await.expect(404);
    let location = json!({"id": ids.of("atm"), "type": "ATM", "address": {"city": "Berlin"}});
    server.post("/api/channel_locations", location.to_string()).await.expect(200);
    let payment = arrived(&server, &format!("/api/v2/transactions/{}", ids.of("t"))).await;
    assert_eq!(payment["channel_location_id"], json!(ids.of("atm")));
}

async fn a_list_has_at_most_1000_items(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let payments = |count: usize| -> Vec<Value> {
        (0..count).map(|number| bulk_payment(&format!("{}-{number}", ids.of("t")), &ids.of("k"), &ids.of(&format!("l{}", number % 7)))).collect()
    };
    let answer = send(&server, &ids.of("many"), &json!({"transactions": payments(1001)})).await.expect(400);
    assert_eq!(answer.places(), ["transactions"]);
    taken(&server, &ids.of("request"), &json!({"transactions": payments(1000)})).await;
    let query = "query($id: ID!) { account(id: $id) { sent { totalCount } } }";
    eventually("all are there", SOON, async || server.graphql(query, json!({"id": ids.of("k")})).await["account"]["sent"]["totalCount"] == 1000)
        .await;
}

async fn graphql_shows_how_far_a_request_is(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let (case, request) = (case_id(), ids.of("request"));
    let body = json!({"actors": [bulk_actor(&ids.of("a")), bulk_actor(&ids.of("b"))], "cases": [{"id": case, "actors": [{"id": ids.of("x")}]}]});
    taken(&server, &request, &body).await;
    eventually_is(&server, &case, "DEFERRED").await;
    let query = "query($request: String!) { bulkRequests(requestId: $request) { totalCount edges { node {
        requestId progress { list items pending deferred failed completed }
        items { edges { node { list state subject missing { kind id } reasons attempts record request { requestId } } } } } } } }";
    let shown = server.graphql(query, json!({"request": request})).await;
    let node = &shown["bulkRequests"]["edges"][0]["node"];
    assert_eq!(
        node["progress"],
        json!([
            {"list": "ACTORS", "items": 2, "pending": 0, "deferred": 0, "failed": 0, "completed": 2},
            {"list": "CASES", "items": 1, "pending": 0, "deferred": 1, "failed": 0, "completed": 0},
        ])
    );
    let item = &node["items"]["edges"][0]["node"];
    assert_eq!(item["missing"], json!([{"kind": "ACTOR", "id": ids.of("x")}]));
    assert_eq!((&item["subject"], &item["record"]["id"], &item["request"]["requestId"]), (&json!(case), &json!(case), &json!(request)));
    assert_eq!(item["reasons"], json!([format!("Actor/{} has not arrived", ids.of("x"))]));
    let query = "query($case: ID!) { bulkItems(filter: {subject: $case, state: DEFERRED, list: CASES}) { totalCount } }";
    assert_eq!(server.graphql(query, json!({"case": case})).await["bulkItems"]["totalCount"], 1);
}

async fn bulk_is_for_those_who_send(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let made = server.post("/admin/keys", r#"{"role":"ANALYST"}"#).await.expect(201).json();
    let analyst = server.client().with_key(made["key"].as_str().expect("a key"));
    send(&analyst, &ids.of("request"), &json!({"actors": [bulk_actor(&ids.of("a"))]})).await.expect(403);
    send(&server.client().anonymous(), &ids.of("request"), &json!({})).await.expect(401);
    analyst.get("/api/bulk/cases/dead_letter_queue").await.expect(200);
}

/// Refused while it comes, so that nobody sends gigabytes for an error.
async fn a_request_has_at_most_32_mb(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let of = |bytes: usize| {
        let frame = json!({"actors": [with(bulk_actor(&ids.of("a")), json!({"name": ""}))]}).to_string();
        frame.replace(r#""name":"""#, &format!(r#""name":"{}""#, "x".repeat(bytes - frame.len())))
    };
    let mut wire = Wire::open(&server).await;
    let head = format!("POST /api/bulk HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\nx-request-id: r\r\n", server.key());
    wire.say(&format!("{head}content-length: {}\r\n\r\n{{", (32 << 20) + 1)).await;
    assert_eq!(wire::status(&wire.hear(Duration::from_secs(10)).await), 413);
    server.send(server.posting("/api/bulk", of(32 << 20)).header("x-request-id", ids.of("right"))).await.expect(202);
    // It was taken; that one record is too large to be kept comes out later, and does not hold up what comes behind it.
    taken(&server, &ids.of("behind"), &json!({"actors": [bulk_actor(&ids.of("b"))]})).await;
    arrived(&server, &format!("/api/actors/{}", ids.of("b"))).await;
    let query = "query($request: String!) { bulkRequests(requestId: $request) { edges { node { progress { failed } items { edges { node { reasons } } } } } } }";
    let shown = server.graphql(query, json!({"request": ids.of("right")})).await;
    let request = &shown["bulkRequests"]["edges"][0]["node"];
    assert_eq!(request["progress"], json!([{"failed": 1}]));
    let reasons = request["items"]["edges"][0]["node"]["reasons"].to_string();
    assert!(reasons.contains("more than the 16777216 that are taken"), "{reasons}");
}
