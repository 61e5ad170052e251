use cypher::statements::rows::{MonitoredActor, SnoozedRule};
use resolvers::testing::detection::scope::{Monitoring, is_of_line, is_snoozed, monitoring};

fn actor() -> MonitoredActor {
    MonitoredActor {
        id: "a".to_owned(),
        recorded: true,
        kind: Some("INDIVIDUAL".to_owned()),
        status: Some("ACTIVE".to_owned()),
        customer_since: None,
        domicile: None,
        custom_data: None,
        exclusion: None,
        groups: Vec::new(),
        snoozes: Vec::new(),
    }
}

#[test]
fn the_latest_exclusion_and_the_status_decide() {
    let with = |recorded: bool, status: Option<&str>, exclusion: Option<&str>| {
        let (status, exclusion) = (status.map(str::to_owned), exclusion.map(str::to_owned));
        monitoring(&MonitoredActor { recorded, status, exclusion, ..actor() })
    };
    let cases = [
        (true, Some("ACTIVE"), None, Some(Monitoring::Alerted)),
        (true, None, None, Some(Monitoring::Alerted)),
        (true, Some("TERMINATED"), None, None),
        (true, Some("TERMINATED"), Some("MONITORED"), None),
        (true, Some("ACTIVE"), Some("NOT_MONITORED"), None),
        (true, Some("ACTIVE"), Some("SUPPRESSED"), Some(Monitoring::Suppressed)),
        (true, Some("ACTIVE"), Some("MONITORED"), Some(Monitoring::Alerted)),
        (false, None, None, None),
    ];
    for (recorded, status, exclusion, expected) in cases {
        assert_eq!(with(recorded, status, exclusion), expected, "{recorded} {status:?} {exclusion:?}");
    }
}

#[test]
fn lines_of_business_select_by_type_by_text_and_by_group() {
    let retail = MonitoredActor { custom_data: Some(r#"{"lineOfBusiness": "Retail"}"#.to_owned()), ..actor() };
    let member = MonitoredActor { groups: vec!["Private banking".to_owned()], ..actor() };
    let company = MonitoredActor { kind: Some("LEGAL_ENTITY".to_owned()), ..actor() };
    let number = MonitoredActor { custom_data: Some(r#"{"lineOfBusiness": 7}"#.to_owned()), ..actor() };
    let cases = [
        (&retail, "Retail", true),
        (&retail, "retail", false),
        (&retail, "INDIVIDUAL", true),
        (&retail, "LEGAL_ENTITY", false),
        (&member, "Private banking", true),
        (&member, "Retail", false),
        (&company, "LEGAL_ENTITY", true),
        (&company, "INDIVIDUAL", false),
        (&number, "7", false),
    ];
    for (actor, line, expected) in cases {
        assert_eq!(is_of_line(actor, line), expected, "{line} {actor:?}");
    }
}

#[test]
fn a_snooze_ends_at_its_moment_and_is_of_its_rule() {
    let snoozed = MonitoredActor { snoozes: vec![SnoozedRule { rule: "fan-in".to_owned(), until: 100 }], ..actor() };
    assert!(is_snoozed(&snoozed, "fan-in", 99));
    assert!(!is_snoozed(&snoozed, "fan-in", 100));
    assert!(!is_snoozed(&snoozed, "fan-in", 101));
    assert!(!is_snoozed(&snoozed, "fan-out", 99));
}
