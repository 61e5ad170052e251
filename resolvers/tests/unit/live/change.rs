use cypher::statements::rows::LiveEntry;
use resolvers::testing::live::change::{RECORDED, SUCCESS, change_of};
use resolvers::{EventPosition, Topic};

fn entry(action: &str, case: Option<&str>) -> LiveEntry {
    LiveEntry {
        id: "entry".to_owned(),
        action: action.to_owned(),
        object_id: Some("object".to_owned()),
        case_id: case.map(str::to_owned),
        user_id: None,
        request_id: None,
        timestamp: 7,
        notes: None,
        action_result: Some(SUCCESS.to_owned()),
    }
}

#[test]
fn a_change_belongs_to_the_topic_of_its_subject() {
    let told = |entry: LiveEntry| change_of(entry, EventPosition::default()).map(|found| (found.change.topic, found.change.id));
    let of_case = Some((Topic::CaseChanges, "case-1".to_owned()));
    assert_eq!(told(entry("case.assigned", Some("case-1"))), of_case);
    assert_eq!(told(entry("case.communication.added", Some("case-1"))), of_case);
    assert_eq!(told(entry(RECORDED, None)), Some((Topic::NewObservations, "object".to_owned())));
    assert_eq!(told(entry("transaction.recorded", None)), None);
    assert_eq!(told(entry("observation.dismissed", None)), None, "it is not new");
}

#[test]
fn nothing_is_told_of_what_changed_nothing() {
    let told = |change: fn(&mut LiveEntry)| {
        let mut entry = entry("case.assigned", Some("case-1"));
        change(&mut entry);
        change_of(entry, EventPosition::default()).is_some()
    };
    assert!(told(|_| {}));
    assert!(told(|entry| entry.action_result = None), "it says nothing else");
    assert!(!told(|entry| entry.action_result = Some("REFUSED".to_owned())));
    assert!(!told(|entry| entry.notes = Some("superseded".to_owned())));
}
