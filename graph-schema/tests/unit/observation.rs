use std::sync::Arc;

use graph_schema::date::Timestamp;
use graph_schema::fault::Unacceptable;
use graph_schema::given::read;
use graph_schema::id::{ActorId, CaseId};
use graph_schema::observation::{ObservationActor, ObservationRecord, ObservationStanding, StoredObservation};
use serde_json::{Value, json};

fn least() -> Value {
    json!({"id": "o", "type": "ALERT_RULE", "behaviorId": "b-1", "behaviorName": "Structuring", "date": 1_700_000_000})
}

fn with(more: Value) -> Value {
    let mut body = least();
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn faults(body: &Value) -> Vec<String> {
    match read::<ObservationRecord>(body.to_string().as_bytes()) {
        Err(Unacceptable::Invalid(faults)) => {
            let mut places: Vec<String> = faults.into_iter().map(|fault| fault.at).collect();
            places.sort();
            places
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn required_fields_are_those_of_the_document() {
    assert_eq!(faults(&json!({})), ["behaviorId", "behaviorName", "date", "id", "type"]);
    for kind in ["ALERT_AML", "ALERT_AML_V2", "ALERT_RULE"] {
        assert!(read::<ObservationRecord>(with(json!({"type": kind})).to_string().as_bytes()).is_ok(), "{kind}");
    }
    assert_eq!(faults(&with(json!({"type": "ALERT"}))), ["type"]);
}

#[test]
fn all_faults_are_told_at_once() {
    let wrong = with(json!({"score": 1.5, "btlFlag": "no", "businessDate": "2024-02-30", "transactionIds": ["t", ""],
        "associatedLegalEntity": [1, "a", {"id": "b"}], "submitter": {"name": "x"}, "finalized": true,
        "rules": [{"conditions": [{"matched": 1}]}]}));
    let wanted = [
        "associatedLegalEntity[0]",
        "btlFlag",
        "businessDate",
        "finalized",
        "rules[0].conditions[0].matched",
        "score",
        "submitter.name",
        "transactionIds[1]",
    ];
    assert_eq!(faults(&wrong), wanted);
    let said_twice = json!([{"actorId": "a", "primary": true}, {"actorId": "b"}, {"actorId": "a"}]);
    let turned = json!({"actors": said_twice, "businessDateStart": "2024-01-02T00:00:00Z", "businessDateEnd": "2024-01-01T00:00:00Z"});
    assert_eq!(faults(&with(turned)), ["actors[2].primary", "businessDateEnd"]);
}

#[test]
fn legal_entities_are_ids_or_have_one() {
    let body = with(json!({"associatedLegalEntity": ["a", {"id": "b", "share": 0.5}, {"name": "nobody"}, {"id": 7}]}));
    let given = read::<ObservationRecord>(body.to_string().as_bytes()).unwrap();
    let ids: Vec<ActorId> = given.value.legal_entities().collect();
    assert_eq!(ids, [ActorId::new("a"), ActorId::new("b")]);
}

#[test]
fn the_stored_form_keeps_values_as_they_came() {
    let record = r#"{ "id":"o", "type":"ALERT_RULE","behaviorId":"b","behaviorName":"B","date":1.70e9,"score":0.50,"actors":[{"actorId":"a"}],
        "customData":{"x": 1.10},"rank":null }"#;
    let actors = vec![ObservationActor { actor_id: ActorId::new("a"), primary: Some(true) }];
    let standing = ObservationStanding {
        actors,
        ingest_date: Timestamp(0),
        internal_id: "i".to_owned(),
        finalized: true,
        case_id: Some(CaseId::new("c")),
        submitter_internal_id: None,
    };
    let text = StoredObservation { record: Arc::from(record), standing }.to_text().unwrap();
    let wanted = r#"{"id":"o","type":"ALERT_RULE","behaviorId":"b","behaviorName":"B","date":1.70e9,"score":"0.50","customData":{"x": 1.10},"custom_data":{"x": 1.10},"rank":null,"actors":[{"actorId":"a","primary":true}],"ingestDate":"1970-01-01T00:00:00Z","internalId":"i","finalized":true,"caseId":"c"}"#;
    assert_eq!(text, wanted);
    let schema = json!(<StoredObservation as utoipa::PartialSchema>::schema());
    let known = schema["properties"].as_object().unwrap();
    let shown: Value = serde_json::from_str(&text).unwrap();
    assert!(shown.as_object().unwrap().keys().all(|name| known.contains_key(name)), "{schema}");
    assert_eq!(schema["additionalProperties"], json!(false));
}
