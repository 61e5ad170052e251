//! What follows from an attempt (decisions, "Webhooks"): 2xx is success; anything else is tried again by the schedule, until that is over; a receiver
//! that says that it is busy says for how long; one that is gone, or has failed for five days on end, is told nothing more.

use std::time::Duration;

use chrono::{DateTime, Utc};
use graph_schema::date::Timestamp;
use graph_schema::delivery::DeliveryState;
use rand::Rng;

use super::millis;

/// After so long of nothing but failures a webhook is told nothing more.
pub const PATIENCE: Duration = Duration::from_secs(5 * 24 * 60 * 60);
/// The longest wait that a receiver can ask for.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// How a receiver answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered {
    /// With a status, and perhaps with how long it wants to be left alone.
    Status { status: u16, retry_after: Option<Duration> },
    /// Not in time.
    TooLate,
    /// Not at all: no connection, a connection that broke, a name or address that leads nowhere.
    NotAtAll,
}

impl Answered {
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Status { status: 200..=299, .. })
    }

    /// It is busy or does not answer: it gets less at once for a while.
    pub fn is_overload(&self) -> bool {
        matches!(self, Self::TooLate | Self::NotAtAll | Self::Status { status: 429 | 502 | 503 | 504, .. })
    }

    /// It says that it is gone for good.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Status { status: 410, .. })
    }

    /// How long it wants to be left alone, where it may say so.
    pub fn asks_for(&self) -> Duration {
        match self {
            Self::Status { status: 429 | 502 | 503 | 504, retry_after } => retry_after.unwrap_or_default().min(LONGEST_RETRY_AFTER),
            _ => Duration::ZERO,
        }
    }
}

/// Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
pub fn retry_after(text: &str, now: DateTime<Utc>) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let at = DateTime::parse_from_rfc2822(text.trim()).ok()?;
    Some((at.to_utc() - now).to_std().unwrap_or_default())
}

/// What follows for the delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    Delivered,
    /// It is tried again then.
    Again {
        at: Timestamp,
    },
    /// It is given up, and the next of its case goes.
    GivenUp,
}

impl Follows {
    pub fn state(self) -> DeliveryState {
        match self {
            Self::Delivered => DeliveryState::Delivered,
            Self::Again { .. } => DeliveryState::Waiting,
            Self::GivenUp => DeliveryState::Failed,
        }
    }
}

/// What follows from an attempt that ended now and had failed so often before. What follows for the webhook itself is decided where it is locked
/// (`delivery/standing`): one that is told nothing more has its lanes parked when they are due next.
pub fn verdict(answered: &Answered, failures: i64, schedule: &[Duration], now: Timestamp) -> Follows {
    if answered.is_success() {
        return Follows::Delivered;
    }
    let wait = usize::try_from(failures).ok().and_then(|failures| schedule.get(failures));
    match wait {
        Some(wait) => Follows::Again { at: Timestamp(now.millis() + millis(with_jitter(*wait).max(answered.asks_for()))) },
        None => Follows::GivenUp,
    }
}

/// Up to a tenth longer, so that what failed together does not come again together.
fn with_jitter(wait: Duration) -> Duration {
    wait.mul_f64(rand::rng().random_range(1.0..=1.1))
}
