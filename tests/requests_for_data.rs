//! Requests for data: asked over GraphQL, answered by what is added to the case or rejected over REST, and where the case stands meanwhile.

use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::requests::{SCHEMAS, act, answer, ask, asked, case, reject, schema, status, step};
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: schemas_are_kept_by_their_types, a_request_is_checked_by_the_schema_of_its_type, a_case_waits_and_each_addition_completes,
    what_is_no_open_request_of_the_case_is_refused, an_answer_that_is_sent_again_is_taken, only_an_addition_that_succeeds_completes, a_rejected_request_puts_the_case_back, several_requests_are_waited_for_together,
    a_case_that_came_to_wait_twice_goes_back_where_it_was_last,
    only_from_where_the_workflow_allows, a_key_asks_once, events_tell_of_it_in_order, a_request_is_rejected_or_fulfilled_over_graphql;
    embedded: rules_of_schemas, schemas_are_listed_in_pages, who_may, roles_decide_who_ends_a_request];

async fn schemas_are_kept_by_their_types(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = ids.of("type_1");
    let first = json!({"type": kind, "schema": {"type": "object"}, "created_at": "2024-01-31T12:00:00Z"});
    let kept = json!({"type": kind, "schema": {"type": "object"}, "created_at": "2024-01-31T12:00:00Z"});
    let answer = server.post(SCHEMAS, first.to_string()).await.expect(200).json();
    assert_eq!(answer, kept);
    assert_eq!(server.get(&format!("{SCHEMAS}/{kind}")).await.expect(200).json(), kept);
    // The whole is sent again; when it was made stays unless that is said.
    let second = json!({"type": kind, "schema": {"type": "object", "required": ["a"]}});
    let answer = server.post(SCHEMAS, second.to_string()).await.expect(200).json();
    assert_eq!((&answer["schema"], &answer["created_at"]), (&second["schema"], &kept["created_at"]));
    assert_eq!(server.get(&format!("{SCHEMAS}/{kind}")).await.expect(200).json(), answer);
    let listed = server.get(&format!("{SCHEMAS}?limit=1000")).await.expect(200).json();
    assert_eq!(listed.as_array().expect("an array").iter().filter(|item| **item == answer).count(), 1, "{listed}");
    let newest = ids.of("newest");
    server.post(SCHEMAS, json!({"type": newest, "schema": {}, "created_at": "2096-01-01T00:00:00Z"}).to_string()).await.expect(200);
    assert_eq!(server.get(&format!("{SCHEMAS}?limit=1")).await.expect(200).json().as_array().map(Vec::len), Some(1));
    assert_eq!(server.get(&format!("{SCHEMAS}?limit=0&x=1")).await.expect(400).places(), ["limit", "x"]);
    server.get(&format!("{SCHEMAS}/{}", ids.of("none"))).await.expect(404);
    let shown = server.graphql("{ requestForDataSchemas(first: 50) { totalCount edges { node { type schema createdAt } } } }", json!({})).await;
    assert!(shown["requestForDataSchemas"]["totalCount"].as_i64().is_some_and(|count| count >= 2), "{shown}");
}

async fn rules_of_schemas(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let wrong = json!({"type": "a b", "schema": [], "created_at": 1, "x": 1});
    assert_eq!(server.post(SCHEMAS, wrong.to_string()).await.expect(422).places(), ["created_at", "schema", "type", "x"]);
    assert_eq!(server.post(SCHEMAS, "{}").await.expect(422).places(), ["schema", "type"]);
    server.post(SCHEMAS, "{").await.expect(400);
    for schema in [json!({"type": "nothing"}), json!({"$ref": "#"}), json!({"$ref": "http://127.0.0.1/x"}), json!({"properties": []})] {
        let body = json!({"type": ids.of("wrong"), "schema": schema});
        assert_eq!(server.post(SCHEMAS, body.to_string()).await.expect(422).places(), ["schema"], "{schema}");
    }
    server.get(&format!("{SCHEMAS}/{}", ids.of("wrong"))).await.expect(404);
}

async fn schemas_are_listed_in_pages(engine: Engine) {
    let (server, ids) = (Server::start(engine), Ids::new());
    let mut newest_first = Vec::new();
    for day in ["03", "02", "01"] {
        let made = json!({"type": ids.of(day), "schema": {}, "created_at": format!("2096-01-{day}T00:00:00Z")});
        newest_first.push(server.post(SCHEMAS, made.to_string()).await.expect(200).json());
    }
    for (query, wanted) in [("", &newest_first[..]), ("?limit=2", &newest_first[..2]), ("?limit=2&offset=2", &newest_first[2..]), ("?offset=3", &[])]
    {
        assert_eq!(server.get(&format!("{SCHEMAS}{query}")).await.expect(200).json(), json!(wanted), "{query}");
    }
}

async fn a_request_is_checked_by_the_schema_of_its_type(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    let payload = ask(&server, &case, &kind, json!({"years": 0, "x": 1}), json!({})).await;
    let mut messages: Vec<&str> = payload["userErrors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| error["message"].as_str().expect("text").split(": ").next().unwrap_or_default())
        .collect();
    messages.sort_unstable();
    assert_eq!(messages, ["request.actor_id", "request.x", "request.years"]);
    let unknown = ask(&server, &case, &ids.of("none"), json!({}), json!({})).await;
    assert_eq!(unknown["userErrors"][0]["code"], "INVALID", "{unknown}");
    let stale = ask(&server, &case, &kind, json!({"actor_id": "a"}), json!({"expectedVersion": 7})).await;
    assert_eq!(stale["userErrors"][0]["code"], "STALE", "{stale}");
    let nowhere = ask(&server, &case_id(), &kind, json!({"actor_id": "a"}), json!({})).await;
    assert_eq!((&nowhere["userErrors"][0]["code"], &nowhere["case"]), (&json!("NOT_FOUND"), &Value::Null));
    assert_eq!(step(&server, &case).await, "to-do");
    let shown = server.graphql("query($id: ID!) { case(id: $id) { requestsForData { totalCount } } }", json!({"id": case})).await;
    assert_eq!(shown["case"]["requestsForData"]["totalCount"], 0, "nothing half stored");
}

async fn a_case_waits_and_each_addition_completes(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    for what in ["actors", "communications", "files"] {
        let case = case(&server).await;
        let id = asked(&server, &case, &kind).await;
        let read = server.get(&format!("/api/request_for_data/{id}")).await.expect(200).json();
        let wanted = json!({"id": id, "type": kind, "case_id": case, "status": "REQUESTED", "request": {"actor_id": "a"},
            "created_at": read["created_at"], "due_at": read["due_at"]});
        assert_eq!(read, wanted);
        answer(&server, &case, what, &case_id(), &id).await.expect(200);
        assert_eq!(status(&server, &id).await, "COMPLETED", "{what}");
        // It is for a person to go on with it.
        assert_eq!(step(&server, &case).await, "waiting-for-data", "{what}");
        act(&server, &case, "RESUME").await;
        assert_eq!(reject(&server, &id).await.expect(400).places(), ["id"], "what is completed can't be rejected");
        assert_eq!((status(&server, &id).await.as_str(), step(&server, &case).await.as_str()), ("COMPLETED", "in-progress"));
        let query = "query($id: ID!) { requestForData(id: $id) { status endedAt reason case { id requestsForData { totalCount } } } }";
        let shown = server.graphql(query, json!({"id": id})).await;
        assert!(shown["requestForData"]["endedAt"].is_string(), "{shown}");
        assert_eq!(shown["requestForData"]["case"], json!({"id": case, "requestsForData": {"totalCount": 1}}));
    }
}

async fn what_is_no_open_request_of_the_case_is_refused(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    let (own, other) = (case(&server).await, case(&server).await);
    let (open, of_other) = (asked(&server, &own, &kind).await, asked(&server, &other, &kind).await);
    answer(&server, &own, "communications", &case_id(), &open).await.expect(200);
    for what in ["actors", "communications", "files"] {
        let refused = if what == "files" { 400 } else { 422 };
        for request in [&case_id(), &of_other, &open] {
            let id = case_id();
            assert_eq!(answer(&server, &own, what, &id, request).await.expect(refused).places(), ["service-rfd-id"], "{what}");
            if what == "actors" {
                server.get(&format!("/api/actors/{id}")).await.expect(404);
            }
        }
        assert_eq!(answer(&server, &own, what, &case_id(), "none").await.expect(400).places(), ["service-rfd-id"]);
    }
    assert_eq!(status(&server, &of_other).await, "REQUESTED");
}

/// Its first answer was lost. What has an id of its own needs no key to be known again; what is another addition answers nothing that is answered.
async fn an_answer_that_is_sent_again_is_taken(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    let standing = async |case: &str| {
        let query = "query($id: ID!) { case(id: $id) { version events { totalCount } } }";
        server.graphql(query, json!({"id": case})).await["case"].take()
    };
    for what in ["actors", "communications"] {
        let case = case(&server).await;
        let (first, second) = (asked(&server, &case, &kind).await, asked(&server, &case, &kind).await);
        let id = case_id();
        let told = answer(&server, &case, what, &id, &first).await.expect(200).text;
        let after = standing(&case).await;
        for request in [&first, &first.to_uppercase()] {
            assert_eq!(answer(&server, &case, what, &id, request).await.expect(200).text, told, "{what}");
        }
        assert_eq!(standing(&case).await, after, "{what}: the same again changes nothing");
        assert_eq!((status(&server, &first).await, status(&server, &second).await), ("COMPLETED".to_owned(), "REQUESTED".to_owned()));
        // Another addition is no answer to it, and what answers nothing is taken.
        assert_eq!(answer(&server, &case, what, &case_id(), &first).await.expect(422).places(), ["service-rfd-id"], "{what}");
        let other = if what == "actors" { "communications" } else { "actors" };
        assert_eq!(answer(&server, &case, other, &id, &first).await.expect(422).places(), ["service-rfd-id"], "{what}: of another kind");
        // The same may answer another request, and one that was rejected is not answered.
        answer(&server, &case, what, &id, &second).await.expect(200);
        assert_eq!(status(&server, &second).await, "COMPLETED", "{what}");
        act(&server, &case, "RESUME").await;
        let third = asked(&server, &case, &kind).await;
        reject(&server, &third).await.expect(200);
        assert_eq!(answer(&server, &case, what, &id, &third).await.expect(422).places(), ["service-rfd-id"], "{what}");
        // All at once, from several sides: it is completed once.
        let fourth = asked(&server, &case, &kind).await;
        let before = standing(&case).await["version"].as_i64().expect("a version");
        let added = case_id();
        let answers = futures::future::join_all((0..6).map(|_| answer(&server, &case, what, &added, &fourth))).await;
        answers.into_iter().for_each(|answer| drop(answer.expect(200)));
        assert_eq!(standing(&case).await["version"], before + 1, "{what}");
    }
}

async fn only_an_addition_that_succeeds_completes(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    let id = asked(&server, &case, &kind).await;
    let path = |what: &str| format!("/api/cases/{case}/{what}");
    let program = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.exe\"\r\n\r\nMZ\r\n--x--\r\n";
    let upload = server.request("POST", &path("files")).header("content-type", "multipart/form-data; boundary=x").body(program);
    let without_type = json!({"actor": {"id": ids.of("actor"), "as_of_date": "2024-01-31"}});
    for (refused, status, place) in [
        (server.posting(&path("actors"), without_type.to_string()), 422, "actor.type"),
        (server.posting(&path("communications"), "{}"), 422, "id"),
        (upload, 415, "file"),
    ] {
        let answer = server.send(refused.header("service-rfd-id", &id)).await.expect(status);
        assert!(answer.places().iter().any(|told| told == place), "{answer:?}");
        assert_eq!((self::status(&server, &id).await.as_str(), step(&server, &case).await.as_str()), ("REQUESTED", "waiting-for-data"));
    }
    answer(&server, &case, "actors", &ids.of("actor"), &id).await.expect(200);
    assert_eq!(status(&server, &id).await, "COMPLETED");
}

async fn a_rejected_request_puts_the_case_back(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    for (claimed, path, before) in [(false, "/request_for_data", "to-do"), (true, "/api/request_for_data", "in-progress")] {
        let case = case(&server).await;
        if claimed {
            act(&server, &case, "CLAIM").await;
        }
        let id = asked(&server, &case, &kind).await;
        let rejected = server.post(&format!("{path}/{id}/reject"), r#"{"reason":"nobody knows"}"#).await.expect(200).json();
        assert_eq!((&rejected["status"], &rejected["reason"], &rejected["id"]), (&json!("REJECTED"), &json!("nobody knows"), &json!(id)));
        assert_eq!((status(&server, &id).await.as_str(), step(&server, &case).await.as_str()), ("REJECTED", before));
        // Where the case stands is said of the case too, so that lists find it.
        let listed =
            server.graphql("query($id: ID!) { case(id: $id) { step { stepId status } workflow { status } actions } }", json!({"id": case})).await;
        assert_eq!(listed["case"]["step"]["stepId"], before);
        assert_eq!(listed["case"]["step"]["status"], listed["case"]["workflow"]["status"]);
        // Rejected again it stays as it is, and so does the case; its id in capitals is the same.
        act(&server, &case, "SET_ON_HOLD").await;
        assert_eq!(status(&server, &id.to_uppercase()).await, "REJECTED");
        let again = server.post(&format!("{path}/{}/reject", id.to_uppercase()), r#"{"reason":"other"}"#).await.expect(200).json();
        assert_eq!(again["reason"], "nobody knows");
        assert_eq!(step(&server, &case).await, "on-hold");
    }
    // Who has moved the case on knows where it is to be.
    let case = case(&server).await;
    let id = asked(&server, &case, &kind).await;
    act(&server, &case, "CLOSE").await;
    reject(&server, &id).await.expect(200);
    assert_eq!((status(&server, &id).await.as_str(), step(&server, &case).await.as_str()), ("REJECTED", "closed"));
    reject(&server, &case_id()).await.expect(404);
    assert_eq!(server.post(&format!("/request_for_data/{id}/reject"), "{}").await.expect(400).places(), ["reason"]);
    // What is no UUID is no request's id.
    for nobody in [case_id(), ids.of("none")] {
        assert_eq!(server.get(&format!("/api/request_for_data/{nobody}")).await.expect(404).places(), ["id"], "{nobody}");
    }
}

async fn several_requests_are_waited_for_together(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    let (first, second) = (asked(&server, &case, &kind).await, asked(&server, &case, &kind).await);
    reject(&server, &first).await.expect(200);
    assert_eq!(step(&server, &case).await, "waiting-for-data", "the second is still waited for");
    reject(&server, &second).await.expect(200);
    assert_eq!(step(&server, &case).await, "to-do");
    // All at once, from several sides.
    let mut all = Vec::new();
    for _ in 0..5 {
        all.push(asked(&server, &case, &kind).await);
    }
    for answer in futures::future::join_all(all.iter().map(|id| reject(&server, id))).await {
        answer.expect(200);
    }
    assert_eq!(step(&server, &case).await, "to-do");
}

/// Whichever of the requests is rejected last, and whether the later one was answered or rejected.
async fn a_case_that_came_to_wait_twice_goes_back_where_it_was_last(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    for ended_first in ["first", "second", "second by an answer", "second, and a third is asked for"] {
        let case = case(&server).await;
        let first = asked(&server, &case, &kind).await;
        act(&server, &case, "RESUME").await;
        assert_eq!(step(&server, &case).await, "in-progress");
        let second = asked(&server, &case, &kind).await;
        let last = match ended_first {
            "first" => {
                reject(&server, &first).await.expect(200);
                second
            }
            "second by an answer" => {
                answer(&server, &case, "communications", &case_id(), &second).await.expect(200);
                first
            }
            "second" => {
                reject(&server, &second).await.expect(200);
                first
            }
            _ => {
                reject(&server, &second).await.expect(200);
                let third = asked(&server, &case, &kind).await;
                reject(&server, &first).await.expect(200);
                third
            }
        };
        assert_eq!(step(&server, &case).await, "waiting-for-data", "{ended_first}: the other is still waited for");
        reject(&server, &last).await.expect(200);
        assert_eq!(step(&server, &case).await, "in-progress", "{ended_first}");
    }
}

async fn only_from_where_the_workflow_allows(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    act(&server, &case, "CLOSE").await;
    let closed = ask(&server, &case, &kind, json!({"actor_id": "a"}), json!({})).await;
    assert_eq!((&closed["userErrors"][0]["code"], &closed["userErrors"][0]["current"]["status"]), (&json!("NOT_ALLOWED"), &json!("CLOSED")));
    // A workflow without a step for it.
    let filing = server.post("/api/cases", r#"{"type":"FILING"}"#).await.expect(200).json();
    let refused = ask(&server, filing["case_id"].as_str().expect("an id"), &kind, json!({"actor_id": "a"}), json!({})).await;
    assert_eq!(refused["userErrors"][0]["code"], "NOT_ALLOWED", "{refused}");
}

async fn a_key_asks_once(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    let key = json!({"idempotencyKey": ids.of("key")});
    let first = ask(&server, &case, &kind, json!({"actor_id": "a"}), key.clone()).await;
    let again = ask(&server, &case, &kind, json!({"actor_id": "a"}), key.clone()).await;
    assert_eq!(first["requestForData"]["id"], again["requestForData"]["id"]);
    let other = ask(&server, &case, &kind, json!({"actor_id": "b"}), key).await;
    assert_eq!(other["userErrors"][0]["code"], "INVALID", "{other}");
    // An answer that is sent again is answered again, though the request is completed.
    let request = first["requestForData"]["id"].as_str().expect("an id");
    let body = json!({"id": case_id(), "type": "email", "sender_id": "a", "receiver_id": "b", "subject": "Data"}).to_string();
    for replayed in ["", "true"] {
        let path = format!("/api/cases/{case}/communications");
        let sending = server.posting(&path, body.clone()).header("service-rfd-id", request).header("idempotency-key", ids.of("answer"));
        assert_eq!(server.send(sending).await.expect(200).header("idempotent-replayed"), replayed);
    }
}

async fn events_tell_of_it_in_order(engine: Engine) {
    let (mut server, ids) = (Server::start(engine), Ids::new());
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    let first = asked(&server, &case, &kind).await;
    let second = asked(&server, &case, &kind).await;
    answer(&server, &case, "communications", &case_id(), &first).await.expect(200);
    reject(&server, &second).await.expect(200);
    let query =
        format!("MATCH (e:Event) WHERE e.caseId = '{case}' WITH e ORDER BY e.sequence RETURN e.name AS name, e.sequence AS sequence, e.data AS data");
    let rows = server.cypher(&query);
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().expect("a name")).collect();
    let wanted = [
        "case.created",
        "case.workflow.actioned",
        "case.workflow.transitioned",
        "request_for_data.created",
        "request_for_data.created",
        "case.updated",
        "case.workflow.transitioned",
    ];
    assert_eq!(names, wanted);
    assert!(rows.iter().zip(1..).all(|(row, sequence)| row["sequence"] == json!(sequence)), "{rows:?}");
    let data = |at: usize| -> Value { serde_json::from_str(rows[at]["data"].as_str().expect("text")).expect("JSON") };
    assert_eq!(data(3), json!({"rfd_id": first, "type": kind, "case_id": case}));
    assert_eq!(
        (&data(2)["fromStepId"], &data(2)["toStepId"], &data(2)["actionName"]),
        (&json!("to-do"), &json!("waiting-for-data"), &json!("REQUEST_DATA"))
    );
    assert_eq!((&data(6)["fromStepId"], &data(6)["toStepId"]), (&json!("waiting-for-data"), &json!("to-do")));
}

async fn who_may(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (case, kind) = (case(&server).await, schema(&server, &ids).await);
    let id = asked(&server, &case, &kind).await;
    for (role, reads, schemas, rejects) in
        [("INGEST", 200, 200, 200), ("ANALYST", 200, 403, 200), ("SUPERVISOR", 200, 403, 200), ("AUDITOR", 200, 403, 403), ("ADMIN", 200, 200, 200)]
    {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        assert_eq!(api.get(&format!("/api/request_for_data/{id}")).await.status, reads, "{role}");
        assert_eq!(api.get(SCHEMAS).await.status, reads, "{role}");
        assert_eq!(api.get(&format!("{SCHEMAS}/{kind}")).await.status, reads, "{role}");
        assert_eq!(api.post(SCHEMAS, json!({"type": ids.of(role), "schema": {}}).to_string()).await.status, schemas, "{role}");
        assert_eq!(reject(&api, &id).await.status, rejects, "{role}");
        let query = "mutation($input: RequestDataInput!) { requestData(input: $input) { userErrors { code } } }";
        let asked = api.graphql_answer(query, json!({"input": {"caseId": case, "type": kind, "request": {"actor_id": "a"}}})).await;
        match role {
            "INGEST" | "AUDITOR" => assert_eq!(asked["errors"][0]["extensions"]["code"], "FORBIDDEN", "{role}: {asked}"),
            _ => assert!(asked["errors"].is_null(), "{role}: {asked}"),
        }
    }
}

/// Ends a request by a mutation.
async fn ended(api: &Api, field: &str, input: Value) -> Value {
    let kind = format!("{}{}Input", field[..1].to_uppercase(), &field[1..]);
    let shown =
        "requestForData { id status reason endedAt endedByPrincipal { id } answeringActor { id } answeringCommunication { id } answeringFile { id } }
        case { id version step { stepId } } userErrors { path code message }";
    let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ {shown} }} }}");
    api.graphql_in_time(&query, json!({"input": input})).await
}

async fn a_request_is_rejected_or_fulfilled_over_graphql(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    // What answers is the case's already: an actor, a communication, a file.
    for (what, field, member, shown) in [
        ("actors", "actor_id", "actorId", "answeringActor"),
        ("communications", "communication_id", "communicationId", "answeringCommunication"),
        ("files", "file_id", "fileId", "answeringFile"),
    ] {
        // The case names an actor and a communication whose records have not come.
        let placeholder = case_id();
        let made = server.post("/api/cases", json!({"actors": [{"id": placeholder}]}).to_string()).await.expect(200).json();
        let case = made["case_id"].as_str().expect("an id").to_owned();
        server.put(&format!("/api/cases/{case}"), json!({"communication_ids": [placeholder]}).to_string()).await.expect(200);
        let first = asked(&server, &case, &kind).await;
        // Both wait at once: a case that waits for nothing more has to be moved on first.
        let id = asked(&server, &case, &kind).await;
        let thing = if what == "communications" { case_id() } else { ids.of(what) };
        let added = answer(&server, &case, what, &thing, &first).await.expect(200).json();
        let thing = if what == "files" { added["id"].as_str().expect("an id").to_owned() } else { thing };
        let fulfil = async |answer: &str| ended(&server, "fulfilRequestForData", json!({"requestForDataId": id, member: answer})).await;
        for other in [&case_id(), &placeholder] {
            let refused = fulfil(other).await["data"]["fulfilRequestForData"].take();
            let told = (&refused["userErrors"][0]["code"], &refused["requestForData"]["status"]);
            assert_eq!(told, (&json!("INVALID"), &json!("REQUESTED")), "{field}: {refused}");
        }
        let done = fulfil(&thing).await["data"]["fulfilRequestForData"].take();
        assert_eq!((&done["userErrors"], &done["requestForData"][shown]["id"]), (&json!([]), &json!(thing)), "{done}");
        assert!(done["requestForData"]["endedAt"].is_string() && done["requestForData"]["endedByPrincipal"]["id"].is_string(), "{done}");
        assert_eq!((status(&server, &id).await.as_str(), step(&server, &case).await.as_str()), ("COMPLETED", "waiting-for-data"));
        // Again: nothing. By something else, or rejected: refused.
        assert_eq!(fulfil(&thing).await["data"]["fulfilRequestForData"], done);
        let late = ended(&server, "rejectRequestForData", json!({"requestForDataId": id, "reason": "too late"})).await;
        for (field, answer) in [("fulfilRequestForData", fulfil(&case_id()).await), ("rejectRequestForData", late)] {
            let error = &answer["data"][field]["userErrors"][0];
            assert_eq!((&error["code"], &error["path"]), (&json!("INVALID"), &json!(["input", "requestForDataId"])), "{answer}");
        }
    }

    // Rejected: as REST rejects, and the case goes back.
    let case = case(&server).await;
    let before = step(&server, &case).await;
    let id = asked(&server, &case, &kind).await;
    let unsaid = ended(&server, "rejectRequestForData", json!({"requestForDataId": id, "reason": ""})).await;
    assert_eq!(unsaid["data"]["rejectRequestForData"]["userErrors"][0]["code"], "INVALID", "{unsaid}");
    let rejected =
        ended(&server, "rejectRequestForData", json!({"requestForDataId": id, "reason": "nobody knows", "idempotencyKey": ids.of("key")})).await;
    let rejected = &rejected["data"]["rejectRequestForData"];
    let read = server.get(&format!("/api/request_for_data/{id}")).await.expect(200).json();
    assert_eq!((&rejected["userErrors"], &rejected["requestForData"]["reason"]), (&json!([]), &read["reason"]), "{rejected}");
    assert_eq!((&read["status"], &rejected["requestForData"]["status"]), (&json!("REJECTED"), &json!("REJECTED")));
    assert_eq!((step(&server, &case).await, &rejected["case"]["step"]["stepId"]), (before.clone(), &json!(before)));
    for (field, more) in [("rejectRequestForData", json!({"reason": "x"})), ("fulfilRequestForData", json!({"actorId": "a"}))] {
        let mut input = json!({"requestForDataId": case_id()});
        input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let unknown = ended(&server, field, input).await;
        assert_eq!(unknown["data"][field]["userErrors"][0]["code"], "NOT_FOUND", "{unknown}");
    }
    let vague = ended(&server, "fulfilRequestForData", json!({"requestForDataId": id})).await;
    assert_eq!(vague["data"]["fulfilRequestForData"]["userErrors"][0]["code"], "INVALID", "{vague}");

    // The schema of a request, and of a type, is the one that REST has; a new request comes with its place in the list.
    let kept = server.get(&format!("{SCHEMAS}/{kind}")).await.expect(200).json();
    let query = "query($id: ID!, $type: String!, $none: String!) { requestForData(id: $id) { schema { type schema dueWithinSeconds } }
        requestForDataSchema(type: $type) { id schema } none: requestForDataSchema(type: $none) { id } }";
    let shown = server.graphql(query, json!({"id": id, "type": kind, "none": ids.of("none")})).await;
    assert_eq!(shown["requestForData"]["schema"], json!({"type": kind, "schema": kept["schema"], "dueWithinSeconds": null}));
    assert_eq!((&shown["requestForDataSchema"], &shown["none"]), (&json!({"id": kind, "schema": kept["schema"]}), &Value::Null));
    let query =
        "mutation($input: RequestDataInput!) { requestData(input: $input) { requestForData { id } requestForDataEdge { cursor node { id } } } }";
    let made = server.graphql(query, json!({"input": {"caseId": case, "type": kind, "request": {"actor_id": "a"}}})).await["requestData"].take();
    assert_eq!(made["requestForDataEdge"]["node"], made["requestForData"]);
    let list = "query($case: ID!) { requestsForData(first: 5, filter: {caseId: $case}) { edges { cursor node { id } } } }";
    let listed = server.graphql(list, json!({"case": case})).await["requestsForData"]["edges"].take();
    assert!(listed.as_array().expect("edges").contains(&made["requestForDataEdge"]), "{listed} {made}");
}

async fn roles_decide_who_ends_a_request(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let kind = schema(&server, &ids).await;
    for (role, may) in [("INGEST", false), ("ANALYST", true), ("SUPERVISOR", true), ("AUDITOR", false), ("ADMIN", true)] {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        let api = server.with_key(made["key"].as_str().expect("a key"));
        for (field, more) in [("rejectRequestForData", json!({"reason": "x"})), ("fulfilRequestForData", json!({"actorId": ids.of("a")}))] {
            let case = case(&server).await;
            let added = json!({"actor": {"id": ids.of("a"), "type": "INDIVIDUAL", "as_of_date": "2024-01-31"}});
            server.post(&format!("/api/cases/{case}/actors"), added.to_string()).await.expect(200);
            let id = asked(&server, &case, &kind).await;
            let mut input = json!({"requestForDataId": id});
            input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            let answered = ended(&api, field, input).await;
            if may {
                assert_eq!(answered["data"][field]["userErrors"], json!([]), "{role} {field}: {answered}");
            } else {
                assert_eq!(answered["errors"][0]["extensions"]["code"], "FORBIDDEN", "{role} {field}: {answered}");
                assert_eq!(status(&server, &id).await, "REQUESTED", "{role} {field}: nothing was done");
            }
        }
    }
}
