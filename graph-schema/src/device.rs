//! Devices, and the accounts that were signed in to from them. GraphQL and import only: the reference has no
//! operation for them.

use async_graphql::SimpleObject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    date::Timestamp,
    given::Input,
    id::{AccountId, DeviceId},
    json_object::JsonObject,
};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceRecord {
    pub id: DeviceId,
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    #[graphql(name = "type")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
}

impl Input for DeviceRecord {}

/// A device was used to sign in to an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInRecord {
    pub device_id: DeviceId,
    pub account_id: AccountId,
    pub at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ip_address: Option<String>,
}

impl Input for SignInRecord {}
