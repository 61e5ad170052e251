//! Random draws. Every part of the generator has a stream of its own, so that a change to one part leaves the others as they were.

use std::ops::RangeInclusive;

use rand::rngs::StdRng;
use rand::seq::{SliceRandom, index};
use rand::{Rng, SeedableRng};

use super::network::Cents;

/// A part of the generator.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Population = 1,
    Planted,
    LookAlikes,
    Regular,
    Purchases,
    Numbering,
    Facts,
    Related,
}

/// A stream of random draws that the seed and the part determine.
pub(super) struct Draw(StdRng);

impl Draw {
    pub fn new(seed: u64, part: Part) -> Self {
        // A large odd factor keeps the streams of neighbouring seeds apart.
        Self(StdRng::seed_from_u64(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(part as u64)))
    }

    /// A whole number of a range.
    pub fn count(&mut self, range: RangeInclusive<usize>) -> usize {
        self.0.random_range(range)
    }

    /// A day of a range, counted from the first day of the network.
    pub fn day(&mut self, range: RangeInclusive<i32>) -> i32 {
        self.0.random_range(range)
    }

    /// A real number of a range.
    pub fn real(&mut self, range: RangeInclusive<f64>) -> f64 {
        self.0.random_range(range)
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.random_bool(probability)
    }

    /// A normally distributed number (Box and Muller 1958).
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let radius = (-2.0 * self.0.random_range(f64::MIN_POSITIVE..1.0).ln()).sqrt();
        mean + deviation * radius * self.0.random_range(0.0..std::f64::consts::TAU).cos()
    }

    /// A log-normally distributed number with this median; `sigma` is the deviation of its logarithm.
    pub fn log_normal(&mut self, median: f64, sigma: f64) -> f64 {
        median * self.normal(0.0, sigma).exp()
    }

    /// A log-normally distributed amount with this median in units of the currency, within the bounds.
    pub fn amount(&mut self, median: f64, sigma: f64, bounds: RangeInclusive<f64>) -> Cents {
        units(self.log_normal(median, sigma).clamp(*bounds.start(), *bounds.end()))
    }

    /// One of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.0.random_range(0..list.len())]
    }

    /// So many different ones of a list, at most all, in random order.
    pub fn several<T: Copy>(&mut self, list: &[T], number: usize) -> Vec<T> {
        index::sample(&mut self.0, list.len(), number.min(list.len())).into_iter().map(|place| list[place]).collect()
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        list.shuffle(&mut self.0);
    }

    /// Splits an amount into parts that sum to it exactly. Each part has a weight between 1 and `1 + unevenness`.
    pub fn split(&mut self, total: Cents, parts: usize, unevenness: f64) -> Vec<Cents> {
        let weights: Vec<f64> = (0..parts).map(|_| self.real(1.0..=1.0 + unevenness)).collect();
        let sum: f64 = weights.iter().sum();
        let mut amounts: Vec<Cents> = weights.iter().map(|weight| Cents((total.0 as f64 * weight / sum) as i64)).collect();
        if let Some(last) = amounts.last_mut() {
            last.0 += total.0 - weights.iter().map(|weight| (total.0 as f64 * weight / sum) as i64).sum::<i64>();
        }
        amounts
    }
}

/// An amount of so many units of a currency.
pub(super) fn units(units: f64) -> Cents {
    Cents((units * 100.0).round() as i64)
}

impl Cents {
    /// A share of the amount.
    pub(super) fn share(self, share: f64) -> Self {
        Self((self.0 as f64 * share).round() as i64)
    }

    /// The nearest multiple of so many units, at least one of them.
    pub(super) fn rounded(self, step: i64) -> Self {
        let step = step * 100;
        Self(((self.0 + step / 2) / step).max(1) * step)
    }
}

/// Places with given weights.
pub(super) struct Weighted(Vec<f64>);

impl Weighted {
    /// The weights must not all be zero.
    pub fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let running = weights.into_iter().scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self(running.collect())
    }

    /// Zipf's law: the weight of rank `r` is `r^-exponent`.
    pub fn zipf(number: usize, exponent: f64) -> Self {
        Self::new((1..=number).map(|rank| (rank as f64).powf(-exponent)))
    }

    pub fn draw(&self, draw: &mut Draw) -> usize {
        let total = self.0.last().copied().unwrap_or(0.0);
        let at = draw.real(0.0..=total);
        self.0.partition_point(|&sum| sum < at).min(self.0.len().saturating_sub(1))
    }
}
