//! A place in an order: the keys of the row behind which a page begins.
//!
//! A client gets it as part of a cursor and gives it back. It is text of its own kind, in which every key keeps its type and no two places look
//! alike, whatever is in the keys.

use cypher::Value;
use cypher::graph::{FoundRow, Page};
use graph_schema::date::Timestamp;
use serde_json::{Value as Json, json};

/// The keys of a row in an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Place(pub(crate) Vec<Value>);

impl Place {
    pub fn of(row: &FoundRow) -> Self {
        Self(row.keys().to_vec())
    }

    /// That of a node in an order by the time at which it was made, and then by its id.
    pub fn of_creation(at: Timestamp, id: &str) -> Self {
        Self(vec![Value::Int(at.millis()), id.into()])
    }

    /// That of a node in an order by id.
    pub fn of_id(id: &str) -> Self {
        Self(vec![id.into()])
    }

    /// Its text.
    pub fn to_text(&self) -> String {
        Json::Array(self.0.iter().map(written).collect()).to_string()
    }

    /// The place that a text names, if it is one in this order.
    pub fn read(text: &str, page: Page) -> Option<Self> {
        let Ok(Json::Array(keys)) = serde_json::from_str(text) else { return None };
        let keys: Vec<Value> = keys.iter().map(read).collect::<Option<_>>()?;
        (keys.len() == page.sort.keys.len()).then_some(Self(keys))
    }

    pub fn into_keys(self) -> Vec<Value> {
        self.0
    }
}

/// A number that is not whole is written by its bits, because a decimal text would have to come back as the very same number.
fn written(key: &Value) -> Json {
    match key {
        Value::Text(text) => json!(text),
        Value::Int(int) => json!(int),
        Value::Float(float) => json!([format!("{:x}", float.to_bits())]),
        // No key is anything else.
        _ => Json::Null,
    }
}

fn read(key: &Json) -> Option<Value> {
    match key {
        Json::String(text) => Some(Value::Text(text.clone())),
        Json::Number(number) => number.as_i64().map(Value::Int),
        Json::Array(bits) => match &bits[..] {
            [Json::String(bits)] => {
                let float = f64::from_bits(u64::from_str_radix(bits, 16).ok()?);
                float.is_finite().then_some(Value::Float(float))
            }
            _ => None,
        },
        _ => None,
    }
}
