//! An analyst's work on cases over GraphQL alone, beside what REST shows of it: opening, adding, setting, and lists of cases at once.

use serde_json::{Value, json};

use crate::support::bulk::{eventually_is, taken};
use crate::support::case_work::done;
use crate::support::fixtures::case_id;
use crate::support::observations::observation;
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: a_case_is_worked_on_from_its_opening_on, what_is_wrong_is_told_and_changes_nothing, lists_of_cases_have_one_result_each,
    what_a_person_sets_is_the_whole];

/// An analyst, by a key.
async fn analyst(server: &Api) -> Api {
    let made = server.post("/admin/keys", json!({"role": "ANALYST"}).to_string()).await.expect(201).json();
    server.with_key(made["key"].as_str().expect("a key"))
}

/// Runs a mutation whose payload shows these fields.
async fn act(api: &Api, field: &str, shown: &str, input: Value) -> Value {
    let kind = format!("{}{}Input", field[..1].to_uppercase(), &field[1..]);
    let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ userErrors {{ code message }} {shown} }} }}");
    api.graphql(&query, json!({"input": input})).await[field].take()
}

async fn read(api: &Api, case: &str) -> Value {
    api.get(&format!("/api/cases/{case}")).await.expect(200).json()
}

async fn version(api: &Api, case: &str) -> i64 {
    let shown = api.graphql("query($id: ID!) { case(id: $id) { version } }", json!({"id": case})).await;
    shown["case"]["version"].as_i64().expect("a version")
}

async fn a_case_is_worked_on_from_its_opening_on(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let api = analyst(&server).await;
    let (focal, other, observation) = (ids.of("focal"), ids.of("other"), ids.of("observation"));
    let create = json!({"actors": [{"actorId": focal, "type": "FOCAL"}, {"actorId": other}], "observationIds": [observation],
        "metadata": {"m": 1}, "idempotencyKey": ids.of("create")});
    let made = act(&api, "createCase", "case { id version type }", create.clone()).await;
    assert_eq!(made["userErrors"], json!([]), "{made}");
    let id = made["case"]["id"].as_str().expect("an id").to_owned();
    assert_eq!(made["case"], json!({"id": id, "version": 1, "type": "ANALYSIS"}));
    assert_eq!(act(&api, "createCase", "case { id version type }", create).await, made, "the same key opens one");

    // The same by REST.
    let twin = case_id();
    let body = json!({"id": twin, "actors": [{"id": focal, "type": "FOCAL"}, {"id": other}], "observation_ids": [observation], "metadata": {"m": 1}});
    server.post("/api/cases", body.to_string()).await.expect(200);
    let (case, wanted) = (read(&server, &id).await, read(&server, &twin).await);
    for part in ["type", "workflow", "actors", "observations", "metadata", "source"] {
        assert_eq!(case[part], wanted[part], "{part}");
    }

    let note = json!({"caseId": id, "type": "email", "subject": "Hello", "content": "…", "senderId": focal, "senderIsActor": true,
        "receiverId": "bank", "customData": {"x": 1}, "idempotencyKey": ids.of("note")});
    let shown = "case { version } communication { id type subject content senderId receiverId customData metadata sender { id } receiver { id } }";
    let noted = act(&api, "addCaseCommunication", shown, note.clone()).await;
    assert_eq!(act(&api, "addCaseCommunication", shown, note).await, noted, "the same key adds one");
    assert_eq!((&noted["userErrors"], &noted["case"]["version"]), (&json!([]), &json!(2)), "{noted}");
    let letter = json!({"id": case_id(), "type": "email", "subject": "Hello", "content": "…", "sender_id": focal, "receiver_id": "bank",
        "custom_data": {"x": 1}, "metadata": {"sender_identifiable_as_actor": true}});
    server.post(&format!("/api/cases/{twin}/communications"), letter.to_string()).await.expect(200);
    let query = "query($id: ID!) { case(id: $id) { communications(first: 5) { nodes { id type subject content senderId receiverId customData
        metadata sender { id } receiver { id } } } } }";
    let of_case = api.graphql(query, json!({"id": id})).await["case"]["communications"]["nodes"].take();
    assert_eq!(of_case, json!([noted["communication"]]));
    let mut by_rest = api.graphql(query, json!({"id": twin})).await["case"]["communications"]["nodes"][0].take();
    by_rest["id"] = noted["communication"]["id"].clone();
    assert_eq!(by_rest, noted["communication"]);

    let set = |properties: Value, version: i64| json!({"caseId": id, "properties": properties, "expectedVersion": version});
    let properties = json!([{"name": "c__list", "value": [1, 2]}, {"name": "c__text", "value": "a"}]);
    assert_eq!(done(&api, "setCaseProperties", set(properties.clone(), 2)).await, 3);
    assert_eq!(done(&api, "setCaseProperties", set(properties, 3)).await, 3, "it was so already");
    let more = json!([{"name": "c__list", "value": [3], "append": true}, {"name": "c__text", "value": null}]);
    assert_eq!(done(&api, "setCaseProperties", set(more, 3)).await, 4);
    let case = read(&server, &id).await;
    assert_eq!((&case["c__list"], case.get("c__text")), (&json!([1, 2, 3]), None));
    assert_eq!(done(&api, "setCaseProperties", set(json!([{"name": "c__list", "value": [4]}]), 4)).await, 5);
    assert_eq!(read(&server, &id).await["c__list"], json!([4]), "it takes the place of the list before");

    let resolve = |value: Value, version: i64| json!({"caseId": id, "resolution": value, "expectedVersion": version});
    assert_eq!(done(&api, "setCaseResolution", resolve(json!(["so"]), 5)).await, 6);
    assert_eq!(done(&api, "setCaseResolution", resolve(json!(["otherwise"]), 6)).await, 7);
    assert_eq!(read(&server, &id).await["resolution"], json!(["otherwise"]));
    assert_eq!(done(&api, "closeCase", json!({"caseId": id})).await, 8);
    assert_eq!(done(&api, "setCaseResolution", resolve(Value::Null, 8)).await, 9);
    assert!(read(&server, &id).await["resolution"].is_null());
    assert_eq!(done(&api, "reopenCase", json!({"caseId": id})).await, 10);
}

async fn what_is_wrong_is_told_and_changes_nothing(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let api = analyst(&server).await;
    let id = case_id();
    server.post("/api/cases", json!({"id": id}).to_string()).await.expect(200);
    let refused = [
        ("createCase", json!({"workflowId": ids.of("none")}), "INVALID", "workflowId: "),
        ("createCase", json!({"id": id, "type": "FILING"}), "INVALID", "id: "),
        ("createCase", json!({"actors": [{"actorId": "a", "type": "FOCAL"}, {"actorId": "a", "type": "CONNECTION"}]}), "INVALID", "actors[1].type: "),
        ("addCaseCommunication", json!({"caseId": id, "type": "email", "subject": "s", "senderId": "", "receiverId": "b"}), "INVALID", "senderId: "),
        ("addCaseCommunication", json!({"caseId": case_id(), "type": "email", "subject": "s", "senderId": "a", "receiverId": "b"}), "NOT_FOUND", ""),
        ("setCaseProperties", json!({"caseId": id, "properties": []}), "INVALID", "properties: "),
        ("setCaseProperties", json!({"caseId": id, "properties": [{"name": "resolution", "value": 1}]}), "INVALID", "properties[0].name: "),
        (
            "setCaseProperties",
            json!({"caseId": id, "properties": [{"name": "c__x", "value": 1}, {"name": "c__x", "value": 2}]}),
            "INVALID",
            "properties[1].name: ",
        ),
        (
            "setCaseProperties",
            json!({"caseId": id, "properties": [{"name": "c__x", "value": 1}, {"name": "c__", "value": 2}]}),
            "INVALID",
            "properties[1].name: ",
        ),
        ("setCaseProperties", json!({"caseId": id, "properties": [{"name": "c__x", "value": 1}], "expectedVersion": 7}), "STALE", ""),
        ("setCaseResolution", json!({"caseId": id, "resolution": 1, "expectedVersion": 7}), "STALE", ""),
        ("setCaseResolution", json!({"caseId": case_id(), "resolution": 1}), "NOT_FOUND", ""),
        ("assignCases", json!({"cases": []}), "INVALID", "cases: "),
        ("closeCases", json!({"cases": [{"caseId": id}, {"caseId": id}]}), "INVALID", "cases[1].caseId: "),
    ];
    for (field, input, code, begin) in refused {
        let payload = act(&api, field, "", input.clone()).await;
        let error = &payload["userErrors"][0];
        assert_eq!(error["code"], code, "{field} {input}: {payload}");
        assert!(error["message"].as_str().is_some_and(|message| message.starts_with(begin)), "{field} {input}: {payload}");
    }
    assert_eq!(version(&api, &id).await, 1);
}

async fn lists_of_cases_have_one_result_each(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let api = analyst(&server).await;
    let cases: Vec<String> = (0..3).map(|_| case_id()).collect();
    for case in &cases {
        server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    }
    let (missing, user, tag) = (case_id(), ids.of("user"), ids.of("tag"));
    // The second is decided by a version that it does not have, the third is nowhere.
    let named = |version: i64| json!([{"caseId": cases[0], "expectedVersion": version}, {"caseId": cases[1], "expectedVersion": 99}, {"caseId": missing}, {"caseId": cases[2]}]);
    let acts = [
        ("assignCases", json!({"cases": named(1), "userId": user, "idempotencyKey": ids.of("assign")})),
        ("tagCases", json!({"cases": named(2), "add": [{"id": tag, "label": "Tag"}], "idempotencyKey": ids.of("tag")})),
        ("closeCases", json!({"cases": named(3), "closeReason": "KNOWN", "resolution": "fine", "idempotencyKey": ids.of("close")})),
    ];
    let shown = "results { case { id version } userErrors { code } }";
    for (version, (field, input)) in (2..).zip(acts) {
        let wanted = json!([
            {"case": {"id": cases[0], "version": version}, "userErrors": []},
            {"case": {"id": cases[1], "version": 1}, "userErrors": [{"code": "STALE"}]},
            {"case": null, "userErrors": [{"code": "NOT_FOUND"}]},
            {"case": {"id": cases[2], "version": version}, "userErrors": []},
        ]);
        for _ in 0..2 {
            let payload = act(&api, field, shown, input.clone()).await;
            assert_eq!((&payload["userErrors"], &payload["results"]), (&json!([]), &wanted), "{field}, and again with the same key");
        }
    }
    // The same key is for the same list alone; another one is refused as a whole, also where it is longer, or of another kind.
    let fresh = case_id();
    server.post("/api/cases", json!({"id": fresh}).to_string()).await.expect(200);
    let longer: Vec<Value> = (0..6).map(|_| json!({"caseId": case_id()})).chain([json!({"caseId": fresh})]).collect();
    for (field, input) in [
        ("assignCases", json!({"cases": [{"caseId": fresh}], "userId": user, "idempotencyKey": ids.of("assign")})),
        ("assignCases", json!({"cases": longer, "userId": user, "idempotencyKey": ids.of("assign")})),
        ("tagCases", json!({"cases": [{"caseId": fresh}], "add": [{"id": tag, "label": "Tag"}], "idempotencyKey": ids.of("assign")})),
        ("closeCases", json!({"cases": [{"caseId": fresh}], "closeReason": "KNOWN", "idempotencyKey": "k".repeat(251)})),
    ] {
        let payload = act(&api, field, shown, input.clone()).await;
        let error = &payload["userErrors"][0];
        assert_eq!((&payload["results"], &error["code"]), (&json!([]), &json!("INVALID")), "{field}: {payload}");
        assert!(error["message"].as_str().is_some_and(|message| message.starts_with("idempotencyKey: ")), "{field}: {payload}");
    }
    assert_eq!(version(&api, &fresh).await, 1, "nothing was done of it");
    // What is said of each is checked once, for all of them.
    let much = json!({"cases": (0..500).map(|_| json!({"caseId": case_id()})).collect::<Vec<Value>>(), "resolution": "r".repeat(40_000)});
    for (input, begin) in [(much, "cases: "), (json!({"cases": [{"caseId": fresh}], "closeReason": "c".repeat(1_001)}), "closeReason: ")] {
        let payload = act(&api, "closeCases", "results { userErrors { code } }", input).await;
        let message = payload["userErrors"][0]["message"].as_str().unwrap_or_default();
        assert!(message.starts_with(begin) && payload["results"] == json!([]), "{payload}");
    }
    for (case, is_done) in [(&cases[0], true), (&cases[1], false), (&cases[2], true)] {
        let shown = read(&server, case).await;
        let wanted = if is_done { (json!([{"id": tag, "label": "Tag"}]), json!("fine")) } else { (json!([]), Value::Null) };
        assert_eq!((&shown["tags"], &shown["resolution"]), (&wanted.0, &wanted.1), "{shown}");
        let query = "query($id: ID!) { case(id: $id) { assignee { id } step { state } } }";
        let wanted = if is_done {
            json!({"assignee": {"id": user}, "step": {"state": "CLOSED"}})
        } else {
            json!({"assignee": null, "step": {"state": "OPEN"}})
        };
        assert_eq!(api.graphql(query, json!({"id": case})).await["case"], wanted);
    }
}

/// What was acknowledged before and comes later is not added to it; and the audit log has what was there and what is there then.
async fn what_a_person_sets_is_the_whole(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (api, id) = (analyst(&server).await, case_id());
    server.post("/api/cases", json!({"id": id}).to_string()).await.expect(200);
    let sent = r#"{"c__list": [1, 2], "c__more": [1], "c__same": {"a" : 1}, "resolution": ["a"]}"#;
    server.patch(&format!("/api/cases/{id}"), sent).await.expect(200);
    let item =
        json!({"id": id, "observation_ids": [ids.of("late")], "c__list": ["late"], "c__more": ["late"], "c__new": ["late"], "resolution": ["late"]});
    taken(&server, &ids.of("waiting"), &json!({"cases": [item]})).await;
    eventually_is(&server, &id, "DEFERRED").await;
    let set = |properties: Value| json!({"caseId": id, "properties": properties});
    let whole = json!([{"name": "c__list", "value": [3]}, {"name": "c__new", "value": [4]}]);
    assert_eq!(done(&api, "setCaseProperties", set(whole)).await, 3);
    assert_eq!(done(&api, "setCaseProperties", set(json!([{"name": "c__more", "value": [2], "append": true}]))).await, 4);
    assert_eq!(done(&api, "setCaseProperties", set(json!([{"name": "c__same", "value": {"a": 1}}]))).await, 4, "it was so already, in other blanks");
    assert_eq!(done(&api, "setCaseResolution", json!({"caseId": id, "resolution": ["b"]})).await, 5);
    server.post("/api/observations", observation(&ids.of("late")).to_string()).await.expect(200);
    eventually_is(&server, &id, "COMPLETED").await;
    let case = read(&server, &id).await;
    assert_eq!((&case["c__list"], &case["c__new"], &case["resolution"]), (&json!([3]), &json!([4]), &json!(["b"])), "{case}");
    assert_eq!(case["c__more"], json!([1, 2, "late"]), "what was added to is added to: {case}");
    let path = format!("/api/audit_logs?startDate=2020-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&caseId={id}&logType=UPDATE");
    let entries = server.get(&path).await.expect(200).json();
    let values = |entry: &Value| {
        let read = |name: &str| entry["json_"][name].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        (read("oldValue"), read("newValue"))
    };
    let wanted = (Some(json!({"c__more": [1]})), Some(json!({"c__more": [1, 2]})));
    assert!(entries["values"].as_array().expect("entries").iter().any(|entry| values(entry) == wanted), "{entries}");
}
