//! A circuit breaker: a provider that fails again and again is left alone for a while, so that nobody waits for it in vain.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// After so many failures in a row the circuit opens ...
pub const FAILURES: u32 = 5;
/// ... for so long. Then one request goes through, and what comes of it decides.
pub const REST: Duration = Duration::from_secs(10);

/// Of one provider, in this process.
#[derive(Default)]
pub struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    open_until: Option<Instant>,
}

impl Breaker {
    /// Whether a request may go to the provider. After the rest one may, and the next only once that has succeeded, or after another rest.
    pub fn lets_through(&self, now: Instant) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.open_until {
            None => true,
            Some(until) if now < until => false,
            Some(_) => {
                state.open_until = Some(now + REST);
                true
            }
        }
    }

    /// Notes how a request went.
    pub fn note(&self, succeeded: bool, now: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if succeeded {
            *state = State::default();
            return;
        }
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            state.open_until = Some(now + REST);
        }
    }
}
