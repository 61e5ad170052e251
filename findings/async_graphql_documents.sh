#!/usr/bin/env bash
# async-graphql 7.2.1 refuses documents that are valid, and answers documents that are not.
# Its rules do not look at `__typename`. Its parser ends the word `falsePositive` behind `false`, and takes no white space in the brackets of a list type.
# Its rule of merging compares only fields under the same written type condition, and not what they select.
# Expected: GraphQL (October 2021), 2.1.2, 2.9.6, 5.3.2, 5.3.3, 5.8.3 and 5.8.4, and what graphql-js 16.15.0 does with each of them.
# Needs a stable Rust of 2026; it compiles for some minutes. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "async-graphql-documents"
version = "0.0.0"
edition = "2024"

[dependencies]
async-graphql = { version = "=7.2.1", default-features = false }
futures-executor = "=0.3.34"
serde_json = "=1.0.154"
TOML
cat > "$folder/src/main.rs" << 'RUST'
use async_graphql::{EmptyMutation, EmptySubscription, Enum, ID, Object, Request, Schema, SimpleObject, Union, Variables};

#[derive(SimpleObject)]
struct Person {
    name: String,
    age: i32,
}

#[derive(SimpleObject)]
struct Company {
    title: String,
}

#[derive(Union)]
enum Party {
    Person(Person),
    Company(Company),
}

#[derive(Enum, Clone, Copy, Debug, Eq, PartialEq)]
#[graphql(rename_items = "camelCase")]
enum Verdict {
    Open,
    FalsePositive,
    TrueMatch,
}

fn anna() -> Person {
    Person { name: "Anna".to_owned(), age: 41 }
}

struct Query;
#[Object]
impl Query {
    async fn person(&self) -> Person {
        anna()
    }
    async fn parties(&self) -> Vec<Party> {
        vec![Party::Person(anna()), Party::Company(Company { title: "Acme".to_owned() })]
    }
    async fn count(&self, ids: Option<Vec<ID>>) -> usize {
        ids.map_or(0, |ids| ids.len())
    }
    async fn alerts(&self, verdict: Verdict) -> String {
        format!("{verdict:?}")
    }
    async fn any(&self, verdicts: Vec<Option<Verdict>>) -> String {
        format!("{verdicts:?}")
    }
}

/// Each: a document and its variables; what comes, of an error the last line; what one expects.
const CASES: [(&str, &str, &str, &str); 12] = [
    ("query ($all: Boolean!) { person { name __typename @include(if: $all) } }", r#"{"all": true}"#, r#"error: Variable "$all" is not used"#, "valid: the variable is used"),
    ("{ person { name __typename @include(if: $all) } }", "{}", r#"{person: {name: "Anna"}}"#, "an error: no variable of this name is defined"),
    ("{ person { __typename { name } } }", "{}", r#"{person: {__typename: "Person"}}"#, "an error: a text has no fields"),
    ("{ alerts(verdict: open) }", "{}", r#"{alerts: "Open"}"#, "the same"),
    ("{ alerts(verdict: falsePositive) }", "{}", "error: expected argument", "valid: an enum's value is any name but true, false and null"),
    ("{ alerts(verdict: trueMatch) }", "{}", "error: expected argument", "valid, as above"),
    ("{ any(verdicts: [nullopen]) }", "{}", r#"{any: "[None, Some(Open)]"}"#, "an error: it is one name, which the enum does not have, and not a null and a value"),
    ("query ($ids: [ID!]) { count(ids: $ids) }", r#"{"ids": ["a"]}"#, "{count: 1}", "the same"),
    ("query ($ids: [ ID! ]) { count(ids: $ids) }", r#"{"ids": ["a"]}"#, "error: expected type_", "valid: white space between tokens means nothing"),
    (
        "query ($all: Boolean!) { parties { ... on Person { ... @include(if: $all) { called: name } } ... on Company { ... @include(if: $all) { called: title } } } }",
        r#"{"all": true}"#,
        r#"error: Fields "called" conflict because "name" and "title" are different fields. Use different aliases on the fields to fetch both if this was intentional."#,
        "valid: nothing is both a person and a company",
    ),
    ("{ person { value: name ... on Person { value: age } } }", "{}", r#"{person: {value: "Anna"}}"#, "an error: two fields of one person have one name"),
    ("{ person { value: name } person { value: age } }", "{}", r#"{person: {value: "Anna"}}"#, "an error, as above"),
];

fn main() {
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    let mut changed = 0;
    println!("async-graphql 7.2.1");
    for (text, variables, known, expected) in CASES {
        let variables = Variables::from_json(serde_json::from_str(variables).expect("JSON"));
        let answer = futures_executor::block_on(schema.execute(Request::new(text).variables(variables)));
        let found = match answer.errors.first() {
            Some(error) => format!("error: {}", error.message.lines().last().unwrap_or_default().trim_start_matches([' ', '='])),
            None => answer.data.to_string(),
        };
        println!("\n  {text}\n    comes:    {found}\n    expected: {expected}");
        if found != known {
            println!("    CHANGED:  it was {known}");
            changed += 1;
        }
    }
    std::process::exit(i32::from(changed > 0));
}
RUST
cd "$folder"
cargo run --quiet
