use graph_schema::identity::Placeholders;
use resolvers::testing::screening::party::{Party, ToldParty};
use screening::Kind;
use serde_json::json;

fn party(counterparty: serde_json::Value) -> Option<Party> {
    Party::of(&serde_json::from_str(&counterparty.to_string()).expect("a counterparty"), &Placeholders::with(["Sundry Debtors"]))
}

#[test]
fn a_counterparty_is_searched_for_with_what_is_known_of_it() {
    let found = party(json!({"object": "INDIVIDUAL", "name": " Ada Quill ", "birth_date": "1952-12-03",
        "postal_addresses": [{"country": "MT"}, {"country": "mt"}, {"country": "Malta"}, {"city": "Valletta"}]}));
    let found = found.expect("a party");
    assert_eq!((found.name.as_str(), found.kind), ("Ada Quill", Kind::Person));
    assert_eq!(found.facts.countries, ["mt"]);
    assert_eq!(found.facts.birth_dates.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1952-12-03"]);
    let told = serde_json::to_value(ToldParty::from(&found)).expect("JSON");
    let expected = json!({"role": "COUNTERPARTY", "name": "Ada Quill", "kind": "PERSON", "birthDates": ["1952-12-03"], "countries": ["mt"]});
    assert_eq!(told, expected);
}

#[test]
fn nobody_is_searched_for_where_the_name_names_nobody() {
    for counterparty in [
        json!({"object": "EMPTY"}),
        json!({"object": "INDIVIDUAL", "name": "N/A"}),
        json!({"object": "INDIVIDUAL", "name": "NOTPROVIDED"}),
        json!({"object": "LEGAL_ENTITY", "name": "  "}),
        json!({"object": "NAMED_ENTITY", "name": "sundry debtors"}),
    ] {
        assert_eq!(party(counterparty.clone()), None, "{counterparty}");
    }
    assert!(party(json!({"object": "NAMED_ENTITY", "name": "Grey Pelican"})).is_some_and(|party| party.kind == Kind::Unknown));
}
