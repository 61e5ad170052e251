use std::collections::HashMap;

use cypher::statements::rows::ClearanceRow;
use graph_schema::screening::ScreeningResponse;
use resolvers::testing::screening::cleared::{Clearances, PartyKey};
use resolvers::testing::screening::facts::ActorFacts;
use resolvers::testing::screening::party::{Party, PartyRole};
use resolvers::testing::screening::result::{Match, ProviderResult};
use resolvers::testing::screening::{Payment, ScreenedActor, Subject};
use screening::Kind;
use screening::evidence::Facts;
use serde_json::json;

fn actor(id: &str, name: &str) -> PartyKey {
    let record = json!({"id": id, "type": "INDIVIDUAL", "asOfDate": "2024-01-01", "name": name}).to_string();
    let facts = ActorFacts::of(&serde_json::from_str(&record).expect("an actor"), &graph_schema::identity::Placeholders::default());
    let actor = ScreenedActor { id: id.to_owned(), facts, record: record.into() };
    PartyKey::of(Subject::Actor(&actor), None).expect("a key")
}

fn counterparty(name: &str, country: &str) -> PartyKey {
    let record = json!({"id": "this", "account_id": "own", "account_owner_id": "me", "amount": {"value": 1, "currency": "EUR"},
        "standardized_amount": 1, "counterparty": {"object": "EMPTY"}, "created_at": 1_718_280_000, "direction": "OUTBOUND", "status": "COMPLETED"});
    let payment = Payment::stored(record.to_string().into()).expect("a payment");
    let facts = Facts { countries: vec![country.to_owned()], ..Facts::default() };
    let party = Party { role: PartyRole::Counterparty, name: name.to_owned(), aliases: Vec::new(), kind: Kind::Person, facts };
    PartyKey::of(Subject::Payment(&payment), Some(&party)).expect("a key")
}

#[test]
fn an_actor_is_a_party_by_its_id_and_a_counterparty_by_who_it_is() {
    let first = actor("a", "Ada Quill");
    assert_eq!(first.pair("own/Q1"), actor("a", "Ada Quilla").pair("own/Q1"));
    assert_ne!(first.facts, actor("a", "Ada Quilla").facts);
    assert_ne!(first.pair("own/Q1"), actor("b", "Ada Quill").pair("own/Q1"));
    assert_ne!(first.pair("own/Q1"), first.pair("own/Q2"));
    let other = counterparty("Ada Quill", "mt");
    assert_eq!(other, counterparty(" ADA  Quill", "mt"));
    assert_ne!(other.pair("own/Q1"), counterparty("Ada Quill", "it").pair("own/Q1"));
    assert_ne!(other.pair("own/Q1"), first.pair("own/Q1"));
}

#[test]
fn a_clearance_counts_until_it_is_over_or_either_side_changes() {
    let key = actor("a", "Ada Quill");
    let plain = ClearanceRow {
        id: "c1".to_owned(),
        pair: key.pair("own/Q1"),
        facts: key.facts.clone(),
        fingerprint: "f1".to_owned(),
        until: 100,
        cleared_at: 1,
        ended_at: None,
    };
    for (clearance, now, is_left_out) in [
        (plain.clone(), 99, true),
        (plain.clone(), 100, false),
        (ClearanceRow { ended_at: Some(50), ..plain.clone() }, 99, false),
        (ClearanceRow { facts: "others".to_owned(), ..plain.clone() }, 99, false),
        (ClearanceRow { fingerprint: "f2".to_owned(), ..plain.clone() }, 99, false),
    ] {
        let by_pair = HashMap::from([(
            clearance.pair.clone(),
            vec![ClearanceRow { until: 0, cleared_at: 0, id: "c0".to_owned(), ..plain.clone() }, clearance.clone()],
        )]);
        let fingerprints = HashMap::from([("own/Q1".to_owned(), "f1".to_owned())]);
        let clearances = Clearances { key: &key, by_pair, fingerprints, now };
        let found = |id: &str| Match { id: id.to_owned(), name: None, score: Some(0.9), reasons: Vec::new(), cleared_before: None };
        let mut result = ProviderResult::hit(vec![found("own/Q1")]);
        clearances.apply(&mut result);
        assert_eq!(result.response == ScreeningResponse::Miss, is_left_out, "{clearance:?} {now}");
        assert_eq!(result.cleared.len(), usize::from(is_left_out), "{clearance:?} {now}");
        let before: Vec<Option<&str>> = result.matches.iter().map(|found| found.cleared_before.as_deref()).collect();
        assert_eq!(before, if is_left_out { vec![] } else { vec![Some("c1")] }, "{clearance:?} {now}");
        // Another entry is another pair.
        let mut result = ProviderResult::hit(vec![found("own/Q1"), found("own/Q2")]);
        clearances.apply(&mut result);
        assert_eq!((result.response, result.matches.len()), (ScreeningResponse::Hit, 2 - usize::from(is_left_out)));
    }
}
