//! Any JSON value, kept as the text it came as, so that no number changes its form.

use std::sync::Arc;

use async_graphql::{InputValueResult, Scalar, ScalarType, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::{
    ObjectBuilder, RefOr, Schema,
    schema::{AdditionalProperties, SchemaType},
};

/// A JSON value as text. Equality is of texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JsonText(Arc<str>);

impl JsonText {
    /// Takes the text of a JSON value, `None` when it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        let raw: &RawValue = serde_json::from_str(text).ok()?;
        Some(Self(Arc::from(raw.get())))
    }

    /// The text as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value, its numbers as serde_json reads them.
    pub fn value(&self) -> serde_json::Value {
        // Only what was read as JSON is in here.
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    pub fn is_null(&self) -> bool {
        &*self.0 == "null"
    }

    pub fn is_array(&self) -> bool {
        self.items().is_some()
    }

    /// What is stored after `given` came for it: an array goes behind the array that is there, anything else takes its place.
    pub fn followed_by(&self, given: &Self) -> Self {
        let (Some(stored), Some(more)) = (self.items(), given.items()) else { return given.clone() };
        let joined = match (stored.is_empty(), more.is_empty()) {
            (true, _) => format!("[{more}]"),
            (false, true) => return self.clone(),
            (false, false) => format!("[{stored},{more}]"),
        };
        Self(Arc::from(joined))
    }

    /// What stands between the brackets of an array.
    fn items(&self) -> Option<&str> {
        self.0.strip_prefix('[')?.strip_suffix(']').map(str::trim)
    }
}

/// A JSON text without the blanks between its parts.
pub fn compact(text: &str) -> String {
    compact_characters(text).collect()
}

/// How long a JSON text is without the blanks between its parts, in characters.
pub(crate) fn compact_chars(text: &str) -> usize {
    compact_characters(text).count()
}

fn compact_characters(text: &str) -> impl Iterator<Item = char> {
    let (mut in_string, mut escaped) = (false, false);
    text.chars().filter(move |&c| {
        let counts = in_string || !c.is_ascii_whitespace();
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = in_string,
            '"' => in_string = !in_string,
            _ => {}
        }
        counts
    })
}

/// Reads a field that was given, be it as `null`: a field that is left out is not read at all.
pub(crate) fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<JsonText>, D::Error> {
    JsonText::deserialize(deserializer).map(Some)
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(Arc::from(raw.get())))
    }
}

/// A JSON value, as it is and not as text.
#[Scalar(name = "JSON", specified_by_url = "https://www.rfc-editor.org/rfc/rfc8259")]
impl ScalarType for JsonText {
    fn parse(value: Value) -> InputValueResult<Self> {
        Ok(Self(Arc::from(value.into_json()?.to_string())))
    }

    fn to_value(&self) -> Value {
        Value::from_json(self.value()).unwrap_or_default()
    }
}

impl utoipa::PartialSchema for JsonText {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(SchemaType::AnyValue).additional_properties(None::<AdditionalProperties<Schema>>).into()
    }
}

impl utoipa::ToSchema for JsonText {}
