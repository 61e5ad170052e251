//! Counts of patterns by size, one row a payment.
//!
//! A bin `b_i` counts the patterns of a size from `b_i` to below `b_(i+1)`, the last one all that are larger, as in Blanuša et al.,
//! *Graph Feature Preprocessor* (ICAIF 2024). Counts end at `u32::MAX`.

use std::fmt;

/// The smallest size that a pattern has: one account on a side is no pattern.
pub const SMALLEST: u32 = 2;

/// The lower bounds of bins, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bins {
    lower: Vec<u32>,
    /// The bin of each size below the last bound.
    of: Vec<u8>,
}

/// Bounds that are no bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidBins {
    /// There is none.
    Empty,
    /// More than there may be.
    TooMany { most: usize },
    /// The first one is below the smallest pattern.
    TooSmall { smallest: u32 },
    /// One is larger than there may be.
    TooLarge { largest: u32 },
    /// One is not larger than the one before.
    NotAscending { before: u32, after: u32 },
}

impl Bins {
    pub(crate) const MOST: usize = 64;
    const LARGEST: u32 = 100_000;

    pub fn new(lower: Vec<u32>) -> Result<Self, InvalidBins> {
        let (Some(&first), Some(&last)) = (lower.first(), lower.last()) else { return Err(InvalidBins::Empty) };
        if lower.len() > Self::MOST {
            return Err(InvalidBins::TooMany { most: Self::MOST });
        }
        if first < SMALLEST {
            return Err(InvalidBins::TooSmall { smallest: SMALLEST });
        }
        if let Some(pair) = lower.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(InvalidBins::NotAscending { before: pair[0], after: pair[1] });
        }
        if last > Self::LARGEST {
            return Err(InvalidBins::TooLarge { largest: Self::LARGEST });
        }
        let of = (0..last).map(|size| lower.partition_point(|&bound| bound <= size) as u8).collect();
        Ok(Self { lower, of })
    }

    /// One bin for each size from two to `largest`, and what is larger in the last.
    pub(crate) fn each(largest: u32) -> Self {
        let lower: Vec<u32> = (SMALLEST..=largest.clamp(SMALLEST, Self::MOST as u32)).collect();
        let of = (0..lower.len() as u32 + 1).map(|size| size.saturating_sub(1) as u8).collect();
        Self { lower, of }
    }

    #[allow(clippy::len_without_is_empty, reason = "there is always a bin")]
    pub fn len(&self) -> usize {
        self.lower.len()
    }

    /// The bin of a size; `None` below the first.
    pub fn of(&self, size: u32) -> Option<usize> {
        let bin = self.of.get(size as usize).map_or(self.lower.len(), |&bin| usize::from(bin));
        bin.checked_sub(1)
    }

    /// A name for each bin: `2`, `5_9`, `20_up`.
    pub fn names(&self) -> Vec<String> {
        let ends = self.lower.iter().skip(1).map(Some).chain([None]);
        let name = |(lower, end): (&u32, Option<&u32>)| match end {
            Some(&end) if end == lower + 1 => lower.to_string(),
            Some(end) => format!("{lower}_{}", end - 1),
            None => format!("{lower}_up"),
        };
        self.lower.iter().zip(ends).map(name).collect()
    }
}

impl fmt::Display for InvalidBins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there must be a bin"),
            Self::TooMany { most } => write!(f, "there may be {most} bins at most"),
            Self::TooSmall { smallest } => write!(f, "the first bin must begin at {smallest} or more"),
            Self::TooLarge { largest } => write!(f, "a bin must begin at {largest} or less"),
            Self::NotAscending { before, after } => write!(f, "bins must ascend, and {after} comes after {before}"),
        }
    }
}

impl std::error::Error for InvalidBins {}

/// Rows of counts; only what is not zero takes memory.
#[derive(Debug, Clone)]
pub(crate) struct Histograms {
    bins: usize,
    /// Where each row begins among the counts; `NO_COUNTS` for an empty one.
    rows: Vec<u64>,
    counts: Vec<Count>,
}

const NO_COUNTS: u64 = u64::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    count: u32,
    bin: u8,
    /// Whether the row ends here.
    last: bool,
}

impl Histograms {
    pub fn new(rows: usize, bins: usize) -> Self {
        Self { bins, rows: vec![NO_COUNTS; rows], counts: Vec::new() }
    }

    /// Adds the counts of a row to `counts`, one a bin.
    pub fn add_to(&self, row: usize, counts: &mut [u32]) {
        let Some(counted) = usize::try_from(self.rows[row]).ok().and_then(|begin| self.counts.get(begin..)) else { return };
        for count in counted {
            let sum = &mut counts[usize::from(count.bin)];
            *sum = sum.saturating_add(count.count);
            if count.last {
                return;
            }
        }
    }

    /// The counts of a row, one a bin.
    pub fn row(&self, row: usize) -> Vec<u32> {
        let mut counts = vec![0; self.bins];
        self.add_to(row, &mut counts);
        counts
    }

    /// The bytes that the counts take.
    pub fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<u64>() + self.counts.capacity() * size_of::<Count>()
    }

    /// Sets a row that has no counts yet.
    pub fn set(&mut self, row: usize, counts: impl Iterator<Item = (usize, u32)>) {
        let begin = self.counts.len();
        self.counts.extend(counts.filter(|&(_, count)| count > 0).map(|(bin, count)| Count { count, bin: bin as u8, last: false }));
        if self.counts.len() > begin {
            self.rows[row] = begin as u64;
            if let Some(last) = self.counts.last_mut() {
                last.last = true;
            }
        }
    }
}

/// Gathers counts that come in any order.
#[derive(Debug)]
pub(crate) struct Tally {
    rows: usize,
    bins: usize,
    /// A row, a bin, and how many more. Up to `merged` there is one of each row and bin, in order.
    added: Vec<(u32, u8, u32)>,
    merged: usize,
}

impl Tally {
    /// What is merged at the earliest.
    const MERGE_FROM: usize = 1 << 20;

    pub fn new(rows: usize, bins: usize) -> Self {
        Self { rows, bins, added: Vec::new(), merged: 0 }
    }

    pub fn add(&mut self, row: u32, bin: usize, count: u32) {
        if self.added.len() >= (2 * self.merged).max(Self::MERGE_FROM) {
            self.merge();
        }
        self.added.push((row, bin as u8, count));
    }

    pub fn histograms(mut self) -> Histograms {
        self.merge();
        let mut histograms = Histograms::new(self.rows, self.bins);
        for row in self.added.chunk_by(|one, other| one.0 == other.0) {
            histograms.set(row[0].0 as usize, row.iter().map(|&(_, bin, count)| (usize::from(bin), count)));
        }
        histograms
    }

    fn merge(&mut self) {
        self.added.sort_unstable_by_key(|&(row, bin, _)| (row, bin));
        self.added.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 = kept.2.saturating_add(next.2);
            }
            same
        });
        self.merged = self.added.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_falls_into_the_bin_that_begins_at_or_below_it() {
        let bins = Bins::new(vec![2, 3, 5, 20]).unwrap();
        let table = [(0, None), (1, None), (2, Some(0)), (3, Some(1)), (4, Some(1)), (5, Some(2)), (19, Some(2)), (20, Some(3)), (9_999, Some(3))];
        for (size, bin) in table {
            assert_eq!(bins.of(size), bin, "{size}");
        }
        assert_eq!(bins.names(), ["2", "3_4", "5_19", "20_up"]);
    }

    #[test]
    fn each_has_a_bin_for_every_size() {
        let bins = Bins::each(5);
        assert_eq!(bins, Bins::new(vec![2, 3, 4, 5]).unwrap());
    }

    #[test]
    fn what_is_no_bins_is_refused() {
        assert_eq!(Bins::new(vec![]), Err(InvalidBins::Empty));
        assert_eq!(Bins::new(vec![1, 2]), Err(InvalidBins::TooSmall { smallest: 2 }));
        assert_eq!(Bins::new(vec![2, 2]), Err(InvalidBins::NotAscending { before: 2, after: 2 }));
        assert_eq!(Bins::new(vec![3, 2]), Err(InvalidBins::NotAscending { before: 3, after: 2 }));
        assert_eq!(Bins::new((2..67).collect()), Err(InvalidBins::TooMany { most: 64 }));
        assert_eq!(Bins::new(vec![2, 100_001]), Err(InvalidBins::TooLarge { largest: 100_000 }));
    }

    #[test]
    fn a_tally_is_the_sum_of_what_was_added_in_any_order() {
        let mut tally = Tally::new(3, 4);
        for (row, bin, count) in [(2, 3, 1), (0, 1, 2), (2, 0, 5), (0, 1, 7), (2, 3, u32::MAX)] {
            tally.add(row, bin, count);
        }
        let histograms = tally.histograms();
        assert_eq!(histograms.row(0), [0, 9, 0, 0]);
        assert_eq!(histograms.row(1), [0, 0, 0, 0]);
        assert_eq!(histograms.row(2), [5, 0, 0, u32::MAX]);
    }

    #[test]
    fn a_tally_that_merges_on_the_way_loses_nothing() {
        let mut tally = Tally::new(2, 2);
        for round in 0..3 * Tally::MERGE_FROM {
            tally.add((round % 2) as u32, round / 2 % 2, 1);
        }
        let each = 3 * Tally::MERGE_FROM as u32 / 4;
        let histograms = tally.histograms();
        assert_eq!(histograms.row(0), [each, each]);
        assert_eq!(histograms.row(1), [each, each]);
    }
}
