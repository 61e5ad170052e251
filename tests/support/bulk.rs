//! Bulk requests: sending them, and waiting for what comes of them.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Answer, Api, eventually};

/// How long something in the background may take: on Neo4j the worker of another test's server may have to do it, or to die first; and runs of detection come one after another.
pub const SOON: Duration = Duration::from_secs(240);

pub fn bulk_actor(id: &str) -> Value {
    json!({"id": id, "type": "INDIVIDUAL", "as_of_date": "2024-01-01"})
}

pub fn bulk_payment(id: &str, from: &str, to: &str) -> Value {
    json!({"id": id, "account_id": from, "account_owner_id": format!("owner-of-{from}"), "amount": {"value": 10.50, "currency": "EUR"},
        "standardized_amount": 10.50, "counterparty": {"type": "ACCOUNT_INFO", "id": to}, "created_at": "2024-06-13T12:00:00Z",
        "direction": "OUTBOUND", "status": "COMPLETED"})
}

pub async fn send(api: &Api, request: &str, body: &Value) -> Answer {
    api.send(api.posting("/api/bulk", body.to_string()).header("x-request-id", request)).await
}

pub async fn taken(api: &Api, request: &str, body: &Value) {
    let answer = send(api, request, body).await.expect(202);
    assert_eq!(answer.json(), json!({"request_id": request}));
}

/// Waits until a record can be read.
pub async fn arrived(api: &Api, path: &str) -> Value {
    eventually(&format!("{path} is there"), SOON, async || api.get(path).await.status == 200).await;
    api.get(path).await.json()
}

async fn status(api: &Api, case: &str) -> Value {
    api.get(&format!("/api/bulk/cases/{case}/status")).await.expect(200).json()
}

pub async fn eventually_is(api: &Api, case: &str, state: &str) -> Value {
    eventually(&format!("case {case} is {state}"), SOON, async || status(api, case).await["status"] == state).await;
    status(api, case).await
}
