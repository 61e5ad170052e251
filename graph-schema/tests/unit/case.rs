use graph_schema::case::{
    AddCaseActor, CaseActorType, CaseActorUpdate, CaseRecord, CaseType, CreateCase, EarlierCaseUpdate, MAX_CASE_ACTORS, MAX_CUSTOM_DATA_CHARS,
    UpdateCase,
};
use graph_schema::custom_property::CustomProperties;
use graph_schema::fault::Unacceptable;
use graph_schema::given::{Input, read, read_list};
use serde_json::{Value, json};

fn faults<T: Input>(body: &Value) -> Vec<String> {
    told(read::<T>(body.to_string().as_bytes()).map(drop))
}

fn told(read: Result<(), Unacceptable>) -> Vec<String> {
    let mut faults: Vec<String> = match read {
        Ok(()) => Vec::new(),
        Err(Unacceptable::Invalid(faults)) => faults.iter().map(ToString::to_string).collect(),
        Err(Unacceptable::Unreadable(faults)) => panic!("unreadable: {faults:?}"),
    };
    faults.sort();
    faults
}

fn read_text<T: Input>(text: &str) -> T {
    read::<T>(text.as_bytes()).unwrap().value
}

#[test]
fn nothing_of_a_create_request_is_required() {
    let empty: CreateCase = read_text("{}");
    assert_eq!((empty.case_type(), empty.case_actors()), (CaseType::Analysis, Vec::new()));
    let whole = json!({
        "id": "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37", "type": "FILING", "workflow_id": "w", "created_at": null,
        "actors": [{"id": "a", "type": "FOCAL"}, {"id": "b"}], "observation_ids": ["o"], "focal_actor_id": "c", "metadata": {"x": 1},
        "communications": [{"communication_type": "email", "communication_id": "m", "subject": "s", "content": "c", "metadata": {}, "custom_data": {}}],
    });
    let whole: CreateCase = read_text(&whole.to_string());
    assert_eq!((whole.case_type(), whole.created_at), (CaseType::Filing, None));
    let again: CreateCase = serde_json::from_str(&serde_json::to_string(&whole).unwrap()).unwrap();
    assert_eq!(again, whole);
}

#[test]
fn an_actor_of_a_case_is_what_is_said_of_it_anywhere() {
    use CaseActorType::{Connection, Focal};
    let types = |body: Value| -> Vec<(String, CaseActorType)> {
        let case: CreateCase = read_text(&body.to_string());
        case.case_actors().into_iter().map(|(id, kind)| (id.to_string(), kind)).collect()
    };
    let named = |id: &str, kind| (id.to_owned(), kind);
    assert_eq!(types(json!({"focal_actor_id": "a", "actors": [{"id": "b"}, {"id": "a"}]})), [named("a", Focal), named("b", Connection)]);
    assert_eq!(types(json!({"actors": [{"id": "a"}, {"id": "a", "type": "FOCAL"}, {"id": "a"}]})), [named("a", Focal)]);
    let two = json!({"focal_actor_id": "a", "actors": [{"id": "b", "type": "FOCAL"}, {"id": "a", "type": "CONNECTION"}, {"id": "b", "type": "CONNECTION"}]});
    let wanted = ["actors[1].type: must be the same wherever the actor is named", "actors[2].type: must be the same wherever the actor is named"];
    assert_eq!(faults::<CreateCase>(&two), wanted);
}

#[test]
fn faults_of_a_create_request() {
    let body = json!({
        "id": "c-1", "type": "ALERT", "workflow_id": "", "created_at": "2024-01-31", "actors": [{"type": "OTHER"}, {"id": "a", "c__x": 1}],
        "observation_ids": [1], "c__risk": 1, "metadata": [], "communications": [{"id": "m"}], "workflow": "w", "focal_actor_id": 7,
    });
    let wanted = [
        "actors[0].id: is required",
        "actors[0].type: must be one of CONNECTION, FOCAL",
        "actors[1].c__x: unknown field",
        "c__risk: unknown field",
        "communications[0].id: unknown field",
        "created_at: must be a date-time as RFC 3339 writes it, such as 2020-06-21T06:30:59.06Z",
        "focal_actor_id: must be a string, not a number",
        "id: must be a UUID, such as 0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37",
        "metadata: must be an object, not an array",
        "observation_ids[0]: must be a string, not a number",
        "type: must be one of ANALYSIS, FILING",
        "workflow: unknown field (did you mean \"workflow_id\"?)",
        "workflow_id: must not be empty",
    ];
    assert_eq!(faults::<CreateCase>(&body), wanted);
}

#[test]
fn what_is_too_much_is_refused() {
    let actors: Vec<Value> = (0..=MAX_CASE_ACTORS).map(|at| json!({"id": format!("a-{at}")})).collect();
    assert_eq!(faults::<CreateCase>(&json!({"actors": actors[1..]})), [""; 0]);
    assert_eq!(faults::<CreateCase>(&json!({"actors": actors})), ["actors: must have at most 1000 items"]);

    let updates: Vec<Value> = actors.iter().map(|actor| json!({"actor_id": actor["id"], "properties": {}})).collect();
    let many = |updates: &[Value]| told(read_list::<CaseActorUpdate>(json!(updates).to_string().as_bytes()).map(drop));
    assert_eq!(many(&updates[1..]), [""; 0]);
    assert_eq!(many(&updates), ["body: must have at most 1000 items"]);

    // `{"a":"…"}` are eight characters more than what is between the inner quotes; blanks between parts do not count.
    let custom = |length: usize| format!(r#"{{ "a" : "{}" }}"#, "ä".repeat(length - 8));
    let text = |length: usize| format!(r#"{{"communications":[{{}},{{"custom_data":{}}}]}}"#, custom(length));
    read_text::<CreateCase>(&text(MAX_CUSTOM_DATA_CHARS));
    let too_long = told(read::<CreateCase>(text(MAX_CUSTOM_DATA_CHARS + 1).as_bytes()).map(drop));
    assert_eq!(too_long, ["communications[1].custom_data: must be at most 10000 characters of JSON"]);
    let actor = r#"{"id":"a","type":"INDIVIDUAL","as_of_date":"2024-01-01"}"#;
    let text = format!(r#"{{"actor":{actor},"custom_data":{}}}"#, custom(MAX_CUSTOM_DATA_CHARS + 1));
    assert_eq!(told(read::<AddCaseActor>(text.as_bytes()).map(drop)), ["custom_data: must be at most 10000 characters of JSON"]);
}

#[test]
fn an_update_takes_a_resolution_of_any_type_and_custom_properties() {
    let text = r#"{"c__a":1.10, "resolution": {"value": 1e2}, "c__list":[ 1.0 ],"c__o":{"x":null},"c__t":true,"c__s":"s"}"#;
    let update: UpdateCase = read_text(text);
    assert_eq!(update.fields.resolution.as_ref().unwrap().as_str(), r#"{"value": 1e2}"#);
    assert_eq!(update.custom_properties.to_text(), r#"{"c__a":1.10,"c__list":[ 1.0 ],"c__o":{"x":null},"c__t":true,"c__s":"s"}"#);
    let again: UpdateCase = serde_json::from_str(&serde_json::to_string(&update).unwrap()).unwrap();
    assert_eq!(again, update);

    for (text, wanted) in [("\"done\"", "\"done\""), ("null", "null"), ("[1.0]", "[1.0]"), ("7", "7"), ("false", "false")] {
        let update: UpdateCase = read_text(&format!(r#"{{"resolution":{text}}}"#));
        assert_eq!(update.fields.resolution.unwrap().as_str(), wanted);
    }
    assert_eq!(read_text::<UpdateCase>("{}").fields.resolution, None);
}

#[test]
fn every_name_but_those_of_custom_properties_is_refused() {
    let body = json!({"resolutoin": "x", "c_risk": 1, "c__": 2, "c__null": null, "c__fine": [null], "status": "CLOSED", "C__x": 1});
    let wanted = [
        "C__x: unknown field",
        "c__: unknown field",
        "c_risk: unknown field",
        "resolutoin: unknown field (did you mean \"resolution\"?)",
        "status: unknown field",
    ];
    assert_eq!(faults::<UpdateCase>(&body), wanted, "null takes a property away");
    assert_eq!(faults::<CustomProperties>(&json!({"resolution": 1})), ["resolution: unknown field"]);
    let list = br#"[{"actor_id":"a","properties":{"c__a":1,"risk":2}},{"properties":[]}]"#;
    let wanted = ["[0].properties.risk: unknown field", "[1].actor_id: is required", "[1].properties: must be an object, not an array"];
    assert_eq!(told(read_list::<CaseActorUpdate>(list).map(drop)), wanted);
}

#[test]
fn the_earlier_form_names_communications() {
    let body = json!({
        "communication_ids": ["m", "n", "m"],
        "communications": [{"id": "o", "created_at": "2024-01-31T00:00:00Z", "sent_at": "2024-01-31T00:00:01Z", "subject": "s", "sender_id": "a"}, {"id": "n"}],
    });
    let update: EarlierCaseUpdate = read_text(&body.to_string());
    assert_eq!(update.all_ids().iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["m", "n", "o"]);
    let wrong = json!({"communication_ids": [""], "communications": [{"sent_at": 5, "text": ""}], "c__x": 1});
    let wanted = [
        "c__x: unknown field",
        "communication_ids[0]: must not be empty",
        "communications[0].id: is required",
        "communications[0].sent_at: must be a string, not a number",
        "communications[0].text: unknown field",
    ];
    assert_eq!(faults::<EarlierCaseUpdate>(&wrong), wanted);
}

#[test]
fn an_added_actor_has_the_names_of_the_bulk_list() {
    let body =
        json!({"actor": {"id": "a", "type": "LEGAL_ENTITY", "as_of_date": "2024-01-31", "name": "A"}, "type": "FOCAL", "custom_data": {"x": 1}});
    let added: AddCaseActor = read_text(&body.to_string());
    assert_eq!((added.actor.id.as_str(), added.kind), ("a", Some(CaseActorType::Focal)));
    let wrong = json!({"actor": {"asOfDate": "2024-01-31"}, "type": "X", "custom_data": "x"});
    let wanted = [
        "actor.as_of_date: is required",
        "actor.asOfDate: unknown field (did you mean \"as_of_date\"?)",
        "actor.id: is required",
        "actor.type: is required",
        "custom_data: must be an object, not a string",
        "type: must be one of CONNECTION, FOCAL",
    ];
    let mut wanted = wanted.map(str::to_owned);
    wanted.sort();
    assert_eq!(faults::<AddCaseActor>(&wrong), wanted);
}

#[test]
fn a_case_is_written_with_its_custom_properties_behind_its_fields() {
    let text = r#"{"id":"c","created_at":"2024-01-31T00:00:00Z","updated_at":"2024-01-31T00:00:00Z","workflow":{"id":"w","name":"W","status":"TO_DO","state":"OPEN","type":"ANALYSIS","step_id":"to-do","version":1},"actors":[{"id":"a","type":"FOCAL","c__x":1.0}],"observations":[{"id":"o"}],"tags":[{"id":"t","label":"T"}],"resolution":[1e2],"source":"API","type":"ANALYSIS","c__y":{"z":[1.50]}}"#;
    let case: CaseRecord = serde_json::from_str(text).unwrap();
    assert_eq!(case.fields.actors[0].custom_properties.get("c__x").unwrap().as_str(), "1.0");
    assert_eq!(serde_json::to_string(&case).unwrap(), text);
}
