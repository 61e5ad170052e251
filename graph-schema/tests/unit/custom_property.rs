use graph_schema::custom_property::CustomProperties;

#[test]
fn what_is_given_joins_what_is_stored() {
    let stored = CustomProperties::of_text(r#"{"c__a":[1.0],"c__b":2.50,"c__c":"x"}"#);
    let given = CustomProperties::of_text(r#"{"c__a":[2e0],"c__b":{"d":1},"c__e":true}"#);
    assert_eq!(stored.followed_by(&given).to_text(), r#"{"c__a":[1.0,2e0],"c__b":{"d":1},"c__c":"x","c__e":true}"#);
    assert_eq!(stored.get("c__b").unwrap().as_str(), "2.50");
    let cleared = CustomProperties::of_text(r#"{"c__a":null,"c__never":null}"#);
    assert_eq!(stored.followed_by(&cleared).to_text(), r#"{"c__b":2.50,"c__c":"x"}"#);
    assert!(CustomProperties::default().followed_by(&cleared).is_empty());
    assert!(CustomProperties::of_text("{}").is_empty());
}
