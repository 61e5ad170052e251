use graph_schema::identity::Placeholders;
use resolvers::testing::screening::facts::ActorFacts;
use screening::Kind;
use screening::evidence::{Identifier, Sex};
use serde_json::{Value, json};

fn facts(more: Value) -> ActorFacts {
    let mut record = json!({"id": "a", "type": "INDIVIDUAL", "asOfDate": "2024-01-01", "name": "Ada Quill", "dateOfBirth": "1952-12-03",
        "nationality": "MT", "gender": "FEMALE", "governmentIds": [{"id": "ZX 100200", "type": "PASSPORT"}]});
    for (field, value) in more.as_object().expect("an object") {
        record[field] = value.clone();
    }
    ActorFacts::of(&serde_json::from_str(&record.to_string()).expect("an actor"), &Placeholders::with(["Sundry Debtors"]))
}

#[test]
fn what_says_who_somebody_is_changes_the_facts_and_nothing_else_does() {
    let first = facts(json!({}));
    for same in [
        json!({"asOfDate": "2024-02-01", "status": "TERMINATED", "customData": {"a": 1}, "emails": [{"address": "a@example.org"}]}),
        json!({"name": " Ada  Quill ", "displayName": "ADA QUILL", "firstName": "Ada", "lastName": "Quill"}),
        json!({"governmentIds": [{"id": "zx-100200", "type": "Passport"}, {"id": "N/A", "type": "PASSPORT"}]}),
        json!({"domicile": "MT", "addresses": [{"country": "mt"}, {"country": "Malta"}]}),
        json!({"displayName": "N/A"}),
        json!({"displayName": "sundry debtors"}),
    ] {
        assert_eq!(facts(same.clone()).text(), first.text(), "{same}");
    }
    for other in [
        json!({"type": "LEGAL_ENTITY"}),
        json!({"name": "Ada Quilla"}),
        json!({"displayName": "A. Quill"}),
        json!({"lastName": "Quill"}),
        json!({"dateOfBirth": "1952-12-04"}),
        json!({"nationality": "IT"}),
        json!({"domicile": "IT"}),
        json!({"addresses": [{"country": "IT"}]}),
        json!({"gender": "MALE"}),
        json!({"gender": "UNSPECIFIED"}),
        json!({"governmentIds": []}),
        json!({"governmentIds": [{"id": "ZX 100201", "type": "PASSPORT"}]}),
    ] {
        assert_ne!(facts(other.clone()).text(), first.text(), "{other}");
    }
}

#[test]
fn what_is_kept_is_searched_for() {
    let kept = ActorFacts::read(&facts(json!({"firstName": "A.", "lastName": "Quill"})).text()).expect("facts");
    let party = kept.party().expect("a party");
    assert_eq!((party.name.as_str(), party.aliases.as_slice(), party.kind), ("Ada Quill", ["A. Quill".to_owned()].as_slice(), Kind::Person));
    assert_eq!(party.facts.birth_dates.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1952-12-03"]);
    assert_eq!((party.facts.countries.as_slice(), party.facts.sex), (["mt".to_owned()].as_slice(), Some(Sex::Female)));
    assert_eq!(party.facts.identifiers, [Identifier::new("PASSPORT", "ZX100200")]);
    assert_eq!(facts(json!({"name": "NOTPROVIDED"})).party(), None);
    assert_eq!(ActorFacts::read("{}"), None);
}
