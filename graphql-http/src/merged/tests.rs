//! Each document is run on a schema whose mutation counts how often it is carried out.

use std::sync::{Arc, Mutex};

use async_graphql::{Context, EmptySubscription, Object, Schema};
use serde_json::{Value as Json, json};

use super::*;

/// What was carried out.
type Done = Arc<Mutex<Vec<String>>>;

struct Query;

#[Object]
impl Query {
    async fn nothing(&self) -> i32 {
        0
    }
}

struct Mutation;

struct Written(String);

#[Object]
impl Mutation {
    async fn write(&self, context: &Context<'_>, what: String) -> Written {
        context.data_unchecked::<Done>().lock().expect("no panic").push(what.clone());
        Written(what)
    }

    async fn count(&self, context: &Context<'_>, what: String) -> i32 {
        context.data_unchecked::<Done>().lock().expect("no panic").push(what);
        1
    }
}

#[Object]
impl Written {
    async fn what(&self) -> &str {
        &self.0
    }

    async fn length(&self) -> usize {
        self.0.len()
    }

    async fn more(&self) -> Written {
        Written(format!("{0}{0}", self.0))
    }
}

/// The answer, and what was carried out.
async fn run(document: &str, variables: Json) -> (Json, Vec<String>) {
    let done = Done::default();
    let schema = Schema::build(Query, Mutation, EmptySubscription).data(Arc::clone(&done)).finish();
    let mut request = Request::new(document).variables(Variables::from_json(variables));
    let begun = crate::selection::take_variables(&mut request).and_then(|()| merge(&mut request).map_err(|error| vec![error]));
    let answer = match begun {
        Ok(_) => serde_json::to_value(schema.execute(request).await).expect("an answer"),
        Err(errors) => json!({"errors": errors}),
    };
    let written = done.lock().expect("no panic").clone();
    (answer, written)
}

#[tokio::test]
async fn one_key_is_carried_out_once_with_all_that_is_selected() {
    let both = json!({"write": {"what": "a", "length": 1}});
    for (document, variables, data, written) in [
        // In the operation and in fragments, in whatever way they come there.
        (r#"mutation { write(what: "a") { what } write(what: "a") { length } }"#, json!({}), both.clone(), "a"),
        (r#"mutation { write(what: "a") { what } ...F } fragment F on Mutation { write(what: "a") { length } }"#, json!({}), both.clone(), "a"),
        (r#"mutation { ...F write(what: "a") { what } } fragment F on Mutation { write(what: "a") { length } }"#, json!({}), both.clone(), "a"),
        (r#"mutation { write(what: "a") { what } ... on Mutation { write(what: "a") { length } } }"#, json!({}), both.clone(), "a"),
        (r#"mutation { ... { ... { write(what: "a") { what } } } ... { write(what: "a") { length } } }"#, json!({}), both.clone(), "a"),
        (
            r#"mutation { ...F ...G } fragment F on Mutation { write(what: "a") { what } } fragment G on Mutation { ...H }
            fragment H on Mutation { write(what: "a") { length } ...F }"#,
            json!({}),
            both.clone(),
            "a",
        ),
        (r#"mutation { ...F ...F } fragment F on Mutation { write(what: "a") { what length } }"#, json!({}), both.clone(), "a"),
        (r#"mutation { write(what: "a") { ...W } write(what: "a") { length ...W } } fragment W on Written { what }"#, json!({}), both.clone(), "a"),
        // Variables and other orders of arguments are the same arguments.
        (
            "mutation($w: String!) { write(what: $w) { what } ...F } fragment F on Mutation { write(what: $w) { length } }",
            json!({"w": "a"}),
            both.clone(),
            "a",
        ),
        // By its response key and not by its name.
        (r#"mutation { write: write(what: "a") { what } write(what: "a") { length } }"#, json!({}), both.clone(), "a"),
        (
            r#"mutation { x: write(what: "a") { what } y: write(what: "a") { what } }"#,
            json!({}),
            json!({"x": {"what": "a"}, "y": {"what": "a"}}),
            "aa",
        ),
        (
            r#"mutation { x: write(what: "a") { what } ...F y: write(what: "b") { what } } fragment F on Mutation { x: write(what: "a") { length } }"#,
            json!({}),
            json!({"x": {"what": "a", "length": 1}, "y": {"what": "b"}}),
            "ab",
        ),
        // What is deeper is put together, too.
        (
            r#"mutation { write(what: "a") { more { what } } ...F } fragment F on Mutation { write(what: "a") { more { length } what } }"#,
            json!({}),
            json!({"write": {"more": {"what": "aa", "length": 2}, "what": "a"}}),
            "a",
        ),
        // What selects nothing.
        (
            r#"mutation { count(what: "a") ...F __typename } fragment F on Mutation { count(what: "a") __typename }"#,
            json!({}),
            json!({"count": 1, "__typename": "Mutation"}),
            "a",
        ),
        (
            "mutation($i: Boolean!) { count(what: \"a\") ...F @include(if: $i) } fragment F on Mutation { count(what: \"a\") }",
            json!({"i": true}),
            json!({"count": 1}),
            "a",
        ),
    ] {
        let (answer, carried_out) = run(document, variables).await;
        assert_eq!(answer, json!({"data": data}), "{document}");
        assert_eq!(carried_out.concat(), written, "{document}");
    }
}

#[tokio::test]
async fn each_part_stays_under_its_conditions() {
    let document = r#"mutation($i: Boolean!, $s: Boolean = false) {
            write(what: "a") @include(if: $i) { what }
            ...F @skip(if: $s)
            ... @include(if: $i) { ... @skip(if: $s) { write(what: "a") @include(if: true) { more { what } } } }
        }
        fragment F on Mutation { write(what: "a") { length } }"#;
    for (variables, data, written) in [
        (json!({"i": true}), json!({"write": {"what": "a", "length": 1, "more": {"what": "aa"}}}), "a"),
        (json!({"i": false}), json!({"write": {"length": 1}}), "a"),
        (json!({"i": true, "s": true}), json!({"write": {"what": "a"}}), "a"),
    ] {
        let (answer, carried_out) = run(document, variables.clone()).await;
        assert_eq!(answer, json!({"data": data}), "{variables}");
        assert_eq!(carried_out.concat(), written, "{variables}");
    }
    let (_, carried_out) = run(document, json!({"i": false, "s": true})).await;
    assert!(carried_out.is_empty(), "{carried_out:?}");
}

#[tokio::test]
async fn what_does_not_agree_is_refused_and_nothing_is_carried_out() {
    for (document, variables, problem) in [
        (r#"mutation { write(what: "a") { what } ...F } fragment F on Mutation { write(what: "b") { what } }"#, json!({}), "differing arguments"),
        (r#"mutation { x: write(what: "a") { what } ...F } fragment F on Mutation { x: count(what: "a") }"#, json!({}), "different fields"),
        (
            r#"mutation { write(what: "a") { what } ...F @skip(if: true) } fragment F on Mutation { write(what: "b") { what } }"#,
            json!({}),
            "differing",
        ),
        // All that is checked otherwise still is.
        (r#"mutation { write(what: "a") { what } ...F } fragment F on Mutation { write(what: "a") { nothing } }"#, json!({}), "nothing"),
        (r#"mutation { write(what: "a") { what } ...F } fragment F on Query { nothing }"#, json!({}), "F"),
        (r#"mutation { write(what: "a") { what } write(what: "a") { length } } fragment F on Mutation { count(what: "a") }"#, json!({}), "F"),
        (r#"mutation($x: Int) { write(what: "a") { what } write(what: "a") { length } }"#, json!({}), "x"),
        (r#"mutation { write(what: "a") { what } write(what: "a") @include(if: $x) { length } }"#, json!({}), "x"),
        (r#"mutation { write(what: "a") { what } write(what: "a") @unknown { length } }"#, json!({}), "unknown"),
        (r#"mutation($i: Boolean!) { write(what: "a") { what } write(what: "a") @include(if: $i) { length } }"#, json!({}), "i"),
    ] {
        let (answer, carried_out) = run(document, variables).await;
        let message = answer["errors"][0]["message"].as_str().unwrap_or_else(|| panic!("{document}: {answer}"));
        assert!(message.contains(problem) && !answer["errors"][0]["locations"].as_array().is_none_or(Vec::is_empty), "{document}: {answer}");
        assert!(carried_out.is_empty(), "{document}: {carried_out:?}");
    }
    let (answer, _) =
        run("mutation { write(what: \"a\") { what }\n ...F }\n fragment F on Mutation { write(what: \"b\") { what } }", json!({})).await;
    assert_eq!(answer["errors"][0]["locations"], json!([{"line": 1, "column": 12}, {"line": 3, "column": 27}]));
}

#[tokio::test]
async fn what_no_check_looks_at_and_nobody_can_decide_is_refused_before_it_is_done_twice() {
    let twice = r#"write(what: "a") { what } write(what: "a") { length }"#;
    let behind = r#"write(what: "a") { what } ...F"#;
    for (selection, named) in [
        ("__typename @foo", "@foo"),
        ("__typename @include(if: $nope)", "@include(if: $nope)"),
        ("__typename @skip", "@skip"),
        (r#"__typename @skip(if: "no")"#, "@skip"),
        ("__typename @deprecated", "@deprecated"),
        ("... { __typename @foo }", "@foo"),
        ("...G @skip(if: false)", "@foo"),
        ("__typename @skip(if: true) @foo", "@foo"),
    ] {
        let fragments = "fragment F on Mutation { write(what: \"a\") { length } } fragment G on Mutation { __typename @foo }";
        for document in [
            format!("mutation {{ {twice} {selection} }} {fragments}"),
            format!("mutation {{ {selection} {behind} }} {fragments}"),
            format!("mutation($i: Boolean) {{ {selection} {twice} __typename @include(if: $i) }} {fragments}"),
        ] {
            let (answer, carried_out) = run(&document, json!({})).await;
            let error = &answer["errors"][0];
            assert!(error["message"].as_str().is_some_and(|message| message.contains(&format!("\"{named}\""))), "{document}: {answer}");
            assert!(!error["locations"].as_array().is_none_or(Vec::is_empty) && carried_out.is_empty(), "{document}: {answer} {carried_out:?}");
        }
    }
    // Where nothing can be done twice, the later check has its own words.
    let (answer, carried_out) = run(r#"mutation { write(what: "a") @foo { what } }"#, json!({})).await;
    assert_eq!((&answer["errors"][0]["message"], carried_out.len()), (&json!("Unknown directive \"foo\""), 0), "{answer}");
    // What is left out anyhow decides nothing.
    let (answer, carried_out) = run(&format!("mutation {{ {twice} ... @skip(if: true) {{ __typename @foo }} }}"), json!({})).await;
    assert_eq!((carried_out.concat().as_str(), &answer["data"]["write"]["length"]), ("a", &json!(1)), "{answer}");
}

#[tokio::test]
async fn other_operations_and_their_fragments_stay() {
    let document = r#"mutation one { ...F write(what: "a") { what } } mutation two { ...F } query three { nothing }
        fragment F on Mutation { write(what: "a") { length } }"#;
    for (name, written) in [("one", "a"), ("two", "a"), ("three", "")] {
        let done = Done::default();
        let schema = Schema::build(Query, Mutation, EmptySubscription).data(Arc::clone(&done)).finish();
        let mut request = Request::new(document).operation_name(name);
        merge(&mut request).expect("it agrees");
        let answer = schema.execute(request).await;
        assert!(answer.errors.is_empty(), "{name}: {:?}", answer.errors);
        assert_eq!(done.lock().expect("no panic").concat(), written, "{name}");
    }
}
