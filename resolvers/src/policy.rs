//! Who may do what. Every operation asks [`may`] first, so that REST, GraphQL and whatever comes later share one answer.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// What a credential is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Role {
    /// A system that sends records and may read them back.
    Ingest,
    /// A person who investigates.
    Analyst,
    /// Everything, and the credentials of others.
    Admin,
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Role::Ingest => "INGEST",
            Role::Analyst => "ANALYST",
            Role::Admin => "ADMIN",
        })
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "INGEST" => Ok(Role::Ingest),
            "ANALYST" => Ok(Role::Analyst),
            "ADMIN" => Ok(Role::Admin),
            _ => Err("must be one of INGEST, ANALYST, ADMIN".to_owned()),
        }
    }
}

/// How a caller showed who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Means {
    ApiKey,
    Token,
}

impl fmt::Display for Means {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Means::ApiKey => "API_KEY",
            Means::Token => "TOKEN",
        })
    }
}

/// Whom a credential names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identified {
    pub id: String,
    pub name: String,
    pub role: Role,
    pub means: Means,
}

/// Who asks, in which request.
#[derive(Debug, Clone)]
pub struct Caller {
    pub id: String,
    pub name: String,
    pub role: Role,
    pub means: Means,
    pub ip: Option<IpAddr>,
    pub request_id: Arc<str>,
}

/// What an operation does, as far as rights go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Sends records.
    Ingest,
    /// Reads one record back, or a reference list, over REST.
    ReadRecord,
    /// Makes cases and changes them, as a system does over REST.
    RecordCase,
    /// Assigns cases, comments on them, moves them on, as a person does over GraphQL.
    WorkOnCase,
    /// Walks the graph.
    Explore,
    /// Reads who did what.
    ReadAuditLog,
    /// Makes and revokes credentials.
    Administer,
}

/// Says no with [`Error::Forbidden`] unless the caller's role allows the action.
pub fn may(caller: &Caller, action: Action) -> Result<()> {
    let allowed = match caller.role {
        Role::Admin => true,
        Role::Ingest => matches!(action, Action::Ingest | Action::RecordCase | Action::ReadRecord),
        Role::Analyst => matches!(action, Action::WorkOnCase | Action::ReadRecord | Action::Explore | Action::ReadAuditLog),
    };
    if allowed { Ok(()) } else { Err(Error::Forbidden(format!("credentials: the role {} may not do this", caller.role))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_allow_what_they_are_for() {
        let cases = [
            (Role::Ingest, Action::Ingest, true),
            (Role::Ingest, Action::ReadRecord, true),
            (Role::Ingest, Action::RecordCase, true),
            (Role::Ingest, Action::WorkOnCase, false),
            (Role::Ingest, Action::Explore, false),
            (Role::Ingest, Action::ReadAuditLog, false),
            (Role::Ingest, Action::Administer, false),
            (Role::Analyst, Action::Ingest, false),
            (Role::Analyst, Action::RecordCase, false),
            (Role::Analyst, Action::WorkOnCase, true),
            (Role::Analyst, Action::Explore, true),
            (Role::Analyst, Action::ReadAuditLog, true),
            (Role::Analyst, Action::Administer, false),
            (Role::Admin, Action::Administer, true),
        ];
        for (role, action, expected) in cases {
            let caller = Caller { id: "k".into(), name: "k".into(), role, means: Means::ApiKey, ip: None, request_id: "r".into() };
            assert_eq!(may(&caller, action).is_ok(), expected, "{role} {action:?}");
        }
    }
}
