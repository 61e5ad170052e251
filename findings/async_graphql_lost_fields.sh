#!/usr/bin/env bash
# async-graphql 7.2.1 loses fields that were asked for, without an error: behind a fragment on a union, and where an object is selected twice.
# A fragment on a union applies only where the field itself has that union's type. An object from which one selection takes nothing is null for the others.
# And a required field that fails is left out of its object, instead of making it null.
# Expected: GraphQL (October 2021), 6.3.2 (fragments), 6.4.3 (merging) and 6.4.4 (errors), and what graphql-js 16.15.0 answers to each of them.
# Needs a stable Rust of 2026; it compiles for some minutes. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "async-graphql-lost-fields"
version = "0.0.0"
edition = "2024"

[dependencies]
async-graphql = { version = "=7.2.1", default-features = false }
futures-executor = "=0.3.34"
serde_json = "=1.0.154"
TOML
cat > "$folder/src/main.rs" << 'RUST'
use async_graphql::{EmptyMutation, EmptySubscription, ID, Interface, Object, Request, Result, Schema, SimpleObject, Union, Variables};

#[derive(Clone, SimpleObject)]
struct Person {
    id: ID,
    name: String,
}

#[derive(Clone, SimpleObject)]
struct Company {
    id: ID,
    title: String,
}

#[derive(Interface)]
#[graphql(field(name = "id", ty = "&ID"))]
enum Node {
    Person(Person),
    Company(Company),
}

#[derive(Union)]
enum Party {
    Person(Person),
    Company(Company),
}

struct Balance;
#[Object]
impl Balance {
    async fn currency(&self) -> &str {
        "EUR"
    }
    async fn amount(&self) -> Result<i32> {
        Err("not known".into())
    }
}

fn anna() -> Person {
    Person { id: "p".into(), name: "Anna".to_owned() }
}

fn acme() -> Company {
    Company { id: "c".into(), title: "Acme".to_owned() }
}

struct Query;
#[Object]
impl Query {
    async fn person(&self) -> Person {
        anna()
    }
    async fn node(&self) -> Node {
        Node::Person(anna())
    }
    async fn party(&self) -> Party {
        Party::Person(anna())
    }
    async fn parties(&self) -> Vec<Party> {
        vec![Party::Person(anna()), Party::Company(acme())]
    }
    async fn nodes(&self) -> Vec<Node> {
        vec![Node::Person(anna()), Node::Company(acme())]
    }
    async fn balance(&self) -> Option<Balance> {
        Some(Balance)
    }
}

/// Each: a document; what comes when $all is false; what one expects.
const CASES: [(&str, &str, &str); 11] = [
    ("{ party { ...Row } } fragment Row on Party { ... on Person { name } }", r#"{party: {name: "Anna"}} 0 errors"#, "the same"),
    ("{ node { id ...Row } } fragment Row on Party { ... on Person { name } }", r#"{node: {id: "p"}} 0 errors"#, "the name too: the node is a person, and a person is a party"),
    ("{ person { id ...Row } } fragment Row on Party { __typename ... on Person { name } }", r#"{person: {id: "p"}} 0 errors"#, "the name and the type too"),
    ("{ nodes { id ...Row } } fragment Row on Party { __typename }", r#"{nodes: [{id: "p"}, {id: "c"}]} 0 errors"#, "the types too"),
    ("query ($all: Boolean!) { person { id } person { name @include(if: $all) } }", r#"{person: {id: "p"}} 0 errors"#, "the same"),
    ("query ($all: Boolean!) { person { name @include(if: $all) } person { id } }", "{person: null} 0 errors", "the same id, whichever is written first"),
    (
        "query ($all: Boolean!) { ...Head ...Body } fragment Head on Query { person { name @include(if: $all) } } fragment Body on Query { person { id } }",
        "{person: null} 0 errors",
        "the id, which one of the two fragments asks for",
    ),
    ("query ($all: Boolean!) { nodes { ... @include(if: $all) { __typename } } nodes { id } }", "{nodes: [null, null]} 0 errors", "both ids"),
    (
        "{ parties { ... on Company { title } } parties { ... on Person { name } } }",
        r#"{parties: [null, {title: "Acme"}]} 0 errors"#,
        r#"[{name: "Anna"}, {title: "Acme"}]"#,
    ),
    ("{ parties { ... on Company { title } ... on Person { name } } }", r#"{parties: [{name: "Anna"}, {title: "Acme"}]} 0 errors"#, "the same"),
    ("{ balance { currency amount } }", r#"{balance: {currency: "EUR"}} 1 errors"#, "{balance: null} and the error: the amount is an Int!"),
];

fn main() {
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    let mut changed = 0;
    println!("async-graphql 7.2.1");
    for (text, known, expected) in CASES {
        let variables = Variables::from_json(serde_json::json!({"all": false}));
        let answer = futures_executor::block_on(schema.execute(Request::new(text).variables(variables)));
        let found = format!("{} {} errors", answer.data, answer.errors.len());
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
