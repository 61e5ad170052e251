#!/usr/bin/env bash
# async-graphql 7.2.1 takes a variable wherever it stands, whatever type it is defined with: its rule of variable positions never looks at a value.
# The rule is there (`VariableInAllowedPosition`) and has its tests. But it runs among others, and what puts the rules together (`VisitorCons`) does not hand on
# `enter_input_value` and `exit_input_value`. Only the rule needs these. So a document is refused or not by the values that come with it.
# Schemas that are made of Rust's types and dynamic ones behave alike.
# Expected: GraphQL (October 2021), 5.8.5, and what graphql-js 16.15.0 does with each of them.
# Needs a stable Rust of 2026; it compiles for some minutes. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "async-graphql-variable-positions"
version = "0.0.0"
edition = "2024"

[dependencies]
async-graphql = { version = "=7.2.1", default-features = false, features = ["dynamic-schema"] }
futures-executor = "=0.3.34"
serde_json = "=1.0.154"
TOML
cat > "$folder/src/main.rs" << 'RUST'
use async_graphql::dynamic::{self, Field, FieldFuture, InputValue, TypeRef};
use async_graphql::{EmptyMutation, EmptySubscription, InputObject, Object, Request, Response, Schema, Value, Variables};
use futures_executor::block_on;

#[derive(InputObject)]
struct Span {
    from: i32,
    to: i32,
}

struct Query;
#[Object]
impl Query {
    async fn items(&self, first: i32) -> i32 {
        first
    }
    async fn page(&self, #[graphql(default = 10)] first: i32) -> i32 {
        first
    }
    async fn sum(&self, of: Vec<i32>) -> i32 {
        of.iter().sum()
    }
    async fn length(&self, span: Span) -> i32 {
        span.to - span.from
    }
}

/// The same schema, made while the program runs.
fn dynamic() -> dynamic::Schema {
    let int = || TypeRef::named_nn(TypeRef::INT);
    let first = |name| {
        Field::new(name, int(), |asked| FieldFuture::new(async move { Ok(Some(Value::from(asked.args.try_get("first")?.i64()?))) }))
    };
    let sum = Field::new("sum", int(), |asked| {
        FieldFuture::new(async move {
            let of = asked.args.try_get("of")?;
            // What stands for a list of one comes as it was sent: making a list of it is left to the field.
            let Ok(list) = of.list() else { return Ok(Some(Value::from(of.i64()?))) };
            let mut sum = 0;
            for number in list.iter() {
                sum += number.i64()?;
            }
            Ok(Some(Value::from(sum)))
        })
    });
    let length = Field::new("length", int(), |asked| {
        FieldFuture::new(async move {
            let span = asked.args.try_get("span")?.object()?;
            Ok(Some(Value::from(span.try_get("to")?.i64()? - span.try_get("from")?.i64()?)))
        })
    });
    let query = dynamic::Object::new("Query")
        .field(first("items").argument(InputValue::new("first", int())))
        .field(first("page").argument(InputValue::new("first", int()).default_value(10)))
        .field(sum.argument(InputValue::new("of", TypeRef::named_nn_list_nn(TypeRef::INT))))
        .field(length.argument(InputValue::new("span", TypeRef::named_nn("Span"))));
    let span = dynamic::InputObject::new("Span").field(InputValue::new("from", int())).field(InputValue::new("to", int()));
    dynamic::Schema::build("Query", None, None).register(span).register(query).finish().expect("a schema")
}

/// Each: a document and its variables; what comes; what one expects.
const CASES: [(&str, &str, &str, &str); 12] = [
    ("query ($n: Int!) { items(first: $n) }", r#"{"n": 5}"#, "{items: 5}", "the same"),
    ("query ($n: Int = 3) { items(first: $n) }", "{}", "{items: 3}", "the same: a default stands for null"),
    ("query ($n: Int) { page(first: $n) }", r#"{"n": 5}"#, "{page: 5}", "the same: the argument has a default"),
    ("query ($n: Int) { items(first: $n) }", r#"{"n": 5}"#, "{items: 5}", "an error: the variable may be null, and the argument may not"),
    ("query ($n: String!) { items(first: $n) }", r#"{"n": 5}"#, "{items: 5}", "an error: a text is no number"),
    (
        "query ($n: String!) { items(first: $n) }",
        r#"{"n": "x"}"#,
        r#"error: Invalid value for argument "first", expected type "Int""#,
        "an error, and the same one for each value: it is the variable's type that is wrong",
    ),
    ("query ($n: String!) { ...Some } fragment Some on Query { items(first: $n) }", r#"{"n": 5}"#, "{items: 5}", "an error, as above"),
    ("query ($n: String!) { length(span: {from: 1, to: $n}) }", r#"{"n": 5}"#, "{length: 4}", "an error, as above"),
    ("query ($n: String!) { sum(of: [1, $n]) }", r#"{"n": 5}"#, "{sum: 6}", "an error, as above"),
    ("query ($n: Int!) { sum(of: $n) }", r#"{"n": 5}"#, "{sum: 5}", "an error: only a written value may stand for a list of one"),
    ("query ($of: [Int]!) { sum(of: $of) }", r#"{"of": [1, 2]}"#, "{sum: 3}", "an error: an item of the variable may be null"),
    ("query ($all: String!) { items(first: 1) page @include(if: $all) }", r#"{"all": true}"#, "{items: 1, page: 10}", "an error: a text is no condition"),
];

fn found(answer: Response) -> String {
    match answer.errors.first() {
        Some(error) => format!("error: {}", error.message),
        None => answer.data.to_string(),
    }
}

fn main() {
    let of_types = Schema::new(Query, EmptyMutation, EmptySubscription);
    let dynamic = dynamic();
    let mut changed = 0;
    println!("async-graphql 7.2.1");
    for (text, variables, known, expected) in CASES {
        println!("\n  {text}\n    with:     {variables}");
        let request = || Request::new(text).variables(Variables::from_json(serde_json::from_str(variables).expect("JSON")));
        let both = [("comes:   ", block_on(of_types.execute(request()))), ("dynamic: ", block_on(dynamic.execute(request())))];
        for (which, found) in both.map(|(which, answer)| (which, found(answer))) {
            println!("    {which} {found}");
            if found != known {
                println!("    CHANGED:  it was {known}");
                changed += 1;
            }
        }
        println!("    expected: {expected}");
    }
    std::process::exit(i32::from(changed > 0));
}
RUST
cd "$folder"
cargo run --quiet
