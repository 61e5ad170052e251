#!/usr/bin/env bash
# async-graphql 7.2.1: a variable that is not given counts as null, even a required one, and a mutation that is selected in two places runs twice.
# Expected: GraphQL (October 2021). 6.1.2: a required variable without a value is an error. 6.4.1: an argument whose variable is not given is absent.
# 6.3.2: selections of one name are merged before anything runs. 3.9: a text is no literal of an enum.
# Needs a stable Rust of 2026; it compiles for some minutes. Exits with 1 when an answer has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cat > "$folder/Cargo.toml" << 'TOML'
[package]
name = "async-graphql-requests"
version = "0.0.0"
edition = "2024"

[dependencies]
async-graphql = { version = "=7.2.1", default-features = false }
futures-executor = "=0.3.34"
TOML
cat > "$folder/src/main.rs" << 'RUST'
use async_graphql::{EmptySubscription, Enum, MaybeUndefined, Object, Schema, SimpleObject};
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(SimpleObject)]
struct Person {
    name: String,
    age: i32,
}

fn anna() -> Person {
    Person { name: "Anna".to_owned(), age: 41 }
}

#[derive(Enum, Clone, Copy, Eq, PartialEq)]
enum Kind {
    Cash,
}

struct Query;
#[Object]
impl Query {
    async fn person(&self) -> Person {
        anna()
    }
    async fn given(&self, limit: MaybeUndefined<i32>) -> String {
        format!("{limit:?}")
    }
    async fn limit(&self, #[graphql(default = 5)] limit: Option<i32>) -> Option<i32> {
        limit
    }
    async fn is_cash(&self, kind: Kind) -> bool {
        kind == Kind::Cash
    }
}

static RUNS: AtomicU32 = AtomicU32::new(0);
struct Mutation;
#[Object]
impl Mutation {
    async fn pay(&self) -> Person {
        RUNS.fetch_add(1, Ordering::SeqCst);
        anna()
    }
}

/// Each: a request without variables; what comes; what one expects.
const CASES: [(&str, &str, &str); 8] = [
    ("query ($all: Boolean!) { person { name age @include(if: $all) } }", r#"{person: {name: "Anna"}} 0 errors"#, "an error: $all is required"),
    ("query ($limit: Int) { given(limit: $limit) }", r#"{given: "Null"} 0 errors"#, "Undefined: it was not given"),
    ("{ given }", r#"{given: "Undefined"} 0 errors"#, "the same"),
    ("query ($limit: Int) { limit(limit: $limit) }", "{limit: null} 0 errors", "5, the argument's default"),
    (r#"{ isCash(kind: "CASH") }"#, "{isCash: true} 0 errors", "an error: CASH is written without quotes"),
    ("{ person { name @skip(if: true) } }", "{person: null} 0 errors", "{person: {}}: the field cannot be null"),
    ("mutation { pay { name } }", r#"{pay: {name: "Anna"}} 0 errors, 1 payments"#, "the same"),
    (
        "mutation { pay { name } ...Rest } fragment Rest on Mutation { pay { age } }",
        r#"{pay: {name: "Anna", age: 41}} 0 errors, 2 payments"#,
        "1 payment: it is one field with two selections",
    ),
];

fn main() {
    let schema = Schema::new(Query, Mutation, EmptySubscription);
    let mut changed = 0;
    println!("async-graphql 7.2.1");
    for (text, known, expected) in CASES {
        RUNS.store(0, Ordering::SeqCst);
        let answer = futures_executor::block_on(schema.execute(text));
        let mut found = format!("{} {} errors", answer.data, answer.errors.len());
        if text.starts_with("mutation") {
            found += &format!(", {} payments", RUNS.load(Ordering::SeqCst));
        }
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
