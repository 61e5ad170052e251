//! Requests for data: a person asks a system for data on a case, and the system answers or rejects.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    date::Timestamp,
    fault::Fault,
    given::Input,
    id::{CaseId, RequestForDataId},
    json_object::JsonObject,
    own_schema::OwnSchema,
};

/// How far a request for data has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "RequestForDataStatus")]
pub enum RequestStatus {
    /// Nobody has answered it yet.
    Requested,
    /// What was asked for has come.
    Completed,
    /// It will not be answered.
    Rejected,
}

/// A request for data, as it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestForDataRecord {
    #[schema(value_type = String, format = Uuid)]
    pub id: RequestForDataId,
    /// By this its schema is known.
    #[serde(rename = "type")]
    pub kind: String,
    pub case_id: CaseId,
    pub status: RequestStatus,
    /// What is asked for, in the shape of the schema of its type.
    pub request: JsonObject,
    pub created_at: Timestamp,
    /// Until when it is to be answered.
    pub due_at: Timestamp,
    /// Why it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A request for data will not be answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RejectRequestForData {
    #[schema(min_length = 1, max_length = 4000)]
    pub reason: String,
}

/// The shape of requests for data of one type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestForDataSchema {
    /// Letters, digits, underscore and hyphen.
    #[schema(min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9_-]*$")]
    #[serde(rename = "type")]
    pub kind: String,
    /// A JSON Schema.
    pub schema: JsonObject,
    /// Now, when absent; an update that says nothing keeps what was said before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// How long a request of this type may wait for its answer, in seconds, where it doesn't say itself; as the settings have it, when absent.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "crate::number::whole")]
    #[schema(minimum = 1, maximum = 31_622_400)]
    pub due_within: Option<i64>,
}

/// The same, as it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RequestForDataSchemaRecord {
    #[serde(rename = "type")]
    pub kind: String,
    pub schema: JsonObject,
    pub created_at: Timestamp,
    /// In seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_within: Option<i64>,
}

impl Input for RejectRequestForData {}

impl Input for RequestForDataSchema {
    fn check(&self, faults: &mut Vec<Fault>) {
        if let Err(fault) = OwnSchema::compile(&self.schema) {
            faults.push(Fault::new("schema", fault));
        }
    }
}
