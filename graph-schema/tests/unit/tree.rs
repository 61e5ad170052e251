use graph_schema::testing::tree::{offset, parse, path_at};

#[test]
fn doubled_keys_are_found_at_any_depth() {
    let text = r#"{"a":1,"b":[{"c":1},{"c":1,"c":2}],"a":{"d":0,"d":0},"e":[[{"f":1,"f":1}]]}"#;
    let (tree, doubled) = parse(text).unwrap();
    let at: Vec<&str> = doubled.iter().map(|fault| fault.at.as_str()).collect();
    assert_eq!(at, ["b[1].c", "a.d", "a", "e[0][0].f"]);
    assert_eq!(tree["b"][1]["c"], 2);
}

#[test]
fn a_position_is_a_path() {
    let text = "{\"a\": 1,\n \"b{\\\"\": [1, {\"c\": 22}, 3]}";
    for (mark, path) in [("1,", "a"), ("22", "b{\"[1].c"), ("3]", "b{\"[2]")] {
        let end = text.find(mark).unwrap() + 1;
        assert_eq!(path_at(text, end), path, "{mark}");
    }
    assert_eq!(offset("ab\ncd", 2, 1), 4);
}
