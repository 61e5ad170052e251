//! Associates: who stands in what relation to an actor.

use async_graphql::SimpleObject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{actor::ReferenceRecord, date::Date, given::Input, id::ActorId, number::Number};

/// The associates of one actor as of a date.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "ActorAssociatesRecord")]
pub struct ActorAssociates {
    pub actor_associates: Vec<AssociateRecord>,
    /// Today, when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of_date: Option<Date>,
}

/// One associate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssociateRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<ActorId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<ReferenceRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    /// As the reference's sample writes it; the quick-start writes `customer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_customer: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer: Option<bool>,
    /// The share owned, 0 to 1.
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Number>,
}

impl AssociateRecord {
    /// Whether the associate is a customer, by whichever of the two names was used.
    pub fn says_customer(&self) -> Option<bool> {
        self.is_customer.or(self.customer)
    }
}

impl Input for ActorAssociates {}
