//! The audit log, as it is listed: who changed what, when.

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{date::Timestamp, json_object::JsonObject};

/// Whether an entry tells of a reading or of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "AuditLogType")]
pub enum LogType {
    /// It tells of a reading.
    Read,
    /// It tells of a change, or of something that was refused.
    Update,
}

/// Which entries a listing wants.
#[derive(Default, Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LogTypeFilter {
    #[default]
    All,
    Read,
    Update,
}

impl LogTypeFilter {
    /// The one type wanted; `None` for all.
    pub fn log_type(self) -> Option<LogType> {
        match self {
            Self::All => None,
            Self::Read => Some(LogType::Read),
            Self::Update => Some(LogType::Update),
        }
    }
}

/// One page of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditLogPage {
    pub offset: i64,
    pub limit: i64,
    /// All that match, not only those on this page.
    pub number_of_values: i64,
    pub values: Vec<AuditLogEntry>,
}

/// One entry and its moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(deny_unknown_fields)]
#[graphql(name = "AuditLogEntryRecord")]
pub struct AuditLogEntry {
    pub timestamp: Timestamp,
    pub json_: AuditLogDetail,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "AuditLogDetailRecord")]
pub struct AuditLogDetail {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    pub action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    pub domain: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<JsonObject>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "userIP")]
    #[graphql(name = "userIP")]
    pub user_ip: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    pub log_type: LogType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_value: Option<String>,
    pub env_fields: AuditLogEnvironment,
    pub timestamp: Timestamp,
    pub object_type: String,
    pub system_name: String,
    pub user_action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_field: Option<String>,
    pub action_result: String,
}

/// Where it happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, SimpleObject, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(name = "AuditLogEnvironmentRecord")]
pub struct AuditLogEnvironment {
    #[serde(skip_serializing_if = "Option::is_none", rename = "localIP")]
    #[graphql(name = "localIP")]
    pub local_ip: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod_audit_name: Option<String>,
}
