//! Channel locations: the cash machines and branches that transactions name.

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{given::Input, id::ChannelLocationId, identity::visible};

/// Kinds of places at which payments are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ChannelLocationType {
    /// A cash machine (automated teller machine).
    Atm,
    /// A branch of the bank.
    Branch,
    /// Any other place.
    Other,
}

/// A place at which transactions are made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelLocationRecord {
    pub id: ChannelLocationId,
    #[serde(rename = "type")]
    #[graphql(name = "type")]
    pub kind: ChannelLocationType,
    pub address: LocationAddressRecord,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LocationAddressRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

impl ChannelLocationRecord {
    /// What a human reads: the type and where it is.
    pub fn caption(&self) -> String {
        use crate::enum_name::EnumName;
        let street = self.address.street.iter().flatten().map(String::as_str);
        let place: Vec<&str> = street.chain(self.address.city.as_deref()).filter_map(visible).collect();
        if place.is_empty() { format!("{} {}", self.kind.text(), self.id) } else { format!("{} {}", self.kind.text(), place.join(", ")) }
    }
}

impl Input for ChannelLocationRecord {}
