//! Bulk requests: checked whole, taken once, processed in the background; what names something that is not there waits for it.

use futures::future::join_all;
use graph_schema::date::Timestamp;
use serde_json::{Value, json};

use crate::support::bulk::{SOON, arrived, bulk_actor, bulk_payment, eventually_is, send, taken};
use crate::support::fixtures::{Payment, actor, case_id, with};
use crate::support::wire::{self, Wire};
use crate::support::{Engine, Ids, Server, Store, eventually, tests};

tests![
    both: records_of_every_list_arrive_as_if_they_were_sent_one_by_one, all_faults_are_told_and_nothing_is_stored,
    the_same_request_again_adds_nothing, a_case_waits_for_what_it_names_and_is_made_when_that_arrives,
    what_waits_for_too_long_goes_to_the_dead_letters, a_case_that_is_there_is_updated, a_payment_waits_for_its_channel_location,
    what_came_later_about_a_case_waits_behind_what_came_first, a_payment_that_waited_does_not_replace_a_newer_one,
    two_items_about_one_case_are_both_done, a_list_has_at_most_1000_items, graphql_shows_how_far_a_request_is, bulk_is_for_those_who_send,
    missing_communications_and_workflows_are_named_until_both_have_come, dead_letters_come_in_the_order_that_is_asked_for,
    a_case_is_known_from_its_answer_on_whatever_is_done_with_it;
    embedded: a_request_has_at_most_32_mb
];

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

async fn missing_communications_and_workflows_are_named_until_both_have_come(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let (case, message, workflow) = (case_id(), case_id(), ids.of("workflow"));
    taken(&server, &ids.of("request"), &json!({"cases": [{"id": case, "communication_ids": [message], "workflow_id": workflow}]})).await;
    let missing = async || server.get(&format!("/api/bulk/cases/{case}/status")).await.expect(200).json()["missing_relations"].take();
    let of = |communications: Value, workflow: Value| json!({"actors": [], "analysis_case": [], "communications": communications, "observations": [], "workflow": workflow});
    assert_eq!(eventually_is(&server, &case, "DEFERRED").await["missing_relations"], of(json!([message]), json!([workflow])));
    taken(&server, &ids.of("message"), &json!({"communications": [{"id": message, "type": "email", "subject": "Hello"}]})).await;
    eventually("the workflow alone is missing", SOON, async || missing().await == of(json!([]), json!([workflow]))).await;
    server.get(&format!("/api/cases/{case}")).await.expect(404);
    let step = |id: &str, state: &str| json!({"id": id, "label": id, "status": id, "state": state});
    let added = json!({"id": workflow, "name": ids.of("Review"), "type": "ANALYSIS", "steps": [step("new", "OPEN"), step("done", "CLOSED")],
        "moves": [{"action": "CLOSE", "from": "new", "to": "done"}]});
    server.graphql("mutation($input: AddWorkflowInput!) { addWorkflow(input: $input) { id } }", json!({"input": {"workflow": added}})).await;
    assert_eq!(eventually_is(&server, &case, "COMPLETED").await["missing_relations"], of(json!([]), json!([])));
    let query = "query($id: ID!) { case(id: $id) { workflow { id stepId } communications { edges { node { id } } } } }";
    let shown = server.graphql(query, json!({"id": case})).await;
    let wanted = json!({"workflow": {"id": workflow, "stepId": "new"}, "communications": {"edges": [{"node": {"id": message}}]}});
    assert_eq!(shown["case"], wanted);
}

/// Cases that break a rule for good: a definition of their custom property. Nothing has to be waited for.
async fn dead_letters_come_in_the_order_that_is_asked_for(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let property = format!("c__{}", ids.of("level"));
    let define = "mutation($input: DefineCustomPropertyInput!) { defineCustomProperty(input: $input) { name } }";
    server.graphql(define, json!({"input": {"entity": "CASE", "name": property, "schema": {"type": "integer"}}})).await;
    let since = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let mut cases = [case_id(), case_id(), case_id()];
    cases.sort();
    let [first, second, third] = cases;
    // The order of the ids is not that in which they come: each is given up before the next is sent.
    for case in [&second, &first, &third] {
        taken(&server, &ids.of(case), &json!({"cases": [{"id": case, &property: "high"}]})).await;
        eventually_is(&server, case, "FAILED").await;
    }
    let letters = async |query: &str| -> Vec<Value> {
        let path = format!("/api/bulk/cases/dead_letter_queue?filter.created_at.from={since}&limit=1000{query}");
        let listed = server.get(&path).await.expect(200).json();
        let own = |letter: &Value| [&first, &second, &third].iter().any(|case| letter["case_id"] == json!(case));
        listed.as_array().expect("an array").iter().filter(|letter| own(letter)).cloned().collect()
    };
    for (query, wanted) in [
        ("&sorting=case_id", [&first, &second, &third]),
        ("&sorting=-case_id", [&third, &second, &first]),
        ("&sorting=created_at", [&second, &first, &third]),
        ("&sorting=-created_at,case_id", [&third, &first, &second]),
        ("&sorting=processed_at", [&second, &first, &third]),
        ("&sorting=-processed_at", [&third, &first, &second]),
        // Newest first.
        ("", [&third, &first, &second]),
    ] {
        let found: Vec<Value> = letters(query).await.iter().map(|letter| letter["case_id"].clone()).collect();
        assert_eq!(found, wanted.map(|case| json!(case)), "{query}");
    }
    let by_id =
        async |query: &str| -> Vec<String> { letters(query).await.iter().map(|letter| letter["id"].as_str().expect("an id").to_owned()).collect() };
    let (ascending, descending) = (by_id("&sorting=id").await, by_id("&sorting=-id").await);
    assert!(ascending.len() == 3 && ascending.is_sorted(), "{ascending:?}");
    assert_eq!(descending, ascending.iter().rev().cloned().collect::<Vec<_>>());
    for letter in letters("").await {
        assert_eq!(letter["case"], json!({"id": letter["case_id"], &property: "high"}), "as it came");
        let fields: Vec<&String> = letter.as_object().expect("an object").keys().collect();
        assert_eq!(fields, ["case", "case_id", "created_at", "id", "processed_at"]);
        let at = |name: &str| Timestamp::parse(letter[name].as_str().expect("a time")).expect("a time");
        assert!(at("processed_at") >= at("created_at"), "{letter}");
    }
}

async fn a_case_is_known_from_its_answer_on_whatever_is_done_with_it(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    for round in 0..25 {
        let case = case_id();
        taken(&server, &ids.of(&format!("request-{round}")), &json!({"cases": [{"id": case}]})).await;
        // Many ask, so that some ask while its part ends.
        join_all((0..16).map(|_| eventually_is(&server, &case, "COMPLETED"))).await;
    }
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

async fn what_came_later_about_a_case_waits_behind_what_came_first(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let case = case_id();
    taken(&server, &ids.of("first"), &json!({"cases": [{"id": case, "actors": [{"id": ids.of("late")}], "c__a": [1]}]})).await;
    eventually_is(&server, &case, "DEFERRED").await;
    taken(&server, &ids.of("second"), &json!({"cases": [{"id": case, "resolution": "X", "c__a": [2]}]})).await;
    let second = "query($case: ID!) { bulkItems(filter: {subject: $case}) { totalCount } }";
    eventually("both wait", SOON, async || server.graphql(second, json!({"case": case})).await["bulkItems"]["totalCount"] == 2).await;
    server.get(&format!("/api/cases/{case}")).await.expect(404);
    server.post("/api/actors", actor(&ids.of("late")).to_string()).await.expect(200);
    eventually_is(&server, &case, "COMPLETED").await;
    let made = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
    assert_eq!((&made["actors"][0]["id"], &made["resolution"], &made["c__a"]), (&json!(ids.of("late")), &json!("X"), &json!([1, 2])));
}

async fn a_payment_that_waited_does_not_replace_a_newer_one(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let payment = bulk_payment(&ids.of("t"), &ids.of("k"), &ids.of("l"));
    let at_atm = with(payment, json!({"channel_location_id": ids.of("atm"), "description": "old"}));
    taken(&server, &ids.of("request"), &json!({"transactions": [at_atm], "actors": [bulk_actor(&ids.of("a"))]})).await;
    let waits = "query($id: ID!) { bulkItems(filter: {subject: $id, state: DEFERRED}) { totalCount } }";
    let waiting = async || server.graphql(waits, json!({"id": ids.of("t")})).await["bulkItems"]["totalCount"].clone();
    eventually("it waits", SOON, async || waiting().await == 1).await;
    let newer = Payment::new(ids.of("t"), ids.of("k"), ids.of("l")).text_with(json!({"description": "new"}));
    server.post("/api/v2/transactions", newer).await.expect(200);
    let location = json!({"id": ids.of("atm"), "type": "ATM", "address": {"city": "Berlin"}});
    server.post("/api/channel_locations", location.to_string()).await.expect(200);
    eventually("it waits no longer", SOON, async || waiting().await == 0).await;
    assert_eq!(server.get(&format!("/api/v2/transactions/{}", ids.of("t"))).await.expect(200).json()["description"], "new");
}

async fn two_items_about_one_case_are_both_done(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (new, old) = (case_id(), case_id());
    server.post("/api/cases", json!({"id": old}).to_string()).await.expect(200);
    let two = |id: &str| [json!({"id": id, "c__a": [1]}), json!({"id": id, "c__a": [2], "resolution": "X"})];
    taken(&server, &ids.of("request"), &json!({"cases": Value::from([two(&new), two(&old)].concat())})).await;
    for case in [new, old] {
        eventually_is(&server, &case, "COMPLETED").await;
        let shown = server.get(&format!("/api/cases/{case}")).await.expect(200).json();
        assert_eq!((&shown["c__a"], &shown["resolution"]), (&json!([1, 2]), &json!("X")));
    }
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
        items { edges { node { list state subject missing { kind id } attempts record request { requestId } } } } } } } }";
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
    // What is read and checked of 32 MB may take a busy machine longer than a request usually may.
    let server = Server::with(Store::of(engine), &[("AMLGRAPH_LIMITS__BODY_TIME", "120s"), ("AMLGRAPH_LIMITS__REQUEST_TIME", "120s")]);
    let ids = Ids::new();
    let of = |bytes: usize| {
        let frame = json!({"actors": [with(bulk_actor(&ids.of("a")), json!({"name": ""}))]}).to_string();
        frame.replace(r#""name":"""#, &format!(r#""name":"{}""#, "x".repeat(bytes - frame.len())))
    };
    let mut wire = Wire::open(&server).await;
    let head = format!("POST /api/bulk HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\nx-request-id: r\r\n", server.key());
    wire.say(&format!("{head}content-length: {}\r\n\r\n{{", (32 << 20) + 1)).await;
    assert_eq!(wire::status(&wire.hear(SOON).await), 413);
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
