//! Wilson's score interval of a proportion, of 95 %.
//!
//! Of `x` successes in `n` trials, with `z` the 97.5 % quantile of the normal distribution, its ends are
//! `(x + z²/2 ± z·√(x·(n − x)/n + z²/4)) / (n + z²)` (Wilson 1927). It stays within 0 and 1, and keeps its level with few trials and near the ends, where
//! the textbook interval `p ± z·√(p·(1 − p)/n)` does not (Brown, Cai and DasGupta 2001).

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// An interval of a proportion, both ends from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The interval of so many successes in so many trials; `None` where there are no trials, or more successes than trials.
pub fn wilson(successes: u64, trials: u64) -> Option<Interval> {
    if trials == 0 || successes > trials {
        return None;
    }
    let (x, n) = (successes as f64, trials as f64);
    let half = Z * (x * (n - x) / n + Z * Z / 4.0).sqrt();
    let (middle, whole) = (x + Z * Z / 2.0, n + Z * Z);
    // Rounding would leave a little beside 0 and 1.
    let low = if successes == 0 { 0.0 } else { (middle - half) / whole };
    let high = if successes == trials { 1.0 } else { (middle + half) / whole };
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe 1998, table I, method 3.
    #[test]
    fn published_intervals_are_met() {
        let table = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)];
        for (successes, trials, low, high) in table {
            let interval = wilson(successes, trials).expect("an interval");
            let is_near = |found: f64, wanted: f64| (found - wanted).abs() < 0.000_05;
            assert!(is_near(interval.low, low) && is_near(interval.high, high), "{successes} of {trials}: {interval:?}");
        }
    }

    /// The ends are the proportions that lie z standard errors from what was seen: `(p̂ − p)² = z²·p·(1 − p)/n`.
    #[test]
    fn ends_solve_the_equation_that_defines_them() {
        for trials in 1..=60 {
            for successes in 0..=trials {
                let Interval { low, high } = wilson(successes, trials).expect("an interval");
                let seen = successes as f64 / trials as f64;
                assert!([0.0, low, seen, high, 1.0].is_sorted(), "{successes} of {trials}: {low} to {high}");
                for end in [low, high] {
                    let left = (seen - end) * (seen - end);
                    let right = Z * Z * end * (1.0 - end) / trials as f64;
                    assert!((left - right).abs() < 1e-12, "{successes} of {trials}: {end}");
                }
            }
        }
    }

    #[test]
    fn nothing_tried_has_no_interval() {
        assert_eq!((wilson(0, 0), wilson(2, 1)), (None, None));
        assert_eq!(wilson(0, 3).map(|interval| interval.low), Some(0.0));
        assert_eq!(wilson(3, 3).map(|interval| interval.high), Some(1.0));
    }
}
