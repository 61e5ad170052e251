//! Screening of payments: for what they are screened, and what a provider says.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
