//! An analyst's work on cases over GraphQL alone, beside what REST shows of it: opening, adding, setting, and lists of cases at once.

use serde_json::{Value, json};

use crate::support::bulk::{eventually_is, taken};
use crate::support::case_work::{act, analyst, done};
use crate::support::fixtures::case_id;
use crate::support::observations::observation;
use crate::support::{Api, Engine, Ids, Server, tests};

tests![both: a_case_is_worked_on_from_its_opening_on, what_is_wrong_is_told_and_changes_nothing, lists_of_cases_have_one_result_each,
    what_a_person_sets_is_the_whole, actors_are_added_as_systems_add_them,
    edges_of_payloads_have_the_cursors_of_lists, a_filing_leads_to_its_analysis_and_back];

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
    let (focal, other, observation) = (ids.of("focal"), ids.of("another"), ids.of("observation"));
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
    let query = "query($id: ID!) { case(id: $id) { actors(first: 5) { edges { type node { id } } } } }";
    let people = api.graphql(query, json!({"id": id})).await["case"]["actors"]["edges"].take();
    let wanted = json!([{"type": "FOCAL", "node": {"id": focal}}, {"type": "CONNECTION", "node": {"id": other}}]);
    assert_eq!(people, wanted, "those first that it focuses on, whatever their ids");

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
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    let later = json!({"id": case_id(), "type": "sms", "subject": "Later", "sender_id": "bank", "receiver_id": focal});
    server.post(&format!("/api/cases/{twin}/communications"), later.to_string()).await.expect(200);
    for (arguments, wanted) in [
        ("", vec!["Later", "Hello"]),
        ("(orderBy: {field: CREATED_AT, direction: ASC})", vec!["Hello", "Later"]),
        ("(filter: {types: [\"sms\"]})", vec!["Later"]),
        ("(filter: {sentTo: \"2020-01-01T00:00:00Z\"})", vec![]),
    ] {
        let query = format!("query($id: ID!) {{ case(id: $id) {{ communications{arguments} {{ nodes {{ subject }} }} }} }}");
        let shown = api.graphql(&query, json!({"id": twin})).await["case"]["communications"]["nodes"].take();
        let subjects: Vec<&str> = shown.as_array().expect("nodes").iter().filter_map(|node| node["subject"].as_str()).collect();
        assert_eq!(subjects, wanted, "{arguments}");
    }
    // Where both times are known, each order goes by its own. A time ends before its end.
    let timed = case_id();
    server.post("/api/cases", json!({"id": timed}).to_string()).await.expect(200);
    let told = |name: &str, created: &str, sent: &str| json!({"id": ids.of(name), "subject": name, "created_at": created, "sent_at": sent});
    let [first, second, third, fourth] = [1, 2, 3, 4].map(|day| format!("2024-01-0{day}T00:00:00Z"));
    let letters = [told("outer", &first, &fourth), told("inner", &second, &third)];
    let body = json!({"communication_ids": [ids.of("outer"), ids.of("inner")], "communications": letters});
    server.put(&format!("/api/cases/{timed}"), body.to_string()).await.expect(200);
    for (arguments, wanted) in [
        ("orderBy: {field: SENT_AT}", vec!["outer", "inner"]),
        ("orderBy: {field: CREATED_AT}", vec!["inner", "outer"]),
        (r#"filter: {sentFrom: "2024-01-04T00:00:00Z"}"#, vec!["outer"]),
        (r#"filter: {sentTo: "2024-01-04T00:00:00Z"}"#, vec!["inner"]),
    ] {
        let query = format!("query($id: ID!) {{ case(id: $id) {{ communications({arguments}) {{ nodes {{ subject }} }} }} }}");
        let shown = api.graphql(&query, json!({"id": timed})).await["case"]["communications"]["nodes"].take();
        let wanted: Vec<Value> = wanted.into_iter().map(|subject| json!({"subject": subject})).collect();
        assert_eq!(shown, json!(wanted), "{arguments}");
    }

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

async fn a_filing_leads_to_its_analysis_and_back(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let api = analyst(&server).await;
    let opened = async |input: Value| act(&api, "createCase", "case { id type analysisCase { id } }", input).await;
    let (analysis, other) = (opened(json!({})).await["case"]["id"].clone(), opened(json!({})).await["case"]["id"].clone());
    let input = json!({"id": case_id(), "type": "FILING", "analysisCaseId": analysis, "idempotencyKey": ids.of("file")});
    let made = opened(input.clone()).await;
    assert_eq!(made, json!({"userErrors": [], "case": {"id": input["id"], "type": "FILING", "analysisCase": {"id": analysis}}}));
    assert_eq!(opened(input.clone()).await, made, "the same key opens one");
    let query = "query($id: ID!) { case(id: $id) { analysisCase { id } filings(first: 5) { totalCount nodes { id } } } }";
    let shown = async |id: &Value| api.graphql(query, json!({"id": id})).await["case"].take();
    assert_eq!(shown(&analysis).await, json!({"analysisCase": null, "filings": {"totalCount": 1, "nodes": [{"id": input["id"]}]}}));
    assert_eq!(shown(&input["id"]).await, json!({"analysisCase": {"id": analysis}, "filings": {"totalCount": 0, "nodes": []}}));
    let refused = [case_id(), case_id()];
    for (input, told) in [
        (json!({"id": refused[0], "type": "FILING", "analysisCaseId": input["id"]}), "analysisCaseId: must be the id of a case of the type ANALYSIS"),
        (json!({"id": refused[1], "type": "FILING", "analysisCaseId": case_id()}), "analysisCaseId: must be the id of a case of the type ANALYSIS"),
        (json!({"analysisCaseId": analysis}), "analysisCaseId: must be left out"),
        (json!({"id": input["id"], "type": "FILING", "analysisCaseId": other}), "id: is the id of a case that another request has made"),
        (json!({"id": input["id"], "type": "FILING"}), "id: is the id of a case that another request has made"),
    ] {
        let answer = opened(input.clone()).await;
        assert!(answer["userErrors"][0]["message"].as_str().is_some_and(|message| message.starts_with(told)), "{input}: {answer}");
    }
    assert_eq!(shown(&other).await["filings"]["totalCount"], 0);

    // What was refused has left nothing: its id is free, for people and for systems.
    for id in &refused {
        assert_eq!(shown(&json!(id)).await, Value::Null, "{id}");
    }
    let made = opened(json!({"id": refused[0], "type": "FILING", "analysisCaseId": other})).await;
    assert_eq!(made["case"]["analysisCase"]["id"], other, "{made}");
    assert_eq!(shown(&other).await["filings"]["totalCount"], 1);
    taken(&server, &ids.of("refused"), &json!({"cases": [{"id": refused[1], "type": "FILING"}]})).await;
    eventually_is(&server, &refused[1], "COMPLETED").await;
}

async fn what_is_wrong_is_told_and_changes_nothing(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let api = analyst(&server).await;
    let id = case_id();
    server.post("/api/cases", json!({"id": id}).to_string()).await.expect(200);
    let record = |as_of: &str| json!({"id": ids.of("new"), "type": "INDIVIDUAL", "as_of_date": as_of});
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
        ("addCaseActors", json!({"caseId": id, "actors": []}), "INVALID", "actors: "),
        ("addCaseActors", json!({"caseId": id, "actors": [{"actorId": "a"}, {}]}), "INVALID", "actors[1]: "),
        ("addCaseActors", json!({"caseId": id, "actors": [{"actorId": "a"}, {"actorId": "a"}]}), "INVALID", "actors[1]: "),
        ("addCaseActors", json!({"caseId": id, "actors": [{"record": {"id": ids.of("new")}}]}), "INVALID", "actors[0].record"),
        (
            "addCaseActors",
            json!({"caseId": id, "actors": [{"actorId": "a", "customData": {"x": "y".repeat(10_000)}}]}),
            "INVALID",
            "actors[0].customData: ",
        ),
        ("addCaseActors", json!({"caseId": id, "actors": [{"record": record("2024-01-01")}], "expectedVersion": 7}), "STALE", ""),
        ("addCaseActors", json!({"caseId": id, "actors": [{"record": record("2924-01-01")}]}), "INVALID", "actors[0].record.as_of_date: "),
        ("addCaseActors", json!({"caseId": case_id(), "actors": [{"actorId": "a"}]}), "NOT_FOUND", ""),
        ("setCaseActorProperties", json!({"caseId": id, "actorId": "a", "properties": [{"name": "c__x", "value": 1}]}), "INVALID", "actorId: "),
        (
            "setCaseActorProperties",
            json!({"caseId": id, "actorId": "a", "properties": [{"name": "x", "value": 1}]}),
            "INVALID",
            "properties[0].name: ",
        ),
        ("decideTransaction", json!({"caseId": id, "transactionId": "t"}), "INVALID", "decision: must be given"),
        ("giveObservationFeedback", json!({"caseId": id, "observationId": "o"}), "INVALID", "feedback: must be given"),
        ("assignCases", json!({"cases": []}), "INVALID", "cases: "),
        ("closeCases", json!({"cases": [{"caseId": id}, {"caseId": id}]}), "INVALID", "cases[1].caseId: "),
    ];
    for (field, input, code, begin) in refused {
        let payload = act(&api, field, "", input.clone()).await;
        let error = &payload["userErrors"][0];
        assert_eq!(error["code"], code, "{field} {input}: {payload}");
        assert!(error["message"].as_str().is_some_and(|message| message.starts_with(begin)), "{field} {input}: {payload}");
    }
    let other = json!({"id": ids.of("other"), "type": "INDIVIDUAL", "as_of_date": "2924-01-01"});
    let both = json!({"caseId": id, "actors": [{"record": record("2924-01-01")}, {"record": other}]});
    let payload = act(&api, "addCaseActors", "", both).await;
    let paths: Vec<&Value> = payload["userErrors"].as_array().expect("errors").iter().map(|error| &error["path"]).collect();
    assert_eq!(json!(paths), json!(["0", "1"].map(|at| json!(["input", "actors", at, "record", "as_of_date"]))), "{payload}");
    server.get(&format!("/api/actors/{}", ids.of("new"))).await.expect(404);
    // A variable that is given no value says nothing, either.
    let query = "mutation($id: ID!, $decision: TransactionDecision) {
        decideTransaction(input: {caseId: $id, transactionId: \"t\", decision: $decision}) { userErrors { path } } }";
    for (variables, field) in [(json!({"id": id}), "decision"), (json!({"id": id, "decision": null}), "transactionId")] {
        let payload = api.graphql(query, variables).await["decideTransaction"].take();
        assert_eq!(payload, json!({"userErrors": [{"path": ["input", field]}]}));
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
    let shown = "results { case { id version } userErrors { ... on UserError { path } code } }";
    for (version, (field, input)) in (2..).zip(acts) {
        let wanted = json!([
            {"case": {"id": cases[0], "version": version}, "userErrors": []},
            {"case": {"id": cases[1], "version": 1}, "userErrors": [{"path": ["input", "cases", "1", "expectedVersion"], "code": "STALE"}]},
            {"case": null, "userErrors": [{"path": ["input", "cases", "2", "caseId"], "code": "NOT_FOUND"}]},
            {"case": {"id": cases[2], "version": version}, "userErrors": []},
        ]);
        for _ in 0..2 {
            let payload = act(&api, field, shown, input.clone()).await;
            assert_eq!((&payload["userErrors"], &payload["results"]), (&json!([]), &wanted), "{field}, and again with the same key");
        }
    }
    // Of an item the message begins with its place, too.
    let stale = json!({"cases": [{"caseId": cases[0]}, {"caseId": cases[1], "expectedVersion": 99}], "userId": user});
    let payload = act(&api, "assignCases", "results { userErrors { message } }", stale).await;
    let message = payload["results"][1]["userErrors"][0]["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("cases[1].expectedVersion: "), "{payload}");
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
        let query = "query($id: ID!) { case(id: $id) { assignee { id known } step { state } } }";
        let wanted = if is_done {
            // An id that nobody has yet is kept.
            json!({"assignee": {"id": user, "known": false}, "step": {"state": "CLOSED"}})
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
    let sent = r#"{"c__list": [1, 2], "c__more": [1], "c__same": {"a" : 1}, "c__gone": ["a"], "resolution": ["a"]}"#;
    server.patch(&format!("/api/cases/{id}"), sent).await.expect(200);
    let late = json!(["late"]);
    let item = json!({"id": id, "observation_ids": [ids.of("late")], "c__list": late, "c__more": late, "c__new": late, "c__gone": late, "c__turned": late,
        "resolution": late});
    taken(&server, &ids.of("waiting"), &json!({"cases": [item]})).await;
    eventually_is(&server, &id, "DEFERRED").await;
    let set = |properties: Value| json!({"caseId": id, "properties": properties});
    let whole = json!([{"name": "c__list", "value": [3]}, {"name": "c__new", "value": [4]}]);
    assert_eq!(done(&api, "setCaseProperties", set(whole)).await, 3);
    assert_eq!(done(&api, "setCaseProperties", set(json!([{"name": "c__more", "value": [2], "append": true}]))).await, 4);
    assert_eq!(done(&api, "setCaseProperties", set(json!([{"name": "c__same", "value": {"a": 1}}]))).await, 4, "it was so already, in other blanks");
    assert_eq!(done(&api, "setCaseResolution", json!({"caseId": id, "resolution": ["b"]})).await, 5);
    // Lists of systems go behind those that are there; a system that takes a field away, or gives it something else, begins a new one.
    for (gone, turned) in [("null", "1"), (r#"["b"]"#, r#"["b"]"#), (r#"["c"]"#, r#"["c"]"#)] {
        server.patch(&format!("/api/cases/{id}"), format!(r#"{{"c__gone": {gone}, "c__turned": {turned}}}"#)).await.expect(200);
    }
    server.post("/api/observations", observation(&ids.of("late")).to_string()).await.expect(200);
    eventually_is(&server, &id, "COMPLETED").await;
    let case = read(&server, &id).await;
    assert_eq!((&case["c__list"], &case["c__new"], &case["resolution"]), (&json!([3]), &json!([4]), &json!(["b"])), "{case}");
    assert_eq!(case["c__more"], json!([1, 2, "late"]), "what was added to is added to: {case}");
    assert_eq!(
        (&case["c__gone"], &case["c__turned"]),
        (&json!(["b", "c"]), &json!(["b", "c"])),
        "it was acknowledged before they were begun: {case}"
    );
    let path = format!("/api/audit_logs?startDate=2020-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&caseId={id}&logType=UPDATE");
    let entries = server.get(&path).await.expect(200).json();
    let values = |entry: &Value| {
        let read = |name: &str| entry["json_"][name].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        (read("oldValue"), read("newValue"))
    };
    let wanted = (Some(json!({"c__more": [1]})), Some(json!({"c__more": [1, 2]})));
    assert!(entries["values"].as_array().expect("entries").iter().any(|entry| values(entry) == wanted), "{entries}");
}

/// The same two actors over GraphQL and over REST, each of a case of its own: one with a record, one that nobody has sent.
async fn actors_are_added_as_systems_add_them(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let api = analyst(&server).await;
    let record =
        |way: &str, name: &str| json!({"id": ids.of(way), "type": "INDIVIDUAL", "as_of_date": "2024-01-01", "name": name, "nationality": "DE"});
    let [id, twin] = [case_id(), case_id()];
    for case in [&id, &twin] {
        server.post("/api/cases", json!({"id": case}).to_string()).await.expect(200);
    }
    let body = json!({"actor": record("rest", "Anna Ek"), "type": "FOCAL", "custom_data": {"x": 1}});
    server.post(&format!("/api/cases/{twin}/actors"), body.to_string().replace(r#"{"x":1}"#, r#"{ "x": 1 }"#)).await.expect(200);
    server.patch(&format!("/api/cases/{twin}/actors/{}", ids.of("rest")), r#"{"c__list": [1]}"#).await.expect(200);
    let same = json!({"caseId": twin, "actors": [{"actorId": ids.of("rest"), "type": "FOCAL", "customData": {"x": 1}}]});
    let before = version(&api, &twin).await;
    assert_eq!(done(&api, "addCaseActors", same).await, before, "it was so already, in other blanks");

    let add = json!({"caseId": id, "expectedVersion": 1, "idempotencyKey": ids.of("add"),
        "actors": [{"record": record("graphql", "Anna Ek"), "type": "FOCAL", "customData": {"x": 1}}, {"actorId": ids.of("nobody")}]});
    let shown = "case { version } actorEdges { type customData customProperties node { id name known } }";
    let added = act(&api, "addCaseActors", shown, add.clone()).await;
    assert_eq!((&added["userErrors"], &added["case"]["version"]), (&json!([]), &json!(2)), "{added}");
    let focal =
        json!({"type": "FOCAL", "customData": {"x": 1}, "customProperties": {}, "node": {"id": ids.of("graphql"), "name": "Anna Ek", "known": true}});
    assert_eq!(added["actorEdges"][0], focal, "in the order of the input");
    assert_eq!((&added["actorEdges"][1]["node"]["known"], &added["actorEdges"][1]["type"]), (&json!(false), &json!("CONNECTION")), "{added}");
    assert_eq!(act(&api, "addCaseActors", shown, add).await, added, "the same key adds nothing more");

    // Said again it changes nothing; said otherwise it is linked anew, and what was said of it stays.
    let again = |kind: &str| json!({"caseId": id, "actors": [{"actorId": ids.of("nobody"), "type": kind}]});
    assert_eq!(done(&api, "addCaseActors", again("CONNECTION")).await, 2);
    let set = |value: Value| json!({"caseId": id, "actorId": ids.of("graphql"), "properties": [{"name": "c__list", "value": value}]});
    let edge = act(&api, "setCaseActorProperties", "case { version } actorEdge { customProperties node { id } }", set(json!([1]))).await;
    assert_eq!((&edge["case"]["version"], &edge["actorEdge"]["customProperties"]), (&json!(3), &json!({"c__list": [1]})), "{edge}");
    assert_eq!(done(&api, "setCaseActorProperties", set(json!([1]))).await, 3, "it was so already");
    let (ours, theirs) = (read(&server, &id).await, read(&server, &twin).await);
    let mut wanted = theirs["actors"][0].clone();
    wanted["id"] = json!(ids.of("graphql"));
    let actors = ours["actors"].as_array().expect("actors");
    assert!(actors.contains(&wanted), "{actors:?} has {wanted}");
    assert_eq!(done(&api, "addCaseActors", again("FOCAL")).await, 4);
    assert_eq!(done(&api, "setCaseActorProperties", set(Value::Null)).await, 5);

    // An analyst leaves a record as it is; the role that sends records replaces it.
    let renamed = json!({"caseId": id, "actors": [{"record": record("graphql", "Anna Other"), "type": "FOCAL"}]});
    for (caller, name) in [(&api, "Anna Ek"), (&*server, "Anna Other")] {
        let payload = act(caller, "addCaseActors", "actorEdges { node { name } }", renamed.clone()).await;
        assert_eq!(payload, json!({"userErrors": [], "actorEdges": [{"node": {"name": name}}]}));
    }
}

async fn edges_of_payloads_have_the_cursors_of_lists(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let api = analyst(&server).await;
    let (one, other) = (ids.of("a"), ids.of("b"));
    let create = json!({"actors": [{"actorId": one, "type": "FOCAL"}]});
    let mut made = Vec::new();
    for _ in 0..2 {
        made.push(act(&api, "createCase", "caseEdge { cursor node { id } }", create.clone()).await["caseEdge"].take());
    }
    let [older, newer] = [0, 1].map(|at: usize| made[at].clone());
    let id = newer["node"]["id"].as_str().expect("an id").to_owned();
    let cases = "query($actors: [ID!], $after: String) { cases(filter: {actorIds: $actors}, first: 5, after: $after) { nodes { id } } }";
    let behind = api.graphql(cases, json!({"actors": [one], "after": newer["cursor"]})).await;
    assert_eq!(behind["cases"]["nodes"], json!([older["node"]]), "the newest first");

    let comment = async |text: &str| {
        act(&api, "commentOnCase", "comment { text } commentEdge { cursor node { id } }", json!({"caseId": id, "text": text})).await
    };
    let (first, second) = (comment("first").await, comment("second").await);
    assert_eq!((&first["comment"]["text"], &second["comment"]["text"]), (&json!("first"), &json!("second")));
    let note = |n: usize| json!({"caseId": id, "id": format!("00000000-0000-4000-8000-{n:012}"), "type": "email", "subject": "s", "senderId": "a", "receiverId": "b"});
    let written = act(&api, "addCaseCommunication", "communicationEdge { cursor node { id } }", note(1)).await;
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    let later = act(&api, "addCaseCommunication", "communicationEdge { cursor node { id } }", note(2)).await;
    let added =
        act(&api, "addCaseActors", "actorEdges { cursor node { id } }", json!({"caseId": id, "actors": [{"actorId": other}, {"actorId": one}]}))
            .await;
    for (list, cursor, wanted) in [
        ("comments", &first["commentEdge"]["cursor"], &second["commentEdge"]["node"]),
        ("communications", &later["communicationEdge"]["cursor"], &written["communicationEdge"]["node"]),
        ("actors", &added["actorEdges"][1]["cursor"], &added["actorEdges"][0]["node"]),
    ] {
        let query = format!("query($id: ID!, $after: String) {{ case(id: $id) {{ {list}(first: 5, after: $after) {{ nodes {{ id }} }} }} }}");
        let behind = api.graphql(&query, json!({"id": id, "after": cursor})).await;
        assert_eq!(behind["case"][list]["nodes"], json!([wanted]), "{list}");
    }
}
