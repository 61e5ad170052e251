//! Rows with types: a struct whose fields are columns.
//!
//! The expressions that a statement answers with and the struct that reads them are said in one place, so that neither can go without the other.
//! A column that is not there, or is of another kind than the field, is an error that names it.

use std::sync::Arc;

use graph_schema::case::CaseActorType;
use graph_schema::custom_property::{CustomProperties, PropertyEntity};
use graph_schema::date::{Date, Timestamp};
use graph_schema::edge::IdentityKind;
use graph_schema::enum_name::EnumName;
use graph_schema::id::{Id, IdKind};
use graph_schema::json_object::JsonObject;
use graph_schema::json_text::JsonText;
use graph_schema::money::{Money, Total};
use graph_schema::observation::{HandlingKind, ReferenceType};

use crate::Value;

/// A column of an answer.
#[derive(Debug)]
pub struct Column {
    /// The field it is read into.
    pub name: &'static str,
    /// What is answered, as a template (see [`super`]).
    pub text: &'static str,
}

/// A struct that is read out of columns.
pub trait Columns: Sized {
    const COLUMNS: &'static [Column];

    /// Reads the values of the columns, in their order.
    fn read(values: &[Value]) -> Result<Self, Mismatch>;
}

/// An answer that is not what its reader takes it for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column} is {problem}")]
pub struct Mismatch {
    pub column: &'static str,
    pub problem: &'static str,
}

/// What a column's value can be read as.
pub trait FromValue: Sized {
    /// The value; `None` when it is something else.
    fn from_value(value: &Value) -> Option<Self>;
}

/// The field of a column, for the macro below.
pub(super) fn field<T: FromValue>(values: &[Value], at: usize, column: &'static str) -> Result<T, Mismatch> {
    let value = values.get(at).ok_or(Mismatch { column, problem: "missing" })?;
    T::from_value(value).ok_or(Mismatch { column, problem: "of another type" })
}

/// Says which columns a struct is read from.
macro_rules! columns {
    ($type:ty { $($field:ident: $text:expr),* $(,)? }) => {
        impl $crate::graph::Columns for $type {
            const COLUMNS: &'static [$crate::graph::Column] = &[$($crate::graph::Column { name: stringify!($field), text: $text }),*];

            #[allow(unused_assignments, unused_mut, unused_variables)]
            fn read(values: &[$crate::Value]) -> Result<Self, $crate::graph::Mismatch> {
                let mut at = 0..;
                Ok(Self { $($field: $crate::graph::row::field(values, at.next().unwrap_or_default(), stringify!($field))?),* })
            }
        }
    };
}
pub(crate) use columns;

/// Declares what is shown of a kind of nodes: a struct, and for each of its fields the column that it is read from.
macro_rules! summary {
    ($(#[$meta:meta])* $type:ident { $($(#[$said:meta])* $field:ident: $kind:ty = $text:expr;)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $type {
            $($(#[$said])* pub $field: $kind,)*
        }

        $crate::graph::row::columns!($type { $($field: $text),* });
    };
}
pub(crate) use summary;

/// A link that says nothing but that it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NothingSaid {}

columns!(NothingSaid {});

impl FromValue for Value {
    fn from_value(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl FromValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().map(str::to_owned)
    }
}

impl FromValue for Arc<str> {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().map(Arc::from)
    }
}

impl FromValue for i64 {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_int()
    }
}

impl FromValue for f64 {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_float()
    }
}

impl FromValue for bool {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl<K: IdKind> FromValue for Id<K> {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().map(Self::new)
    }
}

/// Milliseconds since 1970.
impl FromValue for Timestamp {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_int().map(Timestamp)
    }
}

impl FromValue for Date {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().and_then(Date::parse)
    }
}

/// Units and billionths, in a list of two.
impl FromValue for Money {
    fn from_value(value: &Value) -> Option<Self> {
        match value.as_list() {
            [units, nanos] => Some(Money::from_sums(units.as_int()?, nanos.as_int()?)),
            _ => None,
        }
    }
}

/// Units, billionths and carry, in a list of three; nearly no sum has a carry, which is null then.
impl FromValue for Total {
    fn from_value(value: &Value) -> Option<Self> {
        match value.as_list() {
            [units, nanos, carry] => Some(Total::from_sums(units.as_int()?, nanos.as_int()?, Option::from_value(carry)?.unwrap_or_default())),
            _ => None,
        }
    }
}

/// JSON text; null where nothing was ever said.
impl FromValue for CustomProperties {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(Self::default()),
            value => value.as_text().map(CustomProperties::of_text),
        }
    }
}

/// As the document writes it.
impl FromValue for PropertyEntity {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().and_then(Self::written)
    }
}

/// An object as JSON text.
impl FromValue for JsonObject {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().and_then(Self::parse)
    }
}

/// Any value as JSON text.
impl FromValue for JsonText {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().and_then(Self::parse)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::List(items) => items.iter().map(T::from_value).collect(),
            _ => None,
        }
    }
}

/// By the type of the link that leads there.
impl FromValue for IdentityKind {
    fn from_value(value: &Value) -> Option<Self> {
        value.as_text().and_then(Self::of_link)
    }
}

/// By the type of the link between the two.
impl FromValue for CaseActorType {
    fn from_value(value: &Value) -> Option<Self> {
        match value.as_text()? {
            "FOCUSES_ON" => Some(Self::Focal),
            "CONCERNS" => Some(Self::Connection),
            _ => None,
        }
    }
}

/// By the type of the link that leads there.
impl FromValue for ReferenceType {
    fn from_value(value: &Value) -> Option<Self> {
        match value.as_text()? {
            "CITES" => Some(Self::Transaction),
            "ABOUT" => Some(Self::Actor),
            "MENTIONS" => Some(Self::LegalEntity),
            _ => None,
        }
    }
}

/// By the type of the link that leads from what was done to the observation.
impl FromValue for HandlingKind {
    fn from_value(value: &Value) -> Option<Self> {
        match value.as_text()? {
            "RAISED_FROM" => Some(Self::CaseRaised),
            "GIVEN_ON" => Some(Self::FeedbackGiven),
            "TAKEN_ON" => Some(Self::ActionTaken),
            "DISMISSES" => Some(Self::Dismissed),
            _ => None,
        }
    }
}

/// Records as JSON text.
macro_rules! records {
    ($($type:ty),* $(,)?) => {
        $(impl FromValue for $type {
            fn from_value(value: &Value) -> Option<Self> {
                value.as_text().and_then(|text| serde_json::from_str(text).ok())
            }
        })*
    };
}

records! { graph_schema::account::AccountBalanceRecord, graph_schema::risk::ExtendedInformationRecord }

/// Enums by the names that the reference gives them.
macro_rules! named {
    ($($type:ty),* $(,)?) => {
        $(impl FromValue for $type {
            fn from_value(value: &Value) -> Option<Self> {
                value.as_text().and_then(Self::named)
            }
        })*
    };
}

named! {
    graph_schema::account::AccountStatus,
    graph_schema::account::AccountType,
    graph_schema::actor::ActorStatus,
    graph_schema::actor::ActorType,
    graph_schema::actor::ExclusionType,
    graph_schema::audit::LogType,
    graph_schema::bulk::BulkItemState,
    graph_schema::bulk::BulkList,
    graph_schema::case::CaseType,
    graph_schema::case::GatheredBy,
    graph_schema::channel_location::ChannelLocationType,
    graph_schema::edge::NumberSource,
    graph_schema::event::ObservationAction,
    graph_schema::event::TransactionDecision,
    graph_schema::delivery::DeliveryState,
    graph_schema::screening::ScreeningOperation,
    graph_schema::screening::ScreeningResponse,
    graph_schema::segmentation::SegmentationType,
    graph_schema::observation::ObservationType,
    graph_schema::request_for_data::RequestStatus,
    graph_schema::transaction::Channel,
    graph_schema::transaction::Direction,
    graph_schema::transaction::Method,
    graph_schema::transaction::Purpose,
    graph_schema::transaction::TransactionStatus,
    graph_schema::webhook::DisabledBecause,
    graph_schema::webhook::WebhookStatus,
    graph_schema::workflow::StepState,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Pair {
        text: String,
        number: Option<i64>,
    }

    columns!(Pair { text: "{b}.text", number: "{b}.number" });

    #[test]
    fn what_is_missing_or_of_another_type_is_named() {
        let mismatch = |column, problem| Err(Mismatch { column, problem });
        for (values, expected) in [
            (vec![Value::from("a"), Value::from(1i64)], Ok(Pair { text: "a".into(), number: Some(1) })),
            (vec![Value::from("a"), Value::Null], Ok(Pair { text: "a".into(), number: None })),
            (vec![Value::from("a")], mismatch("number", "missing")),
            (vec![Value::Null, Value::Null], mismatch("text", "of another type")),
            (vec![Value::from("a"), Value::from("1")], mismatch("number", "of another type")),
        ] {
            assert_eq!(Pair::read(&values), expected, "{values:?}");
        }
    }
}
