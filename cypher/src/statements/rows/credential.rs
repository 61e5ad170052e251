//! Rows about API keys and OAuth clients, and about who acts by them.

use serde::Deserialize;

/// `credential/find_key`.
#[derive(Debug, Clone, Deserialize)]
pub struct KeyRow {
    pub id: String,
    pub role: String,
    pub name: String,
}

/// `credential/find_client`.
#[derive(Debug, Clone, Deserialize)]
pub struct ClientRow {
    pub id: String,
    pub role: String,
    pub name: String,
    pub hash: String,
}

/// `credential/list_keys`, `credential/list_clients`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CredentialRow {
    pub id: String,
    pub name: String,
    pub role: String,
    pub created_at: i64,
    pub revoked_at: Option<i64>,
}

/// `credential/lock_key`, `credential/lock_client`, `credential/lock_admin_keys`, `credential/lock_admin_clients`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedCredential {
    pub id: String,
    pub revoked_at: Option<i64>,
}

/// `credential/principals`.
#[derive(Debug, Clone, Deserialize)]
pub struct PrincipalRow {
    pub id: String,
    pub name: String,
    /// `API_KEY`, `CLIENT` or `USER`.
    pub kind: String,
}
