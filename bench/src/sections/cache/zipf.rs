//! Zipf's law: few are asked for often, and most hardly ever.

use crate::payments::Random;

/// Which item has which rank is the same in each run.
const SEED: u64 = 42;

/// Draws items so that the one of rank n comes an n-th as often as the one of rank 1 (s = 1).
pub struct Zipf {
    /// Items by rank, in an order that has nothing to do with theirs.
    items: Vec<usize>,
    /// By rank, how much of all comes up to it; the last is all.
    sums: Vec<f64>,
}

impl Zipf {
    /// Over so many items, at least one.
    pub fn over(count: usize) -> Self {
        let mut random = Random::new(SEED);
        let mut items: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            items.swap(at, random.below(at as u64 + 1) as usize);
        }
        let mut sum = 0.0;
        let sums = (1..=count).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Self { sums: sums.collect(), items }
    }

    /// An item by its rank; the first is 0.
    pub fn of_rank(&self, rank: usize) -> usize {
        self.items[rank]
    }

    /// Some item.
    pub fn draw(&self, random: &mut Random) -> usize {
        // As fine as a float can tell apart.
        const STEPS: u64 = 1 << 53;
        let all = self.sums.last().copied().unwrap_or_default();
        let place = random.below(STEPS) as f64 / STEPS as f64 * all;
        let rank = self.sums.partition_point(|sum| *sum <= place);
        self.items[rank.min(self.items.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_comes_half_as_often_as_the_first() {
        const DRAWN: u32 = 200_000;
        let (zipf, mut random) = (Zipf::over(1_000), Random::new(1));
        let mut counts = vec![0_u32; 1_000];
        for _ in 0..DRAWN {
            counts[zipf.draw(&mut random)] += 1;
        }
        let of_rank = |rank: usize| f64::from(counts[zipf.of_rank(rank)]);
        for (rank, part) in [(1, 2.0), (2, 3.0), (9, 10.0)] {
            let times = of_rank(0) / of_rank(rank);
            assert!((times / part - 1.0).abs() < 0.1, "rank 1 came {times} times as often as rank {}", rank + 1);
        }
        let mut items = zipf.items.clone();
        assert_ne!(items[..5], [0, 1, 2, 3, 4], "ranks are mixed");
        items.sort_unstable();
        assert_eq!(items, (0..1_000).collect::<Vec<_>>(), "each item has one rank");
    }
}
