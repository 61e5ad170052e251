//! Observations to send, and what is read of them.

use serde_json::{Value, json};

use super::Api;
use super::fixtures::{NOON, Payment};

pub const PATH: &str = "/api/observations";
pub const PAYMENTS: &str = "/api/v2/transactions";

/// An observation of which only what is required is known.
pub fn observation(id: &str) -> Value {
    json!({"id": id, "type": "ALERT_RULE", "behaviorId": "structuring", "behaviorName": "Structuring", "date": NOON})
}

/// Sends a record, again where a cold database was too slow for it: what is awaited goes a long way the first time.
pub async fn sent(api: &Api, path: &str, body: String) -> Value {
    let mut answer = api.post(path, body.clone()).await;
    for _ in 0..3 {
        if answer.status != 503 {
            break;
        }
        answer = api.post(path, body.clone()).await;
    }
    answer.expect(200).json()
}

pub async fn taken(api: &Api, body: Value) -> Value {
    sent(api, PATH, body.to_string()).await
}

pub async fn paid(api: &Api, payment: &Payment) {
    sent(api, PAYMENTS, payment.text()).await;
}

pub async fn read(api: &Api, id: &str) -> Value {
    api.get(&format!("{PATH}/{id}")).await.expect(200).json()
}
