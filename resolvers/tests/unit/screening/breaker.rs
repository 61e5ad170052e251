use std::time::Instant;

use resolvers::testing::screening::breaker::{Breaker, FAILURES, REST};

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
