use graph_schema::json_text::JsonText;
use proptest::prelude::*;
use resolvers::testing::audit::changes::{DEEPEST, LONGEST_PATH, MOST};
use resolvers::{FieldChange, field_changes};
use serde_json::{Value, json};

/// Any JSON value; names and texts have in them what is written otherwise in pointers and in JSON.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-c/~\"é]{0,3}".prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[ab/~]{0,2}", inner, 0..4).prop_map(|fields| Value::Object(fields.into_iter().collect()))
        ]
    })
}

fn of(old: &Value, new: &Value) -> Vec<FieldChange> {
    field_changes(&old.to_string(), &new.to_string())
}

/// The value with a change made.
fn applied(mut value: Value, change: &FieldChange) -> Value {
    let Some((parent, name)) = change.path.rsplit_once('/') else {
        return change.after.as_ref().expect("a value as a whole is never gone").value();
    };
    let name = name.replace("~1", "/").replace("~0", "~");
    let fields = value.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
    match &change.after {
        Some(after) => fields.insert(name, after.value()),
        None => fields.remove(&name),
    };
    value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_changes_make_of_the_old_value_the_new_one(old in any_json(), new in any_json()) {
        prop_assert_eq!(of(&old, &new).iter().fold(old, applied), new);
    }

    #[test]
    fn a_change_says_what_was_there_and_what_is(old in any_json(), new in any_json()) {
        for FieldChange { path, before, after } in of(&old, &new) {
            prop_assert_eq!(before.as_ref().map(JsonText::value), old.pointer(&path).cloned());
            prop_assert_eq!(after.as_ref().map(JsonText::value), new.pointer(&path).cloned());
            prop_assert_ne!(before, after);
        }
    }

    #[test]
    fn the_way_back_has_the_same_changes_turned_round(old in any_json(), new in any_json()) {
        let turned = |change: FieldChange| FieldChange { before: change.after, after: change.before, ..change };
        let sorted = |mut changes: Vec<FieldChange>| {
            changes.sort_by(|one, other| one.path.cmp(&other.path));
            changes
        };
        prop_assert_eq!(sorted(of(&new, &old).into_iter().map(turned).collect()), sorted(of(&old, &new)));
        prop_assert_eq!(of(&old, &old), Vec::new());
    }
}

/// The changes as `path before after`; what is not there is a dash.
fn told(old: &str, new: &str) -> Vec<String> {
    let text = |value: &Option<JsonText>| value.as_ref().map_or("-".to_owned(), |value| value.as_str().to_owned());
    field_changes(old, new).iter().map(|change| format!("{} {} {}", change.path, text(&change.before), text(&change.after))).collect()
}

#[test]
fn objects_are_compared_by_fields_and_arrays_as_a_whole() {
    let table: [(&str, &str, &[&str]); 10] = [
        (r#"{"a":1,"b":2}"#, r#"{ "b" : 2, "a" : 1 }"#, &[]),
        (r#"{"a":{"b":1,"c":2}}"#, r#"{"a":{"b":1,"c":3}}"#, &["/a/c 2 3"]),
        (r#"{"a":1}"#, r#"{"b":null}"#, &["/a 1 -", "/b - null"]),
        (r#"{"a":[1,2]}"#, r#"{"a":[0,1,2]}"#, &["/a [1,2] [0,1,2]"]),
        (r#"{"a":[1, 2]}"#, r#"{"a":[1,2]}"#, &[]),
        (r#"{"a/b~":1}"#, r#"{"a/b~":2}"#, &["/a~1b~0 1 2"]),
        (r#"{"a":"é"}"#, r#"{"a":"\u00e9"}"#, &[]),
        // A float would take them for one.
        (r#"{"a":10000000000000000.01}"#, r#"{"a":10000000000000000.02}"#, &["/a 10000000000000000.01 10000000000000000.02"]),
        ("actor-1", "actor-2", &[" \"actor-1\" \"actor-2\""]),
        (r#"{"a":1}"#, "[1]", &[r#" {"a":1} [1]"#]),
    ];
    for (old, new, expected) in table {
        assert_eq!(told(old, new), expected, "{old} {new}");
    }
}

#[test]
fn what_is_deep_or_long_or_much_is_one_change() {
    let nested = |leaf: &str| (0..20).fold(json!(leaf), |inner, _| json!({"a": inner}));
    let [change] = &of(&nested("x"), &nested("y"))[..] else { panic!("one change") };
    assert_eq!(change.path, "/a".repeat(DEEPEST));
    let long = "n".repeat(LONGEST_PATH);
    let [change] = &of(&json!({&long: {"a": 1}}), &json!({&long: {"a": 2}}))[..] else { panic!("one change") };
    assert_eq!(change.path, format!("/{long}"));
    let many = |count: usize, value: i32| Value::Object((0..count).map(|number| (number.to_string(), json!(value))).collect());
    assert_eq!(of(&many(MOST, 1), &many(MOST, 2)).len(), MOST);
    let [change] = &of(&many(MOST + 1, 1), &many(MOST + 1, 2))[..] else { panic!("one change") };
    assert_eq!((change.path.as_str(), change.after.as_ref().map(JsonText::value)), ("", Some(many(MOST + 1, 2))));
}
