//! What people do with cases, by GraphQL's mutations, and the events that are stored of it.

use serde_json::{Value, json};

use super::{Api, Server};

const WORK: &str =
    "userErrors { code message current { version stepId status state assigneeId actions } } case { version workflow { step_id: stepId } }";

/// Runs a mutation; answers with its payload.
pub async fn work(api: &Api, field: &str, input: Value) -> Value {
    let kind = format!("{}{}Input", field[..1].to_uppercase(), &field[1..]);
    let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ {WORK} }} }}");
    api.graphql(&query, json!({"input": input})).await[field].take()
}

/// The same, when nothing speaks against it; answers with the case's version.
pub async fn done(api: &Api, field: &str, input: Value) -> i64 {
    let payload = work(api, field, input).await;
    assert_eq!(payload["userErrors"], json!([]), "{payload}");
    payload["case"]["version"].as_i64().expect("a version")
}

pub async fn made(api: &Api, body: Value) -> String {
    api.post("/api/cases", body.to_string()).await.expect(200).json()["case_id"].as_str().expect("an id").to_owned()
}

/// The events of a case: name and data, in their order, which is without gap or double.
pub fn events(server: &mut Server, case: &str) -> Vec<(String, Value)> {
    let query =
        format!("MATCH (e:Event) WHERE e.caseId = '{case}' WITH e ORDER BY e.sequence RETURN e.name AS name, e.sequence AS sequence, e.data AS data");
    let rows = server.cypher(&query);
    let sequence: Vec<i64> = rows.iter().map(|row| row["sequence"].as_i64().expect("a number")).collect();
    assert_eq!(sequence, (1..=rows.len() as i64).collect::<Vec<_>>());
    let data = |row: &Value| serde_json::from_str(row["data"].as_str().expect("a text")).expect("JSON");
    rows.iter().map(|row| (row["name"].as_str().expect("a name").to_owned(), data(row))).collect()
}

/// The caller's id is the key's, which is not known beforehand.
pub fn without_user(events: Vec<(String, Value)>) -> Vec<(String, Value)> {
    events
        .into_iter()
        .map(|(name, mut data)| {
            if name != "case.updated" {
                assert!(data["userId"].is_string(), "{name}: {data}");
                data.as_object_mut().expect("an object").remove("userId");
            }
            (name, data)
        })
        .collect()
}

/// An analyst, by a key.
pub async fn analyst(server: &Api) -> Api {
    let made = server.post("/admin/keys", json!({"role": "ANALYST"}).to_string()).await.expect(201).json();
    server.with_key(made["key"].as_str().expect("a key"))
}

/// Runs a mutation whose payload shows these fields.
pub async fn act(api: &Api, field: &str, shown: &str, input: Value) -> Value {
    let kind = format!("{}{}Input", field[..1].to_uppercase(), &field[1..]);
    let query = format!("mutation($input: {kind}!) {{ {field}(input: $input) {{ userErrors {{ path code message }} {shown} }} }}");
    api.graphql(&query, json!({"input": input})).await[field].take()
}

/// The code and the place of the first error of a payload; null where it has none.
pub fn refusal(payload: &Value) -> (&Value, &Value) {
    let error = &payload["userErrors"][0];
    (&error["code"], &error["path"])
}
