//! What a cited payment is for a finding.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

/// What a part of a finding's subgraph is for the finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "EvidenceKind")]
pub enum EvidenceKind {
    /// One of a smallest set with which the rule fires.
    Necessary,
    /// Counted, and not needed.
    Supplementary,
}
