//! What an analyst does with alerts over GraphQL: taking a dismissal back, adding alerts to an open case.

use serde_json::{Value, json};

use crate::support::bulk::SOON;
use crate::support::case_work::{act, analyst, done, refusal};
use crate::support::fixtures::{case_id, with};
use crate::support::observations::{observation, taken as observed};
use crate::support::{Engine, Ids, Server, eventually, tests};

tests![both: a_dismissal_is_taken_back, alerts_are_added_to_an_open_case];

async fn a_dismissal_is_taken_back(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let (api, id) = (analyst(&server).await, ids.of("alert"));
    observed(&server, observation(&id)).await;
    let shown = "observation { handled handling { kind reason feedback } }";
    let never = act(&api, "restoreObservation", shown, json!({"observationId": id})).await;
    assert_eq!(never, json!({"userErrors": [], "observation": {"handled": false, "handling": null}}), "what was never dismissed stays as it is");
    for (reason, feedback) in [("campaign", Value::Null), ("noise", json!("FALSE_POSITIVE"))] {
        let dismiss = json!({"observationId": id, "reason": reason, "feedback": feedback, "idempotencyKey": ids.of(reason)});
        let dismissed = act(&api, "dismissObservation", shown, dismiss.clone()).await;
        let handling = json!({"kind": "DISMISSED", "reason": reason, "feedback": feedback});
        assert_eq!(dismissed["observation"], json!({"handled": true, "handling": handling}), "{dismissed}");
        for _ in 0..2 {
            let restored = act(&api, "restoreObservation", shown, json!({"observationId": id, "reason": "too early"})).await;
            assert_eq!(restored, json!({"userErrors": [], "observation": {"handled": false, "handling": null}}));
        }
        let again = act(&api, "dismissObservation", shown, dismiss).await;
        assert_eq!(again["observation"]["handled"], json!(false), "the same key dismisses once: {again}");
    }
    act(&api, "dismissObservation", shown, json!({"observationId": id, "reason": "again"})).await;
    let restore = json!({"observationId": id, "idempotencyKey": ids.of("restore")});
    for is_handled in [false, true] {
        let restored = act(&api, "restoreObservation", shown, restore.clone()).await;
        assert_eq!(restored["observation"]["handled"], json!(is_handled), "the same key restores once: {restored}");
        act(&api, "dismissObservation", shown, json!({"observationId": id, "reason": "again"})).await;
    }
    let query = "query($id: ID!) { auditEntries(first: 20, filter: {objectIds: [$id]}) { nodes { action oldValue newValue } } }";
    let entries = server.graphql(query, json!({"id": id})).await["auditEntries"]["nodes"].take();
    let was = json!({"observationId": id, "reason": "noise", "feedback": "FALSE_POSITIVE"});
    let read = |entry: &Value| entry["oldValue"].as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let restored = entries.as_array().expect("entries").iter().filter(|entry| entry["action"] == "observation.restored");
    assert!(restored.map(read).any(|before| before.as_ref() == Some(&was)), "{entries}");
    for (input, wanted) in [
        (json!({"observationId": id, "reason": " "}), (json!("INVALID"), json!(["input", "reason"]))),
        (json!({"observationId": ids.of("nothing")}), (json!("NOT_FOUND"), json!(["input", "observationId"]))),
    ] {
        let refused = act(&api, "restoreObservation", shown, input).await;
        assert_eq!(refusal(&refused), (&wanted.0, &wanted.1), "{refused}");
    }
}

async fn alerts_are_added_to_an_open_case(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let api = analyst(&server).await;
    let about = |name: &str, primary: bool| json!({"actorId": ids.of(name), "primary": primary});
    let alert = |n: usize| ids.of(&format!("alert-{n}"));
    let of_actors = [vec![about("a", true)], vec![about("a", false), about("b", true), about("c", false)], Vec::new()];
    for (n, actors) in of_actors.into_iter().enumerate() {
        observed(&server, with(observation(&alert(n)), json!({"actors": actors}))).await;
    }
    let shown = "case { id version } observations { id handled }";
    let begun = act(&api, "raiseCase", shown, json!({"observationIds": [alert(0)], "assigneeId": ids.of("user"), "comment": "Mine"})).await;
    let case = begun["case"]["id"].clone();
    assert_eq!((&begun["userErrors"], &begun["case"]["version"]), (&json!([]), &json!(3)), "{begun}");
    let add = json!({"observationIds": [alert(1)], "caseId": case, "expectedVersion": 3, "comment": "The same", "idempotencyKey": ids.of("add")});
    let wanted = json!({"userErrors": [], "case": {"id": case, "version": 5}, "observations": [{"id": alert(1), "handled": true}]});
    for _ in 0..2 {
        assert_eq!(act(&api, "raiseCase", shown, add.clone()).await, wanted, "and the same again");
    }
    let query = "query($id: ID!) { case(id: $id) { assignee { id } actors(first: 10) { edges { type node { id } } }
        observations(first: 10) { nodes { id } } comments(first: 10) { nodes { text } } events(first: 10) { nodes { name } } } }";
    let actor = |name: &str, kind: &str| json!({"type": kind, "node": {"id": ids.of(name)}});
    let names = ["case.created", "case.assigned", "case.commented", "case.updated", "case.commented"].map(|name| json!({"name": name}));
    let wanted = json!({"assignee": {"id": ids.of("user")}, "actors": {"edges": [actor("a", "FOCAL"), actor("b", "FOCAL"), actor("c", "CONNECTION")]},
        "observations": {"nodes": [{"id": alert(0)}, {"id": alert(1)}]}, "comments": {"nodes": [{"text": "Mine"}, {"text": "The same"}]},
        "events": {"nodes": names}});
    assert_eq!(api.graphql(query, json!({"id": case})).await["case"], wanted);
    let to_case = |more: Value| with(json!({"observationIds": [alert(2)], "caseId": case}), more);
    let refused = async |more: Value, code: &str, path: &[&str]| {
        let payload = act(&api, "raiseCase", shown, to_case(more)).await;
        let path: Vec<&str> = std::iter::once("input").chain(path.iter().copied()).collect();
        assert_eq!(refusal(&payload), (&json!(code), &json!(path)), "{payload}");
    };
    refused(json!({"assigneeId": ids.of("user")}), "INVALID", &["assigneeId"]).await;
    refused(json!({"workflowId": "default-analysis"}), "INVALID", &["workflowId"]).await;
    refused(json!({"comment": " "}), "INVALID", &["comment"]).await;
    refused(json!({"expectedVersion": 3}), "STALE", &["expectedVersion"]).await;
    refused(json!({"expectedVersion": 5, "caseId": null}), "INVALID", &["expectedVersion"]).await;
    let current = "userErrors { current { version stepId status state assigneeId actions } }";
    let stale = act(&api, "raiseCase", current, to_case(json!({"expectedVersion": 4}))).await;
    let query = "query($id: ID!) { case(id: $id) { version actions step { stepId status state } assignee { id } } }";
    let is_now = api.graphql(query, json!({"id": case})).await["case"].take();
    let wanted = json!({"version": 5, "stepId": is_now["step"]["stepId"], "status": is_now["step"]["status"], "state": is_now["step"]["state"],
        "assigneeId": ids.of("user"), "actions": is_now["actions"]});
    assert_eq!((&stale["userErrors"][0]["current"], &is_now["version"]), (&wanted, &json!(5)), "{stale}");
    let unknown = case_id();
    refused(json!({"caseId": unknown}), "NOT_FOUND", &["caseId"]).await;
    let query = "query($id: ID!) { auditEntries(filter: {objectIds: [$id], outcomes: [REFUSED]}) { nodes { action } } }";
    let noted = async || server.graphql(query, json!({"id": unknown})).await["auditEntries"]["nodes"] == json!([{"action": "case.updated"}]);
    eventually("what was refused is in the audit log", SOON, noted).await;
    refused(json!({"observationIds": [alert(1)]}), "INVALID", &["observationIds"]).await;
    refused(json!({"observationIds": [ids.of("nothing")]}), "NOT_FOUND", &["observationIds", "0"]).await;
    refused(json!({"observationIds": [alert(2), ids.of("nothing")]}), "NOT_FOUND", &["observationIds", "1"]).await;
    done(&api, "closeCase", json!({"caseId": case})).await;
    refused(json!({}), "INVALID", &["caseId"]).await;
    let query = "query($id: ID!) { observation(id: $id) { handled } }";
    assert_eq!(api.graphql(query, json!({"id": alert(2)})).await["observation"]["handled"], json!(false), "what is refused changes nothing");
    let each = json!({"observationIds": [[alert(2)]], "assigneeId": ids.of("user"), "comment": "Each"});
    let raised = act(&api, "raiseCases", "results { case { version assignee { id } comments(first: 1) { nodes { text } } } }", each).await;
    let wanted = json!({"version": 3, "assignee": {"id": ids.of("user")}, "comments": {"nodes": [{"text": "Each"}]}});
    assert_eq!(raised, json!({"userErrors": [], "results": [{"case": wanted}]}));
    let again = act(&api, "raiseCases", "results { userErrors { path message } }", json!({"observationIds": [[alert(2)]]})).await;
    let error = &again["results"][0]["userErrors"][0];
    assert_eq!(error["path"], json!(["input", "observationIds", "0"]), "{again}");
    assert!(error["message"].as_str().is_some_and(|message| message.starts_with("observationIds[0]: ")), "{again}");
}
