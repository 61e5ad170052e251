//! Schemas that customers define: what their patterns take is bounded.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Engine, Ids, Server, tests};

tests![both: patterns_of_a_schema_are_bounded];

/// Far more than a schema that is refused takes, and far less than one takes that is compiled all the same.
const AT_ONCE: Duration = Duration::from_secs(10);

async fn patterns_of_a_schema_are_bounded(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let define = async |schema: Value| {
        let mutation = "mutation($input: DefineCustomPropertyInput!) { defineCustomProperty(input: $input) { name } }";
        let input = json!({"entity": "CASE", "name": format!("c__{}", ids.of("field")), "schema": schema});
        server.graphql_answer(mutation, json!({"input": input})).await
    };
    let many: Vec<Value> = (0..1_000).map(|number| json!({"pattern": format!("a{number}")})).collect();
    let long = format!("[a-z]{{{}}}", "9".repeat(6));
    for schema in [json!({"pattern": "((\\w{200}){200}){200}"}), json!({"pattern": long}), json!({"anyOf": many})] {
        let started = Instant::now();
        let answer = define(schema).await;
        let message = answer["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("schema: "), "{answer}");
        assert!(started.elapsed() < AT_ONCE, "it was not refused at once");
    }
    let answer = define(json!({"pattern": "^[A-Z]{2}[0-9]{6}$"})).await;
    assert!(answer["errors"].is_null(), "{answer}");
}
