//! Records as statements take them: words, identities, JSON texts.

use cypher::{Value, map};
use graph_schema::identity::Identity;

/// An identity node.
pub fn identity_map(identity: &Identity) -> Value {
    map([("id", identity.id.as_str().into()), ("name", identity.name.as_str().into())])
}

/// Identities without repetition: a record may name the same phone twice.
pub fn distinct(mut identities: Vec<Identity>) -> Vec<Identity> {
    identities.sort_by(|a, b| a.id.cmp(&b.id));
    identities.dedup_by(|a, b| a.id == b.id);
    identities
}

/// The word that stands for an enum's value in JSON.
pub fn word<T: serde::Serialize>(value: &T) -> Value {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => Value::Text(text),
        _ => Value::Null,
    }
}

/// A text as JSON.
pub fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
