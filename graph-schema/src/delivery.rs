//! Deliveries: an event that one webhook is to be told of, and how that goes.

use std::fmt;

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::date::Timestamp;

/// How a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DeliveryState {
    /// It is under way, is tried again, or is behind another of its case.
    Waiting,
    /// The receiver has answered with a status of 2xx.
    Delivered,
    /// All attempts have failed.
    Failed,
    /// The webhook was removed before.
    Cancelled,
}

impl DeliveryState {
    /// As the graph has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "WAITING",
            Self::Delivered => "DELIVERED",
            Self::Failed => "FAILED",
            Self::Cancelled => "CANCELLED",
        }
    }
}

impl fmt::Display for DeliveryState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One attempt to deliver. The graph keeps it as JSON text in a list of its delivery, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAttempt {
    /// When it began.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub millis: i32,
    /// The status of the receiver's answer; null when there was none.
    pub status: Option<u16>,
    /// What the receiver's answer begins with.
    pub answer: Option<String>,
    /// What went wrong, when there was no answer.
    pub problem: Option<String>,
}
