//! Results of a schema whose fields fail and come late, table by table here, and compared with those of a plain interpreter in `interpreter.rs`.

mod interpreter;
mod world;

use std::sync::Arc;

use async_graphql::parser::parse_query;
use async_graphql::{EmptyMutation, EmptySubscription, PathSegment, Request, Response, Schema, ServerError, ValidationMode, Variables};
use serde_json::{Value as Json, json};

use super::Schemas;
use crate::document::Document;
use crate::types::Types;
use world::Query;

/// The seed of the tables' documents; of its things see `world.rs`.
const SEED: u32 = 1;

pub async fn run(seed: u32, document: &str, variables: Json) -> Response {
    let schema = |mode| Schema::build(Query(seed), EmptyMutation, EmptySubscription).validation_mode(mode).finish();
    let schemas = Schemas { strict: schema(ValidationMode::Strict), quick: schema(ValidationMode::Fast) };
    let types = Types::of(&schemas.strict.sdl());
    let request = || Request::new(document).variables(Variables::from_json(variables.clone()));
    let parsed = match parse_query(document) {
        Ok(parsed) => Arc::new(Document::new(parsed)),
        Err(error) => return Response::from_errors(vec![error.into()]),
    };
    // The second time it is known to be valid, where it is.
    let [first, second] = [(); 2].map(|()| crate::serving::run(&schemas, &types, Arc::clone(&parsed), request()));
    let [first, second] = [first.await, second.await].map(|response| response.unwrap_or_else(Response::from_errors));
    assert_eq!(told(&first), told(&second), "{document}");
    second
}

/// The data as they are written, since their order counts, and where errors are.
pub fn told(response: &Response) -> (String, Vec<String>) {
    let path = |error: &ServerError| -> String {
        let segment = |segment: &PathSegment| match segment {
            PathSegment::Field(name) => format!("/{name}"),
            PathSegment::Index(index) => format!("/{index}"),
        };
        error.path.iter().map(segment).collect()
    };
    let mut paths: Vec<String> = response.errors.iter().map(path).collect();
    paths.sort();
    (serde_json::to_string(&response.data).expect("JSON"), paths)
}

async fn compare(cases: &[(&str, &str, &[&str])]) {
    for (document, data, paths) in cases {
        let expected: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        assert_eq!(told(&run(SEED, document, json!({})).await), ((*data).to_owned(), expected), "{document}");
    }
}

#[tokio::test]
async fn an_object_of_which_no_field_is_left_is_empty() {
    compare(&[
        ("{ value @skip(if: true) }", "{}", &[]),
        ("{ thing(n: 0) { value @skip(if: true) } }", r#"{"thing":{}}"#, &[]),
        ("{ thing(n: 2) { value @skip(if: true) } }", r#"{"thing":null}"#, &[]),
        ("{ sure(n: 0) { value @include(if: false) } value }", r#"{"sure":{},"value":1}"#, &[]),
        ("{ things(n: 1) { ... @skip(if: true) { value } } }", r#"{"things":[{},{}]}"#, &[]),
        ("{ maybe(n: 0) { value @skip(if: true) } }", r#"{"maybe":[{},null]}"#, &[]),
        ("{ sure(n: 0) { ...F } } fragment F on Item { ... on Other { value } }", r#"{"sure":{}}"#, &[]),
        ("{ item(n: 1) { ... on Thing { value } } }", r#"{"item":{}}"#, &[]),
        ("{ item(n: 0) { ... on Thing { value } } }", r#"{"item":{"value":34}}"#, &[]),
        ("{ item(n: 1) { kind: __typename ... on Thing { value } } }", r#"{"item":{"kind":"Other"}}"#, &[]),
        // By one of its places, and by all of them.
        ("{ thing(n: 0) { value @skip(if: true) } thing(n: 0) { value } }", r#"{"thing":{"value":34}}"#, &[]),
        ("{ thing(n: 0) { value @skip(if: true) } ... { thing(n: 0) { bad @skip(if: true) } } }", r#"{"thing":{}}"#, &[]),
        // Beside what is left alone.
        (
            "{ __schema { ...S } thing(n: 0) { value @skip(if: true) } } fragment S on __Schema { queryType { name } }",
            r#"{"__schema":{"queryType":{"name":"Query"}},"thing":{}}"#,
            &[],
        ),
        ("{ typename_: value thing(n: 0) { value @skip(if: true) } }", r#"{"typename_":1,"thing":{}}"#, &[]),
    ])
    .await;
}

#[tokio::test]
async fn a_field_that_fails_is_null_and_null_climbs() {
    compare(&[
        ("{ bad }", r#"{"bad":null}"#, &["/bad"]),
        ("{ a: bad b: value }", r#"{"a":null,"b":1}"#, &["/a"]),
        ("{ bad bad }", r#"{"bad":null}"#, &["/bad"]),
        ("{ perhaps(n: 2) { value } value }", r#"{"perhaps":null,"value":1}"#, &["/perhaps"]),
        ("{ value refused(n: 1) { value } }", "null", &["/refused"]),
        ("{ thing(n: 1) { value bad } }", r#"{"thing":{"value":41,"bad":null}}"#, &["/thing/bad"]),
        // Nothing of the object is there but the error.
        ("{ thing(n: 1) { bad } }", r#"{"thing":{"bad":null}}"#, &["/thing/bad"]),
        ("{ item(n: 1) { ... on Other { bad } } }", r#"{"item":{"bad":null}}"#, &["/item/bad"]),
        ("{ value sure(n: 2) { worse } }", "null", &["/sure/worse"]),
        ("{ value thing(n: 0) { value sure(n: 0) { worse } } }", r#"{"value":1,"thing":null}"#, &["/thing/sure/worse"]),
        ("{ maybe(n: 0) { value sure(n: 0) { worse value } } }", r#"{"maybe":[null,null]}"#, &["/maybe/0/sure/worse"]),
        ("{ things(n: 1) { worse } }", "null", &["/things/1/worse"]),
        ("{ value thing(n: 0) { value each(n: 1) { value } } }", r#"{"value":1,"thing":{"value":34,"each":[{"value":67}]}}"#, &[]),
        ("{ value thing(n: 0) { value each(n: 2) { value } } }", r#"{"value":1,"thing":null}"#, &["/thing/each/1"]),
        ("{ value thing(n: 0) { bad @skip(if: true) } worse bad }", r#"{"value":1,"thing":{},"worse":1,"bad":null}"#, &["/bad"]),
    ])
    .await;
}

#[tokio::test]
async fn keys_come_in_the_order_of_the_request() {
    compare(&[
        (
            "{ a: thing(n: 0) { value __typename } b: __typename c: sure(n: 1) { value } d: value }",
            r#"{"a":{"value":34,"__typename":"Thing"},"b":"Query","c":{"value":41},"d":1}"#,
            &[],
        ),
        (
            "{ b: value ...F a: value } fragment F on Query { c: value thing(n: 0) { other: value } a: value thing(n: 0) { value } }",
            r#"{"b":1,"c":1,"thing":{"other":34,"value":34},"a":1}"#,
            &[],
        ),
        (
            "{ things(n: 1) { sure(n: 0) { value } value onlyThing } }",
            r#"{"things":[{"sure":{"value":277},"value":41,"onlyThing":7},{"sure":{"value":308},"value":42,"onlyThing":7}]}"#,
            &[],
        ),
        ("{ item(n: 0) { ... on Thing { onlyThing } value } }", r#"{"item":{"onlyThing":7,"value":34}}"#, &[]),
    ])
    .await;
}

/// Also where what is wrong is in no place that is carried out.
#[tokio::test]
async fn what_is_not_valid_is_refused_as_it_was_sent() {
    for (document, variables, problem) in [
        ("{ thing(n: 0) { nothing @skip(if: true) } }", json!({}), "nothing"),
        ("{ thing(n: 0) { value @skip(if: true) } } fragment F on Thing { value }", json!({}), "F"),
        ("{ item(n: 0) { ... on Query { value } } }", json!({}), "Query"),
        ("query($n: Int!) { thing(n: 0) { value @skip(if: true) } }", json!({"n": 0}), "n"),
        ("{ thing(n: 0) { x: value } ...F } fragment F on Query { thing(n: 1) { value } }", json!({}), "differing arguments"),
        ("{ thing(n: 0) { x: value ... on Thing { x: onlyThing } } }", json!({}), "different fields"),
        ("query a { thing(n: 0) { value @skip(if: true) } } query b { value }", json!({}), "name"),
    ] {
        let response = run(SEED, document, variables).await;
        let message = response.errors.first().map(|error| error.message.clone()).unwrap_or_default();
        assert!(message.contains(problem) && response.data == async_graphql::Value::Null, "{document}: {response:?}");
    }
}

#[tokio::test]
async fn variables_decide_and_are_not_missed_where_their_field_is_left_out() {
    let document = "query($n: Int!, $s: Boolean = true, $i: Boolean!) {
        thing(n: 0) { thing(n: $n) @skip(if: $s) { value } ... @include(if: $i) { value } } }";
    for (variables, data) in [
        (json!({"n": 0, "i": false}), r#"{"thing":{}}"#),
        (json!({"n": 0, "i": true}), r#"{"thing":{"value":34}}"#),
        (json!({"n": 0, "i": true, "s": false}), r#"{"thing":{"thing":null,"value":34}}"#),
    ] {
        assert_eq!(told(&run(SEED, document, variables.clone()).await), (data.to_owned(), Vec::new()), "{variables}");
    }
}
