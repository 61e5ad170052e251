//! F1, the share of exact ones and the time a pair, on the labelled pairs in `tests/data`: on the part that was tuned on and on the other.
//!
//! `cargo run --release -p screening --example pairs [-- wrong]`; with `wrong` the pairs of the tuning part that are told wrongly are listed.

use std::time::Instant;

use screening::{Kind, Name, THRESHOLD, explain, score};

struct Pair {
    first: String,
    second: String,
    kind: Kind,
    is_match: bool,
    tuned: bool,
}

fn pairs() -> Vec<Pair> {
    let mut reader = csv::Reader::from_path(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/name_pairs.csv")).expect("the pairs");
    reader
        .records()
        .map(|record| record.expect("a pair"))
        .map(|record| Pair {
            first: record[2].to_owned(),
            second: record[3].to_owned(),
            kind: Kind::of_schema(&record[1]),
            is_match: &record[4] == "true",
            tuned: is_tuned_on(&record[2], &record[3]),
        })
        .collect()
}

/// Half of the pairs, by FNV-1a over both names.
fn is_tuned_on(first: &str, second: &str) -> bool {
    let hash = first
        .bytes()
        .chain([0])
        .chain(second.bytes())
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 20) & 1 == 0
}

fn f1(scored: &[(f32, bool)], threshold: f32) -> f64 {
    let count = |by: fn(bool, bool) -> bool| scored.iter().filter(|(score, is_match)| by(*score >= threshold, *is_match)).count() as f64;
    let (right, false_hits, missed) = (count(|hit, is| hit && is), count(|hit, is| hit && !is), count(|hit, is| !hit && is));
    if right == 0.0 { 0.0 } else { 2.0 * right / (2.0 * right + false_hits + missed) }
}

fn main() {
    let wrong = std::env::args().nth(1);
    let pairs = pairs();
    let score_of = |pair: &Pair| score(&Name::new(&pair.first, pair.kind), &Name::new(&pair.second, pair.kind));
    for (part, of) in [("tuned on", Some(true)), ("not tuned on", Some(false)), ("all", None)] {
        let scored: Vec<(f32, bool)> =
            pairs.iter().filter(|pair| of.is_none_or(|of| pair.tuned == of)).map(|pair| (score_of(pair), pair.is_match)).collect();
        let best = (40..100).map(|at| at as f32 / 100.0).max_by(|one, other| f1(&scored, *one).total_cmp(&f1(&scored, *other))).unwrap_or(0.0);
        let exact = scored.iter().filter(|(score, _)| *score == 1.0).count();
        println!(
            "{part}: {} pairs, F1 {:.3} at the shipped threshold {THRESHOLD}, {:.3} at its best {best}; exactly 1: {:.1} %",
            scored.len(),
            f1(&scored, THRESHOLD),
            f1(&scored, best),
            100.0 * exact as f64 / scored.len() as f64
        );
    }
    let rounds = 50;
    let started = Instant::now();
    let sum: f32 = (0..rounds).flat_map(|_| &pairs).map(score_of).sum();
    println!(
        "{:.2} µs a pair with both names taken apart ({sum:.0})",
        started.elapsed().as_secs_f64() * 1e6 / f64::from(rounds) / pairs.len() as f64
    );
    let names: Vec<_> = pairs.iter().map(|pair| (Name::new(&pair.first, pair.kind), Name::new(&pair.second, pair.kind))).collect();
    let started = Instant::now();
    let sum: f32 = (0..rounds).flat_map(|_| &names).map(|(first, second)| score(first, second)).sum();
    println!(
        "{:.2} µs a pair, the names taken apart before ({sum:.0})",
        started.elapsed().as_secs_f64() * 1e6 / f64::from(rounds) / pairs.len() as f64
    );
    if let Some(which) = wrong {
        for pair in pairs.iter().filter(|pair| pair.tuned || which == "all") {
            let explained = explain(&Name::new(&pair.first, pair.kind), &Name::new(&pair.second, pair.kind));
            if (explained.score >= THRESHOLD) != pair.is_match {
                println!(
                    "{:.3} {} {:?} | {} | {}",
                    explained.score,
                    if pair.is_match { "MISSED" } else { "FALSE " },
                    pair.kind,
                    pair.first,
                    pair.second
                );
                if which == "why" {
                    explained
                        .reasons
                        .iter()
                        .for_each(|reason| println!("      {:.3} {:?} `{}` `{}`", reason.cost, reason.what, reason.first, reason.second));
                }
            }
        }
    }
}
