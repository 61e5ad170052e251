use graph_schema::screening::ScreeningResponse;
use resolvers::testing::screening::http::read;
use resolvers::testing::screening::result::ProviderResult;

#[test]
fn an_answer_is_believed_only_as_far_as_it_keeps_to_its_form() {
    let hit = r#"{"id":"s","response":"HIT","matches":[{"id":"Q1","name":"Ada Quill","score":0.9,"reasons":[{"what":"Kept"}]}],"more":1}"#;
    let result = read(hit.as_bytes(), "s").expect("a hit");
    assert_eq!((result.response, result.score()), (ScreeningResponse::Hit, Some(0.9)));
    let result = read(br#"{"id":"s","response":"MISS"}"#, "s").expect("a miss");
    assert_eq!(result, ProviderResult::miss());
    let many = format!(r#"{{"id":"s","response":"HIT","matches":[{}]}}"#, [r#"{"id":"Q"}"#; 21].join(","));
    for wrong in [
        "",
        "{",
        "MISS",
        r#"{"response":"MISS"}"#,
        r#"{"id":"t","response":"MISS"}"#,
        r#"{"id":"s","response":"miss"}"#,
        r#"{"id":"s","response":"ERROR"}"#,
        r#"{"id":"s","response":"HIT"}"#,
        r#"{"id":"s","response":"MISS","matches":[{"id":"Q1"}]}"#,
        r#"{"id":"s","response":"HIT","matches":[{"id":""}]}"#,
        r#"{"id":"s","response":"HIT","matches":[{"id":"Q1","score":1.1}]}"#,
        r#"{"id":"s","response":"HIT","matches":[{"id":"Q1","score":"high"}]}"#,
        &many,
    ] {
        assert!(read(wrong.as_bytes(), "s").is_err(), "{wrong}");
    }
}
