//! `amlgraph query "MATCH …"`: reads the store with Cypher, for investigators who have no Neo4j Browser at hand, and for tests.

use anyhow::Context;
use cypher::{Params, Row, Statement, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::print;
use crate::cli::Query;
use crate::config::Settings;
use crate::store;

/// Prints each row as one JSON object. On the embedded engine its columns are in the order of the `RETURN`; Neo4j's driver does not keep it.
pub async fn run(settings: Settings, options: Query) -> anyhow::Result<()> {
    let engine = store::connect(&settings).await?.reading_only();
    // Statements are texts of the program, which live as long as it does; so does this one.
    let statement = Statement::new("query", options.cypher.leak());
    let rows = engine.read(statement, Params::none(), options.limit).await?;
    for row in &rows {
        print(&serde_json::to_string(&JsonRow(row)).context("writing a row")?);
    }
    Ok(())
}

struct JsonRow<'a>(&'a Row);
struct JsonValue<'a>(&'a Value);

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.0.len()))?;
        for (column, value) in &self.0.0 {
            map.serialize_entry(column, &JsonValue(value))?;
        }
        map.end()
    }
}

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(bool) => serializer.serialize_bool(*bool),
            Value::Int(int) => serializer.serialize_i64(*int),
            Value::Float(float) => serializer.serialize_f64(*float),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items.iter().map(JsonValue)),
            Value::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, JsonValue(value)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_keep_their_order_and_their_kind() {
        let list = Value::List(vec![Value::Int(1), Value::Null, Value::Map(vec![("z".into(), Value::Bool(true)), ("a".into(), Value::Float(1.0))])]);
        let row = Row(vec![("z".into(), Value::Text("\"x\"".into())), ("a".into(), list)]);
        assert_eq!(serde_json::to_string(&JsonRow(&row)).ok().as_deref(), Some(r#"{"z":"\"x\"","a":[1,null,{"z":true,"a":1.0}]}"#));
    }
}
