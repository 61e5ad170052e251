#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec python3 - <<'PYTHON'
"""async-graphql: an object of which every field is left out is null, and a mutation that is selected in two places runs twice.

GraphQL's 6.3.2 (CollectFields) puts selections of one response key together before anything runs, and 6.4.3 makes an object without fields of an empty selection.
"""

from common import rust, seen

SOURCE = """
use std::sync::atomic::{AtomicU32, Ordering};
use async_graphql::{EmptySubscription, Object, Schema, SimpleObject};

#[derive(SimpleObject)]
struct Person { name: String, age: i32 }
struct Query;
#[Object]
impl Query {
    async fn person(&self) -> Person { Person { name: "Anna".to_owned(), age: 41 } }
}
static RUNS: AtomicU32 = AtomicU32::new(0);
struct Mutation;
#[Object]
impl Mutation {
    async fn pay(&self) -> Person { RUNS.fetch_add(1, Ordering::SeqCst); Person { name: "Anna".to_owned(), age: 41 } }
}

fn main() {
    let schema = Schema::new(Query, Mutation, EmptySubscription);
    for text in [
        "{ person { name @skip(if: true) } }",
        "{ person { name } person { age } }",
        "mutation { pay { name } }",
        "mutation { pay { name } ...Rest } fragment Rest on Mutation { pay { age } }",
    ] {
        RUNS.store(0, Ordering::SeqCst);
        let answer = futures_executor::block_on(schema.execute(text));
        println!("{text}\\t{} (it ran {} times)", answer.data, RUNS.load(Ordering::SeqCst));
    }
}
"""

answers = dict(line.split("\t") for line in rust("async-graphql-7-2-1", ['async-graphql = { version = "=7.2.1", default-features = false }', 'futures-executor = "=0.3.34"'], SOURCE).splitlines())
KNOWN = {
    "{ person { name @skip(if: true) } }": ("{person: null} (it ran 0 times)", "{person: {}}: null says that there is nobody, and the field is non-null"),
    "{ person { name } person { age } }": ('{person: {name: "Anna", age: 41}} (it ran 0 times)', "the same"),
    "mutation { pay { name } }": ('{pay: {name: "Anna"}} (it ran 1 times)', "the same"),
    "mutation { pay { name } ...Rest } fragment Rest on Mutation { pay { age } }": (
        '{pay: {name: "Anna", age: 41}} (it ran 2 times)',
        "once: it is one field with two selections",
    ),
}
seen("async-graphql: selections that are put together too late", "async-graphql 7.2.1", [(text, answers.get(text), known, expected) for text, (known, expected) in KNOWN.items()])
PYTHON
