use graph_schema::json_object::{JsonObject, with_fields_appended};

#[test]
fn text_is_kept_and_extended_at_its_end() {
    let object = JsonObject::parse(r#"{ "a" : 1.10, "b":{"c":[1e2]} }"#).unwrap();
    assert_eq!(serde_json::to_string(&object).unwrap(), object.as_str());
    let more = object.with("bulk", &1).unwrap();
    assert_eq!(more.as_str(), r#"{ "a" : 1.10, "b":{"c":[1e2]},"bulk":1}"#);
    assert_eq!(more.with("bulk", &"x").unwrap().as_str(), r#"{ "a" : 1.10, "b":{"c":[1e2]},"bulk":1,"bulk_":"x"}"#);
    assert_eq!(with_fields_appended("{ }\n", &[("id", "\"x\""), ("n", "2")]), r#"{"id":"x","n":2}"#);
    assert_eq!(with_fields_appended(r#"{"a":{"b":{}}}"#, &[("n", "2")]), r#"{"a":{"b":{}},"n":2}"#);
    assert!(JsonObject::parse("[1]").is_none());
}
