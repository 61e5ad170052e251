//! Each of the document's events, caused by what a user does, delivered, and its body checked field by field; and `docs/events.md`, which shows them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::case_work::done;
use crate::support::delivering::{SOON, registered, server, taken as arrived};
use crate::support::fixtures::{Payment, case_id, with};
use crate::support::observations::{observation, paid, taken};
use crate::support::receiver::{Received, Receiver, Reply};
use crate::support::requests::{asked, schema};
use crate::support::{Api, Engine, Ids, eventually, tests};

tests![both: each_event_is_told_as_the_document_has_it; embedded: the_page_shows_each_event];

/// The document's table: name, and fields of `data`.
const TABLE: [(&str, &str); 12] = [
    ("case.assigned", "id userId assignedToUserId metadata"),
    ("case.closed", "id userId resolution dispositionNarrative comment closeReason metadata"),
    ("case.created", "id userId processId metadata"),
    ("case.updated", "id"),
    ("case.creation_failed", "id"),
    ("case.workflow.actioned", "id userId actionName comment metadata"),
    ("case.workflow.transitioned", "id workflowId fromStepId toStepId userId actionName"),
    ("case.commented", "id userId comment metadata"),
    ("case.transaction.decision.updated", "id transactionId userId decision"),
    ("case.observations.feedback.updated", "id userId observationId feedback"),
    ("case.observations.actioned", "id observationId actionName userId comment caseMetadata observationMetadata observationCustomData"),
    ("request_for_data.created", "rfd_id type case_id"),
];

/// The envelope, as the document has it.
const ENVELOPE: &str = "id name createdAt data";

fn is_made_of(object: &Value, fields: &str) -> bool {
    let found: BTreeSet<&str> = object.as_object().expect("an object").keys().map(String::as_str).collect();
    found == fields.split(' ').collect()
}

/// That a body is an envelope around the `data` of the document's table; answers with its name.
fn check_body(body: &Value) -> &str {
    assert!(is_made_of(body, ENVELOPE), "{body}");
    assert!(body["id"].is_string() && body["createdAt"].is_i64(), "{body}");
    let name = body["name"].as_str().expect("a name");
    let (_, fields) = TABLE.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name} is no event of the document"));
    assert!(is_made_of(&body["data"], fields), "{name}: {body}");
    name
}

/// The bodies of what came, as it came: those about one case in their order, and behind them those about another.
fn bodies(received: &[Received], cases: [&str; 2]) -> Vec<Value> {
    let about = |case: &str| received.iter().filter(|received| received.case().as_deref() == Some(case)).map(Received::body).collect::<Vec<_>>();
    cases.map(about).concat()
}

/// A case in bulk that can't be made: one of its custom properties must be a number.
async fn fail_to_make(api: &Api, ids: &Ids, case: &str) {
    let name = format!("c__{}", ids.of("number").replace('-', "_"));
    let define = "mutation($input: DefineCustomPropertyInput!) { defineCustomProperty(input: $input) { name } }";
    api.graphql(define, json!({"input": {"entity": "CASE", "name": name, "schema": {"type": "number"}}})).await;
    let body = json!({"cases": [{"id": case, name: "text"}]});
    api.send(api.posting("/api/bulk", body.to_string()).header("x-request-id", ids.of("request"))).await.expect(202);
    let path = format!("/api/bulk/cases/{case}/status");
    let failed = async || api.get(&path).await.json()["status"] == "FAILED";
    eventually("the case is in the dead letters", SOON, failed).await;
}

async fn each_event_is_told_as_the_document_has_it(engine: Engine) {
    let (mut server, ids, cases) = (server(engine), Ids::new(), [case_id(), case_id()]);
    let receiver = Receiver::about(&cases, |_, _| Reply::Status(204)).await;
    registered(&server, &receiver, &["*"]).await;
    let key = server.post("/admin/keys", json!({"role": "ADMIN"}).to_string()).await.expect(201).json();
    let (user, api) = (&key["id"], server.with_key(key["key"].as_str().expect("a key")));
    let began = chrono::Utc::now().timestamp_millis();
    let [id, unmade] = &cases;
    let (payment, noticed, to) = (ids.of("payment"), ids.of("observation"), ids.of("colleague"));
    let metadata = json!({"origin": "branch", "amounts": [1.5]});

    paid(&api, &Payment::new(&payment, ids.of("payer"), ids.of("payee"))).await;
    let more = json!({"transactionIds": [payment], "metadata": {"run": 17}, "customData": {"region": "north"}});
    taken(&api, with(observation(&noticed), more)).await;
    let case = json!({"id": id, "metadata": metadata, "observation_ids": [noticed]});
    api.post("/api/cases", case.to_string()).await.expect(200);
    api.patch(&format!("/api/cases/{id}"), r#"{"c__urgent": true}"#).await.expect(200);
    done(&api, "assignCase", json!({"caseId": id, "userId": to})).await;
    done(&api, "commentOnCase", json!({"caseId": id, "text": "Looks odd."})).await;
    done(&api, "actOnCase", json!({"caseId": id, "action": "CLAIM", "comment": "mine"})).await;
    done(&api, "giveObservationFeedback", json!({"caseId": id, "observationId": noticed, "feedback": "FALSE_POSITIVE"})).await;
    done(&api, "whitelistObservation", json!({"caseId": id, "observationId": noticed, "comment": "Salaries."})).await;
    done(&api, "decideTransaction", json!({"caseId": id, "transactionId": payment, "decision": "BLOCK", "comment": "Wait."})).await;
    let kind = schema(&api, &ids).await;
    let request = asked(&api, id, &kind).await;
    let close = json!({"caseId": id, "resolution": {"value": "fine"}, "dispositionNarrative": "Nothing found.", "closeReason": "FALSE_POSITIVE",
        "comment": "at last"});
    done(&api, "closeCase", close).await;
    fail_to_make(&api, &ids, unmade).await;

    let moved = |from: &str, to: &str, action: &str| json!({"id": id, "workflowId": "default-analysis", "fromStepId": from, "toStepId": to, "userId": user, "actionName": action});
    let acted = |action: &str, comment: Value| json!({"id": id, "userId": user, "actionName": action, "comment": comment, "metadata": metadata});
    let wanted = [
        ("case.created", json!({"id": id, "userId": user, "processId": "default-analysis", "metadata": metadata})),
        ("case.updated", json!({"id": id})),
        ("case.assigned", json!({"id": id, "userId": user, "assignedToUserId": to, "metadata": metadata})),
        ("case.commented", json!({"id": id, "userId": user, "comment": "Looks odd.", "metadata": metadata})),
        ("case.workflow.actioned", acted("CLAIM", json!("mine"))),
        ("case.workflow.transitioned", moved("to-do", "in-progress", "CLAIM")),
        ("case.observations.feedback.updated", json!({"id": id, "userId": user, "observationId": noticed, "feedback": "FALSE_POSITIVE"})),
        (
            "case.observations.actioned",
            json!({"id": id, "observationId": noticed, "actionName": "WHITELIST", "userId": user, "comment": "Salaries.", "caseMetadata": metadata,
                "observationMetadata": {"run": 17}, "observationCustomData": {"region": "north"}}),
        ),
        ("case.transaction.decision.updated", json!({"id": id, "transactionId": payment, "userId": user, "decision": "BLOCK"})),
        ("case.workflow.actioned", acted("REQUEST_DATA", Value::Null)),
        ("case.workflow.transitioned", moved("in-progress", "waiting-for-data", "REQUEST_DATA")),
        ("request_for_data.created", json!({"rfd_id": request, "type": kind, "case_id": id})),
        ("case.workflow.actioned", acted("CLOSE", json!("at last"))),
        ("case.workflow.transitioned", moved("waiting-for-data", "closed", "CLOSE")),
        (
            "case.closed",
            json!({"id": id, "userId": user, "resolution": {"value": "fine"}, "dispositionNarrative": "Nothing found.", "comment": "at last",
                "closeReason": "FALSE_POSITIVE", "metadata": metadata}),
        ),
        ("case.creation_failed", json!({"id": unmade})),
    ];
    let told = bodies(&arrived(&receiver, wanted.len()).await, [id, unmade]);
    assert_eq!(told.iter().map(check_body).collect::<Vec<_>>(), wanted.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (body, (name, data)) in told.iter().zip(&wanted) {
        assert_eq!(body["data"], *data, "{name}");
        let at = body["createdAt"].as_i64().expect("milliseconds");
        assert!((began..=chrono::Utc::now().timestamp_millis()).contains(&at), "{name}: {body}");
    }
    let stored = format!("MATCH (e:Event) WHERE e.caseId IN ['{id}', '{unmade}'] RETURN count(e) AS events");
    assert_eq!(server.cypher(&stored)[0]["events"], wanted.len(), "none came besides");
    let caused: BTreeSet<&str> = wanted.iter().map(|(name, _)| *name).collect();
    assert_eq!(caused, TABLE.iter().map(|(name, _)| *name).collect(), "each of them was caused");
}

/// The JSON blocks of the page, by the events they show.
async fn the_page_shows_each_event(_: Engine) {
    const PAGE: &str = include_str!("../docs/events.md");
    let blocks: Vec<Value> = PAGE
        .split("```json\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap_or_default())
        .map(|block| serde_json::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}")))
        .collect();
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for block in &blocks {
        *shown.entry(check_body(block)).or_default() += 1;
    }
    assert_eq!(shown, TABLE.iter().map(|(name, _)| (*name, 1)).collect(), "one example of each");
}
