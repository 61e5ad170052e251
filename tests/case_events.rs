//! What people do with cases over GraphQL, and the events that tell of it, in their order.

use serde_json::{Value, json};

use crate::support::case_work::{done, events, made, without_user, work};
use crate::support::fixtures::case_id;
use crate::support::{Engine, Ids, Server, tests};

tests![both: every_change_tells_its_event_once, work_on_a_case_is_told_in_order, only_moves_of_the_workflow_are_made, a_stale_version_is_refused_with_what_is_so,
    a_key_makes_one_comment, a_case_is_walked_to_and_from, mutations_are_for_those_who_work];

async fn every_change_tells_its_event_once(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let id = case_id();
    let body = json!({"id": id, "metadata": {"a": 1}, "actors": [{"id": ids.of("actor")}]});
    made(&server, body.clone()).await;
    made(&server, body).await;
    let path = format!("/api/cases/{id}");
    server.patch(&path, r#"{"c__a":1}"#).await.expect(200);
    // The same again changes nothing, and nothing refused is told.
    server.patch(&path, r#"{"c__a":1}"#).await.expect(200);
    server.patch(&path, r#"{"c__":1}"#).await.expect(400);
    server.put(&path, json!({"communication_ids": [ids.of("m")]}).to_string()).await.expect(200);
    server.patch(&format!("{path}/actors/{}", ids.of("actor")), r#"{"c__a":1}"#).await.expect(200);
    server.patch(&format!("{path}/actors"), json!([{"actor_id": ids.of("actor"), "properties": {"c__b": 1}}]).to_string()).await.expect(200);
    let added = json!({"actor": {"id": ids.of("other"), "type": "INDIVIDUAL", "as_of_date": "2024-01-31"}});
    server.post(&format!("{path}/actors"), added.to_string()).await.expect(200);
    let told = without_user(events(&mut server, &id));
    let created = ("case.created".to_owned(), json!({"id": id, "processId": "default-analysis", "metadata": {"a": 1}}));
    let updated = ("case.updated".to_owned(), json!({"id": id}));
    assert_eq!(told, [vec![created], vec![updated; 5]].concat());
    // Each change has its audit entry, with the case in it.
    let entries = server
        .get(&format!("/api/audit_logs?startDate=2020-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&caseId={id}&logType=UPDATE"))
        .await
        .expect(200)
        .json();
    let mut actions: Vec<&str> = entries["values"]
        .as_array()
        .expect("entries")
        .iter()
        .filter(|entry| entry["json_"]["actionResult"] == json!("SUCCESS"))
        .filter_map(|entry| entry["json_"]["action"].as_str())
        .collect();
    actions.sort_unstable();
    let wanted = [
        "case.actor.added",
        "case.actors.updated",
        "case.actors.updated",
        "case.communications.added",
        "case.created",
        "case.created",
        "case.updated",
        "case.updated",
    ];
    assert_eq!(actions, wanted);
}

async fn work_on_a_case_is_told_in_order(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let id = made(&server, json!({"metadata": {"m": 1}})).await;
    let user = ids.of("user");
    done(&server, "assignCase", json!({"caseId": id, "userId": user})).await;
    // It is theirs already.
    done(&server, "assignCase", json!({"caseId": id, "userId": user})).await;
    done(&server, "commentOnCase", json!({"caseId": id, "text": "Looks odd."})).await;
    done(&server, "actOnCase", json!({"caseId": id, "action": "CLAIM", "comment": "mine"})).await;
    let close = json!({"caseId": id, "action": "CLOSE", "resolution": {"value": "fine"}, "dispositionNarrative": "Nothing found.", "closeReason": "FALSE_POSITIVE"});
    let version = done(&server, "actOnCase", close).await;
    assert_eq!(version, 5);
    let case = server.get(&format!("/api/cases/{id}")).await.expect(200).json();
    assert_eq!((&case["resolution"], &case["narrative"]), (&json!({"value": "fine"}), &json!("Nothing found.")));
    assert_eq!((&case["workflow"]["step_id"], &case["workflow"]["state"]), (&json!("closed"), &json!("CLOSED")));
    done(&server, "actOnCase", json!({"caseId": id, "action": "REOPEN"})).await;
    done(&server, "assignCase", json!({"caseId": id, "userId": null})).await;

    let metadata = json!({"m": 1});
    let moved = |from: &str, to: &str, action: &str| json!({"id": id, "workflowId": "default-analysis", "fromStepId": from, "toStepId": to, "actionName": action});
    let acted = |action: &str, comment: Value| json!({"id": id, "actionName": action, "comment": comment, "metadata": metadata});
    let wanted = [
        ("case.created", json!({"id": id, "processId": "default-analysis", "metadata": metadata})),
        ("case.assigned", json!({"id": id, "assignedToUserId": user, "metadata": metadata})),
        ("case.commented", json!({"id": id, "comment": "Looks odd.", "metadata": metadata})),
        ("case.workflow.actioned", acted("CLAIM", json!("mine"))),
        ("case.workflow.transitioned", moved("to-do", "in-progress", "CLAIM")),
        ("case.workflow.actioned", acted("CLOSE", Value::Null)),
        ("case.workflow.transitioned", moved("in-progress", "closed", "CLOSE")),
        (
            "case.closed",
            json!({"id": id, "resolution": {"value": "fine"}, "dispositionNarrative": "Nothing found.", "comment": null, "closeReason": "FALSE_POSITIVE", "metadata": metadata}),
        ),
        ("case.workflow.actioned", acted("REOPEN", Value::Null)),
        ("case.workflow.transitioned", moved("closed", "to-do", "REOPEN")),
        ("case.assigned", json!({"id": id, "assignedToUserId": null, "metadata": metadata})),
    ];
    let told = without_user(events(&mut server, &id));
    assert_eq!(told, wanted.map(|(name, data)| (name.to_owned(), data)));
    let links = server.cypher(&format!(
        "MATCH (c:`Case` {{id: '{id}'}})-[r:AT_STEP|ASSIGNED_TO|HAS_COMMENT]->(x) WITH type(r) AS link, x ORDER BY link RETURN link, x.name AS name"
    ));
    assert_eq!(links, [json!({"link": "AT_STEP", "name": "To do"}), json!({"link": "HAS_COMMENT", "name": "Looks odd."})]);
}

async fn only_moves_of_the_workflow_are_made(engine: Engine) {
    let server = Server::shared(engine);
    let id = made(&server, json!({})).await;
    let refused = work(&server, "actOnCase", json!({"caseId": id, "action": "RESUME"})).await;
    let current = json!({"version": 1, "stepId": "to-do", "status": "TO_DO", "state": "OPEN", "assigneeId": null,
        "actions": ["CLAIM", "CLOSE", "REQUEST_DATA", "SET_ON_HOLD"]});
    assert_eq!((&refused["userErrors"][0]["code"], &refused["userErrors"][0]["current"]), (&json!("NOT_ALLOWED"), &current));
    let early = work(&server, "actOnCase", json!({"caseId": id, "action": "CLAIM", "resolution": 1, "closeReason": "x"})).await;
    let codes: Vec<&Value> = early["userErrors"].as_array().expect("errors").iter().map(|error| &error["code"]).collect();
    assert_eq!(codes, [&json!("INVALID"), &json!("INVALID")], "{early}");
    assert_eq!(early["case"]["version"], json!(1), "what is refused changes nothing");
    for (action, step) in [
        ("SET_ON_HOLD", "on-hold"),
        ("RESUME", "in-progress"),
        ("REQUEST_DATA", "waiting-for-data"),
        ("RESUME", "in-progress"),
        ("CLOSE", "closed"),
        ("REOPEN", "to-do"),
    ] {
        let moved = work(&server, "actOnCase", json!({"caseId": id, "action": action})).await;
        assert_eq!(moved["case"]["workflow"]["step_id"], json!(step), "{action}: {moved}");
    }
    let filing = made(&server, json!({"type": "FILING"})).await;
    for (action, step) in
        [("CLAIM", "drafting"), ("SUBMIT", "review"), ("RETURN", "drafting"), ("SUBMIT", "review"), ("FILE", "filed"), ("CLOSE", "closed")]
    {
        let moved = work(&server, "actOnCase", json!({"caseId": filing, "action": action})).await;
        assert_eq!(moved["case"]["workflow"]["step_id"], json!(step), "{action}: {moved}");
    }
    let nowhere = work(&server, "actOnCase", json!({"caseId": case_id(), "action": "CLAIM"})).await;
    assert_eq!((&nowhere["userErrors"][0]["code"], &nowhere["case"]), (&json!("NOT_FOUND"), &Value::Null));
}

async fn a_stale_version_is_refused_with_what_is_so(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = made(&server, json!({})).await;
    let version = done(&server, "actOnCase", json!({"caseId": id, "action": "CLAIM", "expectedVersion": 1})).await;
    assert_eq!(version, 2);
    for (field, more) in
        [("actOnCase", json!({"action": "CLOSE"})), ("assignCase", json!({"userId": ids.of("user")})), ("commentOnCase", json!({"text": "late"}))]
    {
        let mut input = json!({"caseId": id, "expectedVersion": 1});
        input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let stale = work(&server, field, input).await;
        let current = json!({"version": 2, "stepId": "in-progress", "status": "IN_PROGRESS", "state": "OPEN", "assigneeId": null,
            "actions": ["CLOSE", "REQUEST_DATA", "SET_ON_HOLD"]});
        assert_eq!((&stale["userErrors"][0]["code"], &stale["userErrors"][0]["current"]), (&json!("STALE"), &current), "{field}");
        assert_eq!(stale["case"]["version"], json!(2), "{field}");
    }
}

async fn a_key_makes_one_comment(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let id = made(&server, json!({})).await;
    let comment = |text: &str| json!({"caseId": id, "text": text, "idempotencyKey": ids.of("key")});
    assert_eq!(done(&server, "commentOnCase", comment("once")).await, 2);
    assert_eq!(done(&server, "commentOnCase", comment("once")).await, 2);
    let other = work(&server, "commentOnCase", comment("another")).await;
    assert_eq!(other["userErrors"][0]["code"], json!("INVALID"), "{other}");
    assert_eq!(work(&server, "commentOnCase", json!({"caseId": id, "text": " "})).await["userErrors"][0]["code"], json!("INVALID"));
}

async fn a_case_is_walked_to_and_from(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (actor, other) = (ids.of("actor"), ids.of("other"));
    let id =
        made(&server, json!({"actors": [{"id": actor, "type": "FOCAL"}, {"id": other}], "metadata": {"a": 1}, "observation_ids": [ids.of("o")]}))
            .await;
    server.patch(&format!("/api/cases/{id}"), r#"{"resolution":[1],"c__x":"y"}"#).await.expect(200);
    server.patch(&format!("/api/cases/{id}/actors/{actor}"), r#"{"c__z":[1]}"#).await.expect(200);
    done(&server, "assignCase", json!({"caseId": id, "userId": ids.of("user")})).await;
    done(&server, "commentOnCase", json!({"caseId": id, "text": "first"})).await;
    done(&server, "commentOnCase", json!({"caseId": id, "text": "second"})).await;
    let query = r#"query($id: ID!, $actor: ID!) {
        case(id: $id) { id nodeId type version source metadata resolution customProperties actions assignee { id name } createdAt updatedAt
            workflow { id name status state type stepId version } observations { edges { node { id } } } tags { id label } jurisdiction narrative
            actors(first: 1) { totalCount pageInfo { hasNextPage } edges { type decision customProperties node { id known } } }
            comments { totalCount edges { node { text userId createdAt } } } }
        actor(id: $actor) { cases { totalCount edges { type customProperties node { id } } } }
    }"#;
    let shown = server.graphql(query, json!({"id": id, "actor": actor})).await;
    let case = &shown["case"];
    assert_eq!((&case["nodeId"], &case["version"], &case["type"]), (&json!(format!("Case:{id}")), &json!(6), &json!("ANALYSIS")));
    assert_eq!((&case["metadata"], &case["resolution"], &case["customProperties"]), (&json!({"a": 1}), &json!([1]), &json!({"c__x": "y"})));
    assert_eq!(case["assignee"], json!({"id": ids.of("user"), "name": ids.of("user")}));
    assert_eq!((&case["workflow"]["stepId"], &case["observations"]), (&json!("to-do"), &json!({"edges": [{"node": {"id": ids.of("o")}}]})));
    let edge = json!({"type": "FOCAL", "decision": null, "customProperties": {"c__z": [1]}, "node": {"id": actor, "known": false}});
    assert_eq!(case["actors"], json!({"totalCount": 2, "pageInfo": {"hasNextPage": true}, "edges": [edge]}));
    let texts: Vec<&Value> = case["comments"]["edges"].as_array().expect("edges").iter().map(|edge| &edge["node"]["text"]).collect();
    assert_eq!((texts, &case["comments"]["totalCount"]), (vec![&json!("first"), &json!("second")], &json!(2)));
    let edge = json!({"type": "FOCAL", "customProperties": {"c__z": [1]}, "node": {"id": id}});
    assert_eq!(shown["actor"]["cases"], json!({"totalCount": 1, "edges": [edge]}));
    // What REST shows and what GraphQL shows are one and the same.
    let read = server.get(&format!("/api/cases/{id}")).await.expect(200).json();
    for (rest, graphql) in
        [("created_at", "createdAt"), ("updated_at", "updatedAt"), ("type", "type"), ("source", "source"), ("resolution", "resolution")]
    {
        assert_eq!(read[rest], case[graphql], "{rest}");
    }
    let node = server.graphql("query($id: ID!) { node(id: $id) { id } case(id: \"none\") { id } }", json!({"id": format!("Case:{id}")})).await;
    assert_eq!(node, json!({"node": {"id": id}, "case": null}));
}

async fn mutations_are_for_those_who_work(engine: Engine) {
    let server = Server::shared(engine);
    let id = made(&server, json!({})).await;
    let of_role = async |role: &str| {
        let key = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        server.with_key(key["key"].as_str().expect("a key"))
    };
    done(&of_role("ANALYST").await, "commentOnCase", json!({"caseId": id, "text": "mine"})).await;
    let mutation = "mutation($input: CommentOnCaseInput!) { commentOnCase(input: $input) { case { id } } }";
    let refused = of_role("INGEST").await.graphql_answer(mutation, json!({"input": {"caseId": id, "text": "no"}})).await;
    assert_eq!(refused["errors"][0]["extensions"]["code"], json!("FORBIDDEN"), "{refused}");
}
