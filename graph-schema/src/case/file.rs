//! Files of cases.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{date::Timestamp, id::FileId};

/// A file of a case, as it is told when it was stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseFileRecord {
    #[schema(value_type = String, format = Uuid)]
    pub id: FileId,
    /// What it is called; never a path.
    pub name: String,
    /// Decided by its content.
    pub media_type: String,
    /// Bytes.
    pub size: i64,
    /// In hexadecimal digits.
    pub sha256: String,
    pub uploaded_at: Timestamp,
}
