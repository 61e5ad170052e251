//! Replays all that the built-in rules find in generated networks, day by day, with the evidence alone.
//!
//!     replay SEED...
//!
//! Of each finding the necessary payments alone, with the history that it tells, make the same version of the rule fire again about the same
//! actor; without any one of them they do not. Prints how much was checked, and fails with the first finding of which that is not so.

#[path = "../bank/mod.rs"]
mod bank;
mod check;

use std::collections::BTreeMap;
use std::error::Error;

use detection::{Elements, Pack, Rule, Search, Status};
use sample::typologies;

use check::Checked;

fn main() -> Result<(), Box<dyn Error>> {
    let seeds: Vec<String> = std::env::args().skip(1).collect();
    if seeds.is_empty() {
        return Err("usage: replay SEED...".into());
    }
    let pack = Pack::built_in()?;
    let mut all: BTreeMap<&str, Checked> = BTreeMap::new();
    for seed in &seeds {
        let seed = seed.parse().map_err(|_| format!("{seed} is no seed"))?;
        let network = typologies::generate(&typologies::Settings::with_seed(seed))?;
        let (dataset, days) = (bank::dataset(&network)?, bank::days(&network)?);
        let elements = Elements::of(&dataset);
        for rule in pack.rules().iter().map(|packed| &packed.rule).filter(|rule| is_searched(rule)) {
            let checked = all.entry(&rule.id).or_default();
            for &day in &days {
                let of_day = check::check(&elements, rule, day).map_err(|error| format!("seed {seed}, {} {}: {error}", rule.id, rule.version))?;
                checked.findings += of_day.findings;
                checked.replays += of_day.replays;
            }
        }
    }
    println!("Seeds {}.\n", seeds.join(", "));
    println!("| rule | findings, each day's | replays |\n|---|---:|---:|");
    for (rule, Checked { findings, replays }) in &all {
        println!("| {rule} | {findings} | {replays} |");
    }
    let (findings, replays): (usize, usize) = (all.values().map(|of| of.findings).sum(), all.values().map(|of| of.replays).sum());
    println!("| all | **{findings}** | **{replays}** |");
    Ok(())
}

/// Rules that are statements need a database.
fn is_searched(rule: &Rule) -> bool {
    rule.status != Status::Off && matches!(rule.search, Search::Kernel(_))
}
