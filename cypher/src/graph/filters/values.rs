//! What callers say to filters, as parameters of statements.

use graph_schema::actor::{ActorStatus, ActorType, ExclusionType};
use graph_schema::audit::LogType;
use graph_schema::bulk::{BulkItemState, BulkList};
use graph_schema::case::CaseType;
use graph_schema::channel_location::ChannelLocationType;
use graph_schema::custom_property::PropertyEntity;
use graph_schema::date::{Date, Timestamp};
use graph_schema::delivery::DeliveryState;
use graph_schema::enum_name::EnumName;
use graph_schema::id::Id;
use graph_schema::observation::ObservationType;
use graph_schema::request_for_data::RequestStatus;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use graph_schema::transaction::{Channel, Direction, Method, TransactionStatus};
use graph_schema::workflow::StepState;

use crate::Value;

/// What may be said to a filter, as the parameter of a statement.
pub(in crate::graph::filters) trait ToValue {
    /// The parameter; null where nothing is said.
    fn to_value(&self) -> Value;
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_value)
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        Value::List(self.iter().map(T::to_value).collect())
    }
}

impl<K> ToValue for Id<K> {
    fn to_value(&self) -> Value {
        self.as_str().into()
    }
}

/// Says how a type is a parameter.
macro_rules! values {
    ($($type:ty: $value:expr),* $(,)?) => {
        $(impl ToValue for $type {
            fn to_value(&self) -> Value {
                let value: fn(&$type) -> Value = $value;
                value(self)
            }
        })*
    };
}

values! {
    bool: |value| (*value).into(),
    f64: |value| (*value).into(),
    i64: |value| (*value).into(),
    String: |text| text.into(),
    Timestamp: |at| at.millis().into(),
    Date: |date| date.to_string().into(),
    PropertyEntity: |entity| entity.as_str().into(),
    ActorStatus: |status| status.text().into(),
    ActorType: |kind| kind.text().into(),
    BulkItemState: |state| state.text().into(),
    BulkList: |list| list.text().into(),
    CaseType: |kind| kind.text().into(),
    Channel: |channel| channel.text().into(),
    ChannelLocationType: |kind| kind.text().into(),
    DeliveryState: |state| state.text().into(),
    Direction: |direction| direction.text().into(),
    ExclusionType: |kind| kind.text().into(),
    LogType: |kind| kind.text().into(),
    Method: |method| method.text().into(),
    ObservationType: |kind| kind.text().into(),
    RequestStatus: |status| status.text().into(),
    ScreeningOperation: |operation| operation.as_str().into(),
    ScreeningResponse: |response| response.as_str().into(),
    StepState: |state| state.text().into(),
    TransactionStatus: |status| status.text().into(),
}
