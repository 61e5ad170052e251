use graph_schema::event;
use graph_schema::fault::Unacceptable;
use graph_schema::given::{Input, read};
use graph_schema::webhook::{CreateWebhook, EVERY_EVENT, UpdateWebhook, WebhookRecord};
use serde_json::{Value, json};

fn told<T: Input>(body: &Value) -> Vec<String> {
    match read::<T>(body.to_string().as_bytes()) {
        Ok(_) => Vec::new(),
        Err(Unacceptable::Invalid(faults) | Unacceptable::Unreadable(faults)) => faults.iter().map(ToString::to_string).collect(),
    }
}

fn webhook(change: Value) -> Value {
    let mut webhook = json!({"name": "Desk", "url": "https://desk.example.com/hooks", "events": ["case.created"]});
    webhook.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    webhook
}

#[test]
fn all_three_fields_are_required_to_make_one_and_none_to_change_it() {
    assert_eq!(told::<CreateWebhook>(&json!({})), ["name: is required", "url: is required", "events: is required"]);
    assert_eq!(told::<UpdateWebhook>(&json!({})), Vec::<String>::new());
    let all: Vec<&str> = event::NAMES.into_iter().chain([EVERY_EVENT]).collect();
    for events in [json!([]), json!(["*"]), json!(all)] {
        assert_eq!(told::<CreateWebhook>(&webhook(json!({"events": events}))), Vec::<String>::new());
    }
}

#[test]
fn names_of_unknown_events_are_refused_with_the_list_of_known_ones() {
    for wrong in ["case.create", "", "CASE.CREATED", "case.*"] {
        let told = told::<CreateWebhook>(&webhook(json!({"events": ["case.closed", wrong]})));
        assert_eq!(told.len(), 1, "{wrong}: {told:?}");
        assert!(told[0].starts_with("events[1]: must be one of case.assigned, case.closed, "), "{told:?}");
        assert!(event::NAMES.iter().all(|name| told[0].contains(name)) && told[0].ends_with(", *"), "{told:?}");
    }
}

#[test]
fn all_faults_are_told() {
    let wrong = json!({"name": " ", "url": "nowhere", "events": "case.created", "secret": "mine"});
    let places: Vec<String> = told::<CreateWebhook>(&wrong).iter().filter_map(|told| told.split(':').next().map(str::to_owned)).collect();
    for place in ["name", "url", "events", "secret"] {
        assert!(places.iter().any(|told| told == place), "{place}: {places:?}");
    }
    let places = told::<UpdateWebhook>(&json!({"name": "n".repeat(257), "url": "u".repeat(2049), "events": [1], "status": "ON"}));
    assert!(places.len() >= 4, "{places:?}");
    let nothing = told::<UpdateWebhook>(&json!({"name": null, "url": null, "events": null, "status": null}));
    assert_eq!(nothing.len(), 4, "nothing of it may be absent: {nothing:?}");
}

#[test]
fn a_secret_does_not_show_by_accident() {
    let record: WebhookRecord = serde_json::from_value(json!({"id": "w", "name": "Desk", "url": "https://x.example", "events": [],
        "status": "INACTIVE", "secret": "whsec_very-secret", "created": 1, "tenant": "default"}))
    .unwrap();
    assert!(!format!("{record:?}").contains("very-secret"));
}
