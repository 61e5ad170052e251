//! Rows read into structs.
//!
//! A struct says by its fields which columns it takes and of what kinds they are. What a statement answers with must be just that: a column that is
//! missing, one too many, or of another kind is an error that names statement and column, so that a misspelt name is no empty text. The same holds
//! for maps within a row. A list may be read into a struct too: its items are the fields in their order.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::{Error, Row, Statement, Value};

mod wrong;

use wrong::Wrong;

/// Reads a statement's rows.
pub(crate) fn read_rows<R: DeserializeOwned>(statement: Statement, rows: Vec<Row>) -> Result<Vec<R>, Error> {
    rows.into_iter().map(|row| read_row(statement, row)).collect()
}

/// Reads one row.
pub(crate) fn read_row<R: DeserializeOwned>(statement: Statement, row: Row) -> Result<R, Error> {
    R::deserialize(Fields(row.0)).map_err(|wrong| Error::rejected(statement.label, wrong))
}

/// The columns that a struct takes; none where it is no struct.
pub(crate) fn columns<R: DeserializeOwned>() -> &'static [&'static str] {
    let mut columns: &[&str] = &[];
    // The error says nothing but that there was no value.
    let _ = R::deserialize(AskedFor { fields: &mut columns });
    columns
}

/// Notes which fields are asked for.
struct AskedFor<'a> {
    fields: &'a mut &'static [&'static str],
}

impl<'de> Deserializer<'de> for AskedFor<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Wrong> {
        Err(Wrong::new("no row"))
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &'static str, fields: &'static [&'static str], _: V) -> Result<V::Value, Wrong> {
        *self.fields = fields;
        Err(Wrong::new("no row"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

/// A row or a map.
struct Fields<K>(Vec<(K, Value)>);

impl<K: AsRef<str>> Fields<K> {
    /// As many as there are names, and each of them: then none is missing and none too many.
    fn are(&self, names: &[&str]) -> Result<(), Wrong> {
        let is_there = |name: &str| self.0.iter().any(|(field, _)| field.as_ref() == name);
        if let Some(missing) = names.iter().find(|name| !is_there(name)) {
            return Err(Wrong::new("missing").within(missing));
        }
        match self.0.iter().find(|(field, _)| !names.contains(&field.as_ref())) {
            Some((field, _)) if self.0.len() > names.len() => Err(Wrong::new("one too many").within(field.as_ref())),
            _ => Ok(()),
        }
    }
}

impl<'de, K: AsRef<str>> Deserializer<'de> for Fields<K> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_map(Pairs { left: self.0.into_iter(), next: None })
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _: &'static str, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Wrong> {
        self.are(fields)?;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

/// The fields that are still to be read.
struct Pairs<K> {
    left: std::vec::IntoIter<(K, Value)>,
    next: Option<(K, Value)>,
}

impl<'de, K: AsRef<str>> MapAccess<'de> for Pairs<K> {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        self.next = self.left.next();
        let name = |(name, _): &(K, Value)| seed.deserialize(StrDeserializer::new(name.as_ref()));
        self.next.as_ref().map(name).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        let Some((name, value)) = self.next.take() else { return Err(Wrong::new("a value without a name")) };
        seed.deserialize(Field(value)).map_err(|wrong| wrong.within(name.as_ref()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// The items that are still to be read.
struct Items {
    left: std::vec::IntoIter<Value>,
    at: usize,
}

impl Items {
    fn of(values: Vec<Value>) -> Self {
        Self { left: values.into_iter(), at: 0 }
    }

    /// Of a list that must have so many.
    fn exactly(values: Vec<Value>, many: usize) -> Result<Self, Wrong> {
        if values.len() == many { Ok(Self::of(values)) } else { Err(Wrong::new(format!("a list of {}, not of {many}", values.len()))) }
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Wrong;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        let Some(value) = self.left.next() else { return Ok(None) };
        let at = self.at;
        self.at += 1;
        seed.deserialize(Field(value)).map(Some).map_err(|wrong| wrong.within_item(at))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// A value in its place.
struct Field(Value);

impl Field {
    /// A whole number is one however the engine has counted: see [`Value::as_int`].
    fn integer<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0.as_int() {
            Some(integer) => visitor.visit_i64(integer),
            None => self.deserialize_any(visitor),
        }
    }

    fn float<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0.as_float() {
            Some(float) => visitor.visit_f64(float),
            None => self.deserialize_any(visitor),
        }
    }
}

impl<'de> Deserializer<'de> for Field {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(bool) => visitor.visit_bool(bool),
            Value::Int(integer) => visitor.visit_i64(integer),
            Value::Float(float) => visitor.visit_f64(float),
            Value::Text(text) => visitor.visit_string(text),
            Value::List(values) => visitor.visit_seq(Items::of(values)),
            Value::Map(entries) => Fields(entries).deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.integer(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.float(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, many: usize, visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::List(values) => visitor.visit_seq(Items::exactly(values, many)?),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(self, name: &'static str, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Map(entries) => Fields(entries).deserialize_struct(name, fields, visitor),
            Value::List(values) => visitor.visit_seq(Items::exactly(values, fields.len())?),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value, Wrong> {
        match self.0 {
            Value::Text(name) => visitor.visit_enum(Name(name)),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 char str string bytes byte_buf unit unit_struct seq tuple_struct map identifier ignored_any
    }
}

/// The name of an enum's variant.
struct Name(String);

impl<'de> EnumAccess<'de> for Name {
    type Error = Wrong;
    type Variant = NothingMore;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, NothingMore), Wrong> {
        Ok((seed.deserialize(StrDeserializer::<Wrong>::new(&self.0))?, NothingMore))
    }
}

/// A variant says nothing but its name.
struct NothingMore;

impl<'de> VariantAccess<'de> for NothingMore {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Wrong> {
        Err(Wrong::new("a name alone"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Wrong> {
        Err(Wrong::new("a name alone"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Wrong> {
        Err(Wrong::new("a name alone"))
    }
}

#[cfg(test)]
mod tests;
