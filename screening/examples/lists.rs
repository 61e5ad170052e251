//! Recall and false alerts of a list, by treatment: `cargo run --release -p screening --example lists -- SDN.csv.gz ALT.csv.gz PEOPLE.csv.gz [seed] [each] [show]`.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::time::Instant;

use flate2::read::GzDecoder;
use screening::evidence::{Facts, PartialDate};
use screening::list::{Query, read_sdn, read_sdn_aliases};
use screening::mutate::{Dice, Treatment};
use screening::{Index, Kind, THRESHOLD};

fn file(path: &str) -> impl Read {
    GzDecoder::new(File::open(path).expect("the file"))
}

/// The words of a name in any order.
fn fold(name: &str) -> String {
    let folded = screening::folded(name);
    let mut words: Vec<&str> = folded.split(' ').collect();
    words.sort_unstable();
    words.join(" ")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seed, each) = (number(3, 1), number(4, 300) as usize);
    let show = arguments.get(5).cloned().unwrap_or_default();
    let mut entries = read_sdn(file(&arguments[0])).expect("the list").items;
    read_sdn_aliases(file(&arguments[1]), &mut entries).expect("the other names");
    let started = Instant::now();
    let index = Index::new(entries.clone());
    println!(
        "{} names of {} entries in {:.2} s, {} bytes a name",
        index.len(),
        entries.len(),
        started.elapsed().as_secs_f64(),
        index.bytes() / index.len()
    );

    let mut searcher = index.searcher();
    let mut dice = Dice::new(seed);
    let mut times = Vec::new();
    let mut curve = BTreeMap::<Treatment, (usize, usize, usize, usize, usize, usize)>::new();
    let mut right_scores = Vec::new();
    let mut apart = 0;
    let mut folded = HashMap::<String, Vec<String>>::new();
    for entry in &entries {
        for name in &entry.names {
            folded.entry(fold(name)).or_default().push(entry.id.clone());
        }
    }
    for treatment in Treatment::ALL {
        let result = curve.entry(treatment).or_default();
        let mut tries = 0;
        while result.0 < each && tries < each * 20 {
            tries += 1;
            let entry = &entries[dice.below(entries.len())];
            let given = &entry.names[dice.below(entry.names.len())];
            if !treatment.applies_to(entry.kind()) {
                continue;
            }
            let Some(name) = treatment.apply(given, &mut dice) else { continue };
            if folded.get(&fold(&name)).is_some_and(|owners| owners.iter().any(|owner| *owner != entry.id)) {
                apart += 1;
                continue;
            }
            let mut query = Query { id: entry.id.clone(), name, kind: entry.kind(), facts: Facts::default() };
            let start = Instant::now();
            let hits = searcher.search(&query, 5);
            times.push(start.elapsed());
            if show.contains('s') && start.elapsed().as_millis() > 4 {
                println!("  SLOW {:?} {}", start.elapsed(), query.name);
            }
            let found = hits.iter().any(|hit| hit.id == entry.id && hit.is_match);
            result.0 += 1;
            result.1 += usize::from(found);
            result.2 += usize::from(hits.first().is_some_and(|hit| hit.id == entry.id && hit.is_match));
            result.3 += usize::from(hits.iter().any(|hit| hit.id == entry.id));
            let right = hits.iter().find(|hit| hit.id == entry.id).map_or(0.0, |hit| hit.score);
            right_scores.push(right);
            if show.contains('m') && !found {
                let others: Vec<String> = hits.iter().take(2).map(|hit| format!("{:.3} {}", hit.score, hit.name)).collect();
                println!("  MISSED {treatment:?} {:?} {given} -> {} : own {right:.3}; {}", query.kind, query.name, others.join(" | "));
            }
            if !entry.facts.birth_dates.is_empty() || query.kind == Kind::Person {
                query.facts.birth_dates = entry.facts.birth_dates.iter().take(1).copied().collect();
                let hits = searcher.search(&query, 5);
                result.4 += 1;
                result.5 += usize::from(hits.iter().any(|hit| hit.id == entry.id && hit.is_match));
            }
        }
    }
    let sum = curve.values().fold((0, 0, 0, 0, 0, 0), |s, r| (s.0 + r.0, s.1 + r.1, s.2 + r.2, s.3 + r.3, s.4 + r.4, s.5 + r.5));
    for (name, r) in curve.iter().map(|(treatment, result)| (treatment.name(), *result)).chain([("all", sum)]) {
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        println!(
            "{name:20} {:5} queries: recall@5 {:.3}, @1 {:.3}, listed at all {:.3}; people with a birth date {:.3} of {}",
            r.0,
            share(r.1, r.0),
            share(r.2, r.0),
            share(r.3, r.0),
            share(r.5, r.4),
            r.4
        );
    }
    println!("told apart by nothing: {:.2} %", 100.0 * f64::from(apart) / (sum.0 as f64 + f64::from(apart)));
    let (mut false_names, mut false_dates, mut people) = (Vec::new(), 0, 0);
    let mut reader = csv::Reader::from_reader(file(&arguments[2]));
    let mut worst = Vec::new();
    for record in reader.records() {
        let record = record.expect("a person");
        people += 1;
        let mut query = Query { id: String::new(), name: record[0].to_owned(), kind: Kind::Person, facts: Facts::default() };
        let hits = searcher.search(&query, 5);
        if let Some(hit) = hits.first() {
            false_names.push(hit.score);
            if hit.is_match {
                worst.push((hit.score, record[0].to_owned(), hit.name.to_owned()));
            }
        }
        query.facts.birth_dates = PartialDate::parse(&record[5]).into_iter().collect();
        let hits = searcher.search(&query, 5);
        if let Some(hit) = hits.first().filter(|hit| hit.is_match) {
            false_dates += 1;
            if show.contains('d') {
                println!("  FALSE with date {:.3} {} : {} {:?}", hit.score, record.get(0).unwrap_or(""), hit.name, hit.adjustments);
            }
        }
    }
    worst.sort_by(|one, other| other.0.total_cmp(&one.0));
    if show.contains('f') {
        worst.iter().for_each(|(score, query, name)| println!("  FALSE {score:.3} {query} : {name}"));
    }
    println!(
        "false alerts at {THRESHOLD}: {:.2} % of {people}; with a birth date {:.3} %",
        100.0 * worst.len() as f64 / people as f64,
        100.0 * f64::from(false_dates) / people as f64
    );
    for at in [0.70, 0.72, 0.74, 0.76, 0.78, 0.80, 0.82, 0.84, 0.86, 0.88] {
        let share = |scores: &[f32]| scores.iter().filter(|score| **score >= at).count() as f64;
        println!(
            "  threshold {at:.2}: recall {:.4}, false alerts {:.2} %",
            share(&right_scores) / right_scores.len() as f64,
            100.0 * share(&false_names) / people as f64
        );
    }
    times.sort_unstable();
    println!("search: median {:?}, p99 {:?}", times[times.len() / 2], times[times.len() * 99 / 100]);
}
