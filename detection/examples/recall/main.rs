//! How much of what a generator planted the built-in rules find, day by day, and how much else.
//!
//!     recall [--why] SEED...
//!
//! Printed is Markdown: a table by typology and one by rule, over all seeds. `--why` adds the cases that were missed and what the wrong
//! findings are about. Rules that are not live are reported and don't count.
//!
//! A planted case is found when one finding cites at least half of its payments, or one of them and at least half of its focal actors.
//! A finding is right when it cites a planted payment. A finding that continues an earlier one, as it shares a payment with it, is the same.

mod bank;
#[path = "../bank/mod.rs"]
mod generated;
mod judge;
mod tables;

use std::error::Error;
use std::time::{Duration, Instant};

use detection::{Pack, PackedRule, Rule, Search, Settings, Status};
use sample::typologies;

use bank::Bank;
use judge::{Story, Verdict, continue_stories};

/// What one rule found in one network.
pub struct RuleRun<'a> {
    pub rule: &'a Rule,
    pub stories: Vec<Story>,
    pub time: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (why, seeds): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|argument| argument == "--why");
    if seeds.is_empty() {
        return Err("usage: recall [--why] SEED...".into());
    }
    let pack = Pack::built_in()?;
    let mut verdicts = Vec::new();
    for seed in &seeds {
        let seed = seed.parse().map_err(|_| format!("{seed} is no seed"))?;
        let bank = Bank::of(typologies::generate(&typologies::Settings::with_seed(seed))?)?;
        let runs: Vec<RuleRun<'_>> = pack.rules().iter().map(|packed| run(packed, &bank)).collect();
        let verdict = Verdict::of(&bank, &runs);
        if !why.is_empty() {
            tables::print_reasons(seed, &bank, &runs, &verdict);
        }
        verdicts.push(verdict);
    }
    tables::print(&seeds, &verdicts);
    Ok(())
}

/// Runs a rule over all days. Rules that are statements need a database, and find nothing here.
fn run<'a>(packed: &'a PackedRule, bank: &Bank) -> RuleRun<'a> {
    let rule = &packed.rule;
    let began = Instant::now();
    let mut stories = Vec::new();
    if rule.status != Status::Off && matches!(rule.search, Search::Kernel(_)) {
        let settings = Settings::of(rule);
        for &day in &bank.days {
            continue_stories(&mut stories, bank, day, rule.detect(&bank.dataset, day, &settings));
        }
    }
    RuleRun { rule, stories, time: began.elapsed() }
}
