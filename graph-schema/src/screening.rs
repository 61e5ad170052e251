//! Screening of payments: for what they are screened, and what a provider says.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::enum_name::EnumName;

/// What a payment is screened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ScreeningOperation {
    /// Signs of fraud.
    Fraud,
    /// Parties on lists of sanctions.
    Sanctions,
}

impl ScreeningOperation {
    /// As requests have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fraud => "FRAUD",
            Self::Sanctions => "SANCTIONS",
        }
    }

    /// The operation of a name; the error says which there are.
    pub fn parse(name: &str) -> Result<Self, String> {
        Self::named(name).ok_or_else(|| "must be FRAUD, SANCTIONS, or both with a comma between them".to_owned())
    }

    /// Each of them once, in the order in which they were first named.
    pub fn distinct(named: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut distinct = Vec::new();
        for operation in named {
            if !distinct.contains(&operation) {
                distinct.push(operation);
            }
        }
        distinct
    }
}

/// What a provider says of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ScreeningResponse {
    /// It has found something.
    Hit,
    /// It has found nothing.
    Miss,
    /// It could not say anything, or nothing that can be understood.
    Error,
    /// It has said nothing in time.
    Timeout,
}

impl ScreeningResponse {
    /// As answers have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hit => "HIT",
            Self::Miss => "MISS",
            Self::Error => "ERROR",
            Self::Timeout => "TIMEOUT",
        }
    }

    /// Whether the provider has screened the payment.
    pub fn is_conclusive(self) -> bool {
        matches!(self, Self::Hit | Self::Miss)
    }
}
