//! The values that go into a statement and come out of it.
//!
//! The port speaks these and never a driver's types, so that both engines can be held to the same answers. They are what Cypher and JSON
//! have in common: null, boolean, 64-bit integer, float, text, list and map. Times are integers or ISO text, money is two integers.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A map's key: nearly always a name out of the program text.
pub type Key = Cow<'static, str>;

/// A Cypher value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Value>),
    /// In the order it was built; keys occur once.
    Map(Vec<(Key, Value)>),
}

impl Value {
    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if this is one. A float without a fraction counts: sums of integers are integers on both engines, averages are not.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(int) => Some(*int),
            Value::Float(float) if float.fract() == 0.0 && float.abs() < 9e15 => Some(*float as i64),
            _ => None,
        }
    }

    /// The number as a float.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Int(int) => Some(*int as f64),
            Value::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// The boolean, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(bool) => Some(*bool),
            _ => None,
        }
    }

    /// The list's items; nothing for anything else.
    pub fn as_list(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The value under `key` of a map.
    pub fn get(&self, key: &str) -> &Value {
        const NULL: Value = Value::Null;
        match self {
            Value::Map(entries) => entries.iter().find(|(name, _)| name == key).map_or(&NULL, |(_, value)| value),
            _ => &NULL,
        }
    }

    /// About how many bytes this is on the wire: batches are bounded by it.
    pub fn size(&self) -> usize {
        match self {
            Value::Null | Value::Bool(_) => 1,
            Value::Int(_) | Value::Float(_) => 9,
            Value::Text(text) => text.len() + 3,
            Value::List(items) => items.iter().map(Value::size).sum::<usize>() + 3,
            Value::Map(entries) => entries.iter().map(|(key, value)| key.len() + 2 + value.size()).sum::<usize>() + 3,
        }
    }

    /// About how many bytes this takes in memory.
    pub fn size_in_memory(&self) -> usize {
        let inside: usize = match self {
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => 0,
            Value::Text(text) => text.len(),
            Value::List(items) => items.iter().map(Value::size_in_memory).sum(),
            Value::Map(entries) => entries.iter().map(|(key, value)| size_of::<Key>() + key.len() + value.size_in_memory()).sum(),
        };
        size_of::<Self>() + inside
    }
}

/// A map out of pairs: `map([("id", id.into())])`.
pub fn map<const N: usize>(entries: [(&'static str, Value); N]) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (Cow::Borrowed(key), value)).collect())
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}
impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}
impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Value::Int(value.into())
    }
}
impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}
impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}
impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Value::Text(value.clone())
    }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(value: Vec<T>) -> Self {
        Value::List(value.into_iter().map(Into::into).collect())
    }
}

/// A statement's parameters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params(pub Vec<(Key, Value)>);

impl Params {
    /// No parameters.
    pub fn none() -> Self {
        Self::default()
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.push((Cow::Borrowed(name), value.into()));
        self
    }

    /// With another value of one that is there.
    #[must_use]
    pub fn replacing(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Some((_, there)) = self.0.iter_mut().find(|(there, _)| there == name) {
            *there = value.into();
        }
        self
    }

    /// The usual shape of a write: a list of rows under `$rows`.
    pub fn rows(rows: Vec<Value>) -> Self {
        Self(vec![(Cow::Borrowed("rows"), Value::List(rows))])
    }
}

/// One row of an answer: its columns by name; see [`crate::Reading`] for one that is read into a struct. Their order is not kept: the Bolt driver gives them out of a hash map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row(pub Vec<(String, Value)>);

impl Row {
    /// The value of a column; null when the statement has no such column.
    pub fn get(&self, column: &str) -> &Value {
        const NULL: Value = Value::Null;
        self.0.iter().find(|(name, _)| name == column).map_or(&NULL, |(_, value)| value)
    }

    /// Takes the value of a column out of the row.
    pub fn take(&mut self, column: &str) -> Value {
        self.0.iter_mut().find(|(name, _)| name == column).map_or(Value::Null, |(_, value)| std::mem::take(value))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a Cypher value")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::with_capacity(seq.size_hint().unwrap_or_default());
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = Vec::with_capacity(access.size_hint().unwrap_or_default());
        while let Some((key, value)) = access.next_entry::<String, Value>()? {
            entries.push((Cow::Owned(key), value));
        }
        Ok(Value::Map(entries))
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RowVisitor;
        impl<'de> Visitor<'de> for RowVisitor {
            type Value = Row;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a row of columns by name")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Row, A::Error> {
                let mut columns = Vec::with_capacity(access.size_hint().unwrap_or_default());
                while let Some(column) = access.next_entry()? {
                    columns.push(column);
                }
                Ok(Row(columns))
            }
        }
        deserializer.deserialize_map(RowVisitor)
    }
}
