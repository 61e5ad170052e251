//! Time and memory of a search in many names: a list whose names are changed with a seed until there are as many as wanted.
//!
//! `cargo run --release -p screening --example million -- SDN.csv [1000000] [seed]`

use std::time::Instant;

use screening::evidence::Facts;
use screening::list::{Entry, Query, read_sdn};
use screening::mutate::ChangedNames;
use screening::{Index, Kind};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, seed) = (number(1, 1_000_000) as usize, number(2, 1));
    let listed = read_sdn(std::fs::File::open(&arguments[0]).expect("the list")).expect("a list").items;
    let mut changed = ChangedNames::of(&listed, seed).expect("names");
    let entries: Vec<Entry> = changed
        .by_ref()
        .take(count)
        .enumerate()
        .map(|(at, (schema, name))| Entry { id: at.to_string(), schema: schema.to_owned(), names: vec![name], facts: Facts::default() })
        .collect();
    let before = resident();
    let started = Instant::now();
    let index = Index::new(entries);
    println!(
        "{} names in {:.1} s; {} bytes a name as counted, {} MiB resident before and {} MiB after",
        index.len(),
        started.elapsed().as_secs_f64(),
        index.bytes() / index.len().max(1),
        before >> 20,
        resident() >> 20
    );
    let mut searcher = index.searcher();
    let mut times = Vec::new();
    for (schema, name) in changed.take(2_000) {
        let query = Query { id: String::new(), name, kind: Kind::of_schema(schema), facts: Facts::default() };
        // The best of three, so that what else the machine does is not measured.
        let mut timed = || {
            let started = Instant::now();
            let hits = searcher.search(&query, 5).len();
            (started.elapsed(), hits)
        };
        let (time, hits) = [timed(), timed(), timed()].into_iter().min().unwrap_or_default();
        times.push((time, query.name.clone(), hits));
    }
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0;
    println!("search: median {:?}, p90 {:?}, p99 {:?}, longest {:?}", at(0.5), at(0.9), at(0.99), at(1.0));
    for (time, name, hits) in times.iter().rev().take(5) {
        println!("  {time:?} {name}: {hits}");
    }
}

/// Bytes of the process that are in memory, where the system tells.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").ok().and_then(|text| text.split(' ').nth(1)?.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}
