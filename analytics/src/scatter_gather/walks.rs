//! Walks of two payments, `u → m → z`, and those whose pair of accounts is met by more than one of them.
//!
//! Nearly all walks of a large network are the only one of their pair and make no pattern. So they are not kept: the intermediaries are
//! gone through once to mark the pair of each walk in a table of bits by its hash, and once more for the walks whose mark was met before
//! (as a Bloom filter does: Bloom, *Space/Time Trade-offs in Hash Coding*, CACM 1970). What collides is found out when the walks that are
//! left are sorted by source and sink. The payments in and out of an intermediary stand side by side, so that nothing is looked up.

use std::ops::Range;

use super::{Leg, Legs, Role};
use crate::network::Link;
use crate::{AccountIndex, Network, Span, Timestamp};

/// The most walks of one part. Sources are taken in as many parts as that needs, so that memory has a bound.
const MOST_WALKS: u64 = 1 << 24;
/// Marks of the table for each walk.
const MARKS_OF_A_WALK: u64 = 8;

/// A walk of two payments, from a source over an intermediary to a sink.
#[derive(Debug, Clone, Copy)]
pub struct Walk {
    pub source: AccountIndex,
    pub sink: AccountIndex,
    pub scatter: Leg,
    pub gather: Leg,
}

pub struct Walks<'a> {
    network: &'a Network,
    span: Span,
    legs: Legs,
    most: u64,
}

/// Sources, and how many walks they have.
struct Part {
    sources: Range<u32>,
    walks: u64,
}

impl<'a> Walks<'a> {
    pub fn new(network: &'a Network, span: Span, legs: Legs) -> Self {
        Self { network, span, legs, most: MOST_WALKS }
    }

    /// Shows the walks of each source and sink that have more than one, sources and sinks in their order.
    pub fn for_each_pair(&self, mut show: impl FnMut(&[Walk])) {
        let mut repeated: Vec<Walk> = Vec::new();
        for part in self.parts() {
            let mut marks = Marks::new(part.walks);
            self.for_each_walk(&part.sources, |walk| marks.mark(walk.source, walk.sink));
            repeated.clear();
            self.for_each_walk(&part.sources, |walk| {
                if marks.is_repeated(walk.source, walk.sink) {
                    repeated.push(walk);
                }
            });
            repeated.sort_unstable_by_key(|walk| (walk.source, walk.sink));
            let pairs = repeated.chunk_by(|one, other| (one.source, one.sink) == (other.source, other.sink));
            pairs.filter(|walks| walks.len() > 1).for_each(&mut show);
        }
    }

    /// All sources, in parts of no more walks than there may be; a source that has more is a part of its own.
    fn parts(&self) -> Vec<Part> {
        let all = 0..self.network.accounts() as u32;
        let mut walks = 0;
        self.for_each_walk(&all, |_| walks += 1);
        if walks <= self.most {
            return vec![Part { sources: all, walks }];
        }
        let mut of_source = vec![0_u64; self.network.accounts()];
        self.for_each_walk(&all, |walk| of_source[walk.source.position()] += 1);
        let mut parts: Vec<Part> = Vec::new();
        for (source, walks) in all.zip(of_source) {
            match parts.last_mut().filter(|part| part.walks + walks <= self.most) {
                Some(part) => *part = Part { sources: part.sources.start..source + 1, walks: part.walks + walks },
                None => parts.push(Part { sources: source..source + 1, walks }),
            }
        }
        parts
    }

    /// All walks from some sources, by intermediary.
    fn for_each_walk(&self, sources: &Range<u32>, mut show: impl FnMut(Walk)) {
        for intermediary in (0..self.network.accounts() as u32).map(AccountIndex) {
            let leaving = self.network.out(intermediary);
            let (mut first, mut behind) = (0, 0);
            for scatter in self.network.into(intermediary) {
                let (earliest, latest) = (self.earliest(scatter.at), self.span.latest(scatter.at));
                first += leaving[first..].iter().take_while(|gather| gather.at < earliest).count();
                behind += leaving[behind..].iter().take_while(|gather| gather.at <= latest).count();
                if scatter.other == intermediary || !sources.contains(&scatter.other.0) {
                    continue;
                }
                // In order and with a span of zero a window ends before it begins.
                for gather in leaving.get(first..behind).unwrap_or_default() {
                    if gather.other != intermediary && gather.other != scatter.other {
                        show(Walk::new(intermediary, scatter, gather));
                    }
                }
            }
        }
    }

    /// The earliest gather payment that may be in one pattern with a scatter payment.
    fn earliest(&self, scatter: Timestamp) -> Timestamp {
        match self.legs {
            Legs::InOrder => Timestamp(scatter.0 + 1),
            Legs::AnyOrder | Legs::AsGraphFeaturePreprocessor => self.span.earliest(scatter),
        }
    }
}

impl Walk {
    fn new(intermediary: AccountIndex, scatter: &Link, gather: &Link) -> Self {
        let leg = |link: &Link, role| Leg { at: link.at, payment: link.payment, role, intermediary };
        Self { source: scatter.other, sink: gather.other, scatter: leg(scatter, Role::Scatter), gather: leg(gather, Role::Gather) }
    }
}

/// Two bits for each hash of a pair: whether it was met, and whether it was met again.
struct Marks {
    words: Vec<u64>,
    /// Bits of a hash that are not used.
    shift: u32,
}

impl Marks {
    fn new(walks: u64) -> Self {
        let marks = (walks * MARKS_OF_A_WALK).next_power_of_two().max(64);
        Self { words: vec![0; marks as usize / 32], shift: 64 - marks.ilog2() }
    }

    /// The word of a pair, and its first bit there.
    fn place(&self, source: AccountIndex, sink: AccountIndex) -> (usize, u32) {
        let pair = u64::from(source.0) << 32 | u64::from(sink.0);
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4), after the halves were mixed.
        let hash = (pair ^ (pair >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift;
        (hash as usize / 32, (hash % 32) as u32 * 2)
    }

    fn mark(&mut self, source: AccountIndex, sink: AccountIndex) {
        let (word, bit) = self.place(source, sink);
        let before = self.words[word] >> bit & 1;
        self.words[word] |= (1 | before << 1) << bit;
    }

    fn is_repeated(&self, source: AccountIndex, sink: AccountIndex) -> bool {
        let (word, bit) = self.place(source, sink);
        self.words[word] >> bit & 2 != 0
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Amount, CurrencyIndex, Payment};

    #[test]
    fn parts_show_the_same_pairs_as_the_whole() {
        let payment = |from: u32, to: u32, at: i64| Payment {
            from: AccountIndex(from),
            to: AccountIndex(to),
            at: Timestamp(at),
            amount: Amount(1),
            currency: CurrencyIndex(0),
        };
        let payments: Vec<Payment> = (0..400_u32).map(|n| payment(n * 7 % 20, n * 11 % 19, i64::from(n * 37 % 50))).collect();
        let network = Network::new(&payments).unwrap();
        let shown = |most| {
            let walks = Walks { most, ..Walks::new(&network, Span::new(Duration::from_millis(5)), Legs::AnyOrder) };
            let mut pairs = Vec::new();
            walks.for_each_pair(|walks| pairs.push((walks[0].source, walks[0].sink, walks.len())));
            pairs
        };
        let whole = shown(u64::MAX);
        assert!(whole.len() > 100, "{}", whole.len());
        assert!(whole.is_sorted());
        assert_eq!(shown(1), whole);
        assert_eq!(shown(50), whole);
    }
}
