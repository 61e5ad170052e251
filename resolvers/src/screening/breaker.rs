//! A circuit breaker: a provider that fails again and again is left alone for a while, so that nobody waits for it in vain.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// After so many failures in a row the circuit opens ...
const FAILURES: u32 = 5;
/// ... for so long. Then one request goes through, and what comes of it decides.
const REST: Duration = Duration::from_secs(10);

/// Of one provider, in this process.
#[derive(Default)]
pub(super) struct Breaker(Mutex<State>);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_that_fails_in_a_row_rests_and_is_tried_by_one_request() {
        let (breaker, now) = (Breaker::default(), Instant::now());
        for _ in 1..FAILURES {
            breaker.note(false, now);
        }
        breaker.note(true, now);
        for _ in 1..FAILURES {
            breaker.note(false, now);
        }
        assert!(breaker.lets_through(now), "a success between them counts");
        breaker.note(false, now);
        assert!(!breaker.lets_through(now + REST / 2));
        assert!(breaker.lets_through(now + REST) && !breaker.lets_through(now + REST), "one tries");
        breaker.note(false, now + REST);
        assert!(!breaker.lets_through(now + REST + REST / 2));
        assert!(breaker.lets_through(now + REST * 2));
        breaker.note(true, now + REST * 2);
        assert!(breaker.lets_through(now + REST * 2) && breaker.lets_through(now + REST * 2));
    }
}
