use graph_schema::json_text::JsonText;
use graph_schema::testing::json_text::compact_chars;

#[test]
fn arrays_go_behind_arrays_and_all_else_in_place() {
    let table = [
        ("[1.0]", "[ 2e1, \"x\" ]", r#"[1.0,2e1, "x"]"#),
        ("[]", "[3]", "[3]"),
        ("[ 1 ]", "[ ]", "[ 1 ]"),
        ("[1]", "2", "2"),
        ("1", "[2]", "[2]"),
        (r#"{"a":1}"#, r#"{"b":2}"#, r#"{"b":2}"#),
        ("[1]", "null", "null"),
    ];
    for (stored, given, wanted) in table {
        let after = JsonText::parse(stored).unwrap().followed_by(&JsonText::parse(given).unwrap());
        assert_eq!(after.as_str(), wanted, "{stored} {given}");
    }
    assert_eq!(JsonText::parse("[1"), None);
}

#[test]
fn blanks_between_parts_do_not_count() {
    for (text, count) in [(r#"{ "a b" : "\" c" }"#, r#"{"a b":"\" c"}"#.len()), ("[ 1 , 2 ]", 5), (r#""é\\" "#, 5)] {
        assert_eq!(compact_chars(text), count, "{text}");
    }
}
