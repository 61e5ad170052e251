//! A communication of a bulk list. It is nobody's until a case names it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{case::check_custom_data, fault::Fault, given::Input, id::CommunicationId, json_object::JsonObject};

/// A communication of a bulk list; cases name it by `communication_ids`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkCommunication {
    /// A UUID.
    #[schema(value_type = String, format = Uuid)]
    pub id: CommunicationId,
    /// Such as email or SMS.
    #[schema(min_length = 1)]
    #[serde(rename = "type")]
    pub kind: String,
    pub subject: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// At most 10,000 characters of JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_data: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<JsonObject>,
}

impl Input for BulkCommunication {
    fn check(&self, faults: &mut Vec<Fault>) {
        check_custom_data("custom_data", self.custom_data.as_ref(), faults);
    }
}
