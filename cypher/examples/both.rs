//! Runs a script of statements on both engines and shows where their answers differ: how a new statement is tried before it gets its file.
//!
//! ```text
//! AMLGRAPH_TEST_NEO4J_URL=bolt://127.0.0.1:7687 cargo run -p cypher --example both -- script.cypher
//! ```
//!
//! Statements end with a line `;`. A line `//params {"rows": [...]}` gives the parameters of the statement it stands in.

use std::time::Instant;

use cypher::{Bolt, BoltAddress, Embedded, Engine, Params, Statement, Value};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: both SCRIPT")?;
    let script: &'static str = Box::leak(std::fs::read_to_string(path)?.into_boxed_str());
    let folder = std::env::temp_dir().join(format!("amlgraph-both-{}", std::process::id()));
    let mut engines = vec![Engine::Embedded(Embedded::open(&folder).await?)];
    if let Ok(url) = std::env::var("AMLGRAPH_TEST_NEO4J_URL") {
        let secret = |name: &str| std::env::var(name).unwrap_or_else(|_| "neo4j".into());
        engines.push(Engine::Bolt(Bolt::open(BoltAddress {
            url,
            user: secret("AMLGRAPH_TEST_NEO4J_USER"),
            password: secret("AMLGRAPH_TEST_NEO4J_PASSWORD"),
            database: None,
            connections: 4,
        })?));
    }
    for text in script.split("\n;") {
        if text.trim().is_empty() {
            continue;
        }
        println!("=== {}", text.trim());
        let mut answers = Vec::new();
        for engine in &engines {
            let started = Instant::now();
            let answer = engine.write(Statement::new("script", text), params(text)?).await;
            let answer = match answer {
                Ok(rows) => rows.into_iter().map(shown).collect::<Vec<_>>().join("\n"),
                Err(error) => format!("  ERROR {error}"),
            };
            println!("--- {} ({:?})", engine.name(), started.elapsed());
            println!("{answer}");
            answers.push(answer);
        }
        if answers.windows(2).any(|pair| pair[0] != pair[1]) {
            println!("!!! DIFFERENT");
        }
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

fn params(text: &str) -> Result<Params, serde_json::Error> {
    let Some(line) = text.lines().find_map(|line| line.trim().strip_prefix("//params ")) else { return Ok(Params::none()) };
    let values: std::collections::BTreeMap<String, Value> = serde_json::from_str(line)?;
    Ok(Params(values.into_iter().map(|(name, value)| (name.into(), value)).collect()))
}

/// Columns by name: Neo4j's driver does not keep their order.
fn shown(mut row: cypher::Row) -> String {
    row.0.sort_by(|a, b| a.0.cmp(&b.0));
    format!("  {:?}", row.0)
}
