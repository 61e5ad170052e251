use cypher::Value;
use graph_schema::case::CaseCommunicationRequest;
use graph_schema::custom_property::CustomProperties;
use graph_schema::id::CaseId;
use resolvers::testing::case::row::{communication_ids, custom_props};

#[test]
fn scalars_show_and_what_was_one_goes() {
    let all = CustomProperties::of_text(r#"{"c__a":1,"c__b":1.50,"c__c":"x","c__d":true,"c__e":[1],"c__f":{}}"#);
    let props = custom_props(&all, ["c__a", "c__b", "c__c", "c__e", "c__gone"]);
    assert_eq!(props[0], ("customProperties".into(), all.to_text().into()));
    let shown: Vec<(&str, &Value)> = props[1..].iter().map(|(name, value)| (&**name, value)).collect();
    let wanted = [("c__a", 1i64.into()), ("c__b", 1.5.into()), ("c__c", "x".into()), ("c__e", Value::Null), ("c__gone", Value::Null)];
    assert_eq!(shown, wanted.iter().map(|(name, value)| (*name, value)).collect::<Vec<_>>());
    assert_eq!(custom_props(&CustomProperties::default(), []), [("customProperties".into(), Value::Null)]);
}

#[test]
fn a_communication_without_an_id_is_known_by_its_words() {
    let letter = |text: &str| serde_json::from_str::<CaseCommunicationRequest>(text).expect("a communication");
    let [a, b, named] = [r#"{"subject":"a"}"#, r#"{"subject":"b"}"#, r#"{"communication_id":"m"}"#].map(letter);
    let case = CaseId::new("c");
    let ids = communication_ids(&case, &[a.clone(), named.clone(), a.clone(), b.clone()]);
    assert_eq!(ids[1], "m");
    assert!(ids[0] != ids[2] && ids[0] != ids[3], "{ids:?}");
    assert_eq!(communication_ids(&case, &[b.clone(), a.clone()]), [ids[3].clone(), ids[0].clone()], "wherever it stands");
    assert_ne!(communication_ids(&CaseId::new("d"), &[a]), [ids[0].clone()]);
}
