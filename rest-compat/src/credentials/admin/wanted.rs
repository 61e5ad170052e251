//! What keys and clients have in common: how one is asked for, and how it is listed.

use graph_schema::{date::Timestamp, given::Input, id::IdKind};
use resolvers::Role;
use serde::Deserialize;
use utoipa::ToSchema;

/// Kind of the ids of keys and clients.
pub(super) enum Credential {}

impl IdKind for Credential {}

/// A credential that is to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CredentialWanted {
    #[schema(value_type = RoleName)]
    pub(super) role: Role,
    /// What people call it.
    #[schema(max_length = 256)]
    pub(super) name: Option<String>,
}

impl Input for CredentialWanted {}

/// What a credential lets its holder do: send records and read them back; investigate; supervise; audit; everything.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum RoleName {
    Ingest,
    Analyst,
    Supervisor,
    Auditor,
    Admin,
}

/// A credential as it is listed: the schema of [`resolvers::CredentialEntry`].
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct CredentialListed {
    id: String,
    name: String,
    role: RoleName,
    created_at: Timestamp,
    /// Absent while it is valid.
    revoked_at: Option<Timestamp>,
}
