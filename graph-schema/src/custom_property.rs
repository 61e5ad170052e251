//! Custom properties: fields of the sender's own whose names begin with `c__`, beside the documented ones.
//!
//! [`WithCustomProperties`] adds them to any record. Its schema is the record's with one more line, so that every other unknown name is
//! refused as always; values are kept as the text they came as.

mod definition;

use std::{borrow::Cow, fmt};

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, MapAccess, Visitor},
    ser::SerializeMap,
};
use serde_json::{json, value::RawValue};
use utoipa::openapi::{
    ObjectBuilder, RefOr, Schema, Type,
    schema::{AdditionalProperties, Object},
};

pub use definition::{CustomPropertyDefinition, PropertyEntity, definition_id};

use crate::{fault::Fault, given::Input, json_object::with_fields_appended, json_text::JsonText};

/// How the name of a custom property begins.
pub const PREFIX: &str = "c__";
/// The names of custom properties: something behind the prefix, no control characters, at most 256 characters.
const NAME_PATTERN: &str = r"^c__[^\x00-\x1f\x7f]{1,253}$";

/// Custom properties in the order they were given; each name once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CustomProperties(Vec<(String, JsonText)>);

/// A record and the custom properties beside its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct WithCustomProperties<T> {
    pub fields: T,
    pub custom_properties: CustomProperties,
}

impl CustomProperties {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &JsonText)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }

    pub fn get(&self, name: &str) -> Option<&JsonText> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Those that are so.
    pub fn only(&self, is_so: impl Fn(&str, &JsonText) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, value)| is_so(name, value)).cloned().collect())
    }

    /// What is stored after `given` came for it: what it does not name stays, arrays go behind the arrays that are there, and what is null goes.
    pub fn followed_by(&self, given: &Self) -> Self {
        let mut all = self.clone();
        for (name, value) in given.iter() {
            if value.is_null() {
                all.0.retain(|(known, _)| known != name);
                continue;
            }
            match all.0.iter_mut().find(|(known, _)| known == name) {
                Some((_, stored)) => *stored = stored.followed_by(value),
                None => all.0.push((name.to_owned(), value.clone())),
            }
        }
        all
    }

    /// The text of the JSON object that they are.
    pub fn to_text(&self) -> String {
        let fields: Vec<(&str, &str)> = self.iter().map(|(name, value)| (name, value.as_str())).collect();
        with_fields_appended("{}", &fields)
    }

    /// Reads what [`Self::to_text`] wrote; nothing for a text that it did not write.
    pub fn of_text(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }
}

/// Whether a field is a custom property, by its name.
fn is_custom(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// An object's fields, their values as text.
pub(crate) struct Fields(pub(crate) Vec<(String, JsonText)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = entries.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

impl<'de> Deserialize<'de> for CustomProperties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Fields(fields) = Fields::deserialize(deserializer)?;
        match fields.iter().find(|(name, _)| !is_custom(name)) {
            Some((name, _)) => Err(serde::de::Error::custom(format!("unknown field `{name}`"))),
            None => Ok(Self(fields)),
        }
    }
}

impl Serialize for CustomProperties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for WithCustomProperties<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Fields(fields) = Fields::deserialize(deserializer)?;
        let (custom, documented): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(name, _)| is_custom(name));
        let documented: Vec<(&str, &str)> = documented.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let fields = serde_json::from_str(&with_fields_appended("{}", &documented)).map_err(|error| {
            // Line and column would be those of the text that was made here.
            let text = error.to_string();
            serde::de::Error::custom(text.split(" at line ").next().unwrap_or_default())
        })?;
        Ok(Self { fields, custom_properties: CustomProperties(custom) })
    }
}

impl<T: Serialize> Serialize for WithCustomProperties<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let error = |error: serde_json::Error| serde::ser::Error::custom(error);
        let documented = serde_json::to_string(&self.fields).map_err(error)?;
        let custom: Vec<(&str, &str)> = self.custom_properties.iter().map(|(name, value)| (name, value.as_str())).collect();
        let whole = RawValue::from_string(with_fields_appended(&documented, &custom)).map_err(error)?;
        whole.serialize(serializer)
    }
}

/// The schema with custom properties allowed in it.
fn allowing_custom_properties(mut object: Object) -> Object {
    let value = json!({"type": ["string", "number", "integer", "boolean", "object", "array", "null"]});
    let fields = json!({ NAME_PATTERN: value });
    // OpenAPI 3.1 takes every keyword of JSON Schema; utoipa has no method for this one.
    object.extensions.get_or_insert_default().insert("patternProperties".to_owned(), fields);
    object
}

impl utoipa::PartialSchema for CustomProperties {
    fn schema() -> RefOr<Schema> {
        let none_but_these = AdditionalProperties::<Schema>::FreeForm(false);
        let object = ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(none_but_these)).build();
        Schema::Object(allowing_custom_properties(object)).into()
    }
}

impl utoipa::ToSchema for CustomProperties {}

impl Input for CustomProperties {}

impl<T: utoipa::ToSchema> utoipa::PartialSchema for WithCustomProperties<T> {
    fn schema() -> RefOr<Schema> {
        match T::schema() {
            RefOr::T(Schema::Object(object)) => Schema::Object(allowing_custom_properties(object)).into(),
            other => other,
        }
    }
}

impl<T: utoipa::ToSchema> utoipa::ToSchema for WithCustomProperties<T> {
    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}

impl<T: Input> Input for WithCustomProperties<T> {
    const MAX_ITEMS: usize = T::MAX_ITEMS;

    fn check(&self, faults: &mut Vec<Fault>) {
        self.fields.check(faults);
    }
}

/// A JSON value, as it is and not as text.
#[Scalar(name = "JSON", specified_by_url = "https://www.rfc-editor.org/rfc/rfc8259")]
impl ScalarType for CustomProperties {
    fn parse(value: Value) -> InputValueResult<Self> {
        let text = value.into_json()?.to_string();
        serde_json::from_str(&text).map_err(InputValueError::custom)
    }

    fn to_value(&self) -> Value {
        serde_json::to_value(self).ok().and_then(|json| Value::from_json(json).ok()).unwrap_or_default()
    }
}
