//! How much of what a generator planted the built-in rules find, day by day, and how much else.
//!
//!     recall [--why] [--kernels] [--rule=ID]... SEED...
//!
//! Printed is Markdown: a table by typology and one by rule, over all seeds. `--why` adds the cases that were missed and what the wrong
//! findings are about. `--kernels` leaves out the rules that are statements, which take nearly all of the time; `--rule` leaves out
//! all others. Rules that are not live are reported and don't count.
//!
//! A planted case is found when one finding cites at least half of its payments, or one of them and at least half of its focal actors.
//! A finding is right when it cites a planted payment. A finding that continues an earlier one, as it shares a payment with it, is the same.
//!
//! Rules that are statements are asked of the embedded engine. Of what they find all evidence is replayed as well.

mod bank;
#[path = "../../../detection/examples/replay/check.rs"]
mod check;
#[path = "../../../detection/examples/bank/mod.rs"]
mod generated;
mod judge;
mod statements;
mod tables;

use std::error::Error;
use std::time::{Duration, Instant};

use detection::{Pack, Rule, Search, Settings, Status};
use marking::ScenarioMarker;
use sample::typologies;

use bank::Bank;
use check::Checked;
use judge::{Story, Verdict, continue_stories};

/// What one rule found in one network.
pub struct RuleRun<'a> {
    pub rule: &'a Rule,
    pub stories: Vec<Story>,
    pub time: Duration,
    /// What was replayed of a statement's findings.
    pub replayed: Checked,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (options, seeds): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let is_asked = |option: &str| options.iter().any(|asked| asked == option);
    let wanted: Vec<&str> = options.iter().filter_map(|option| option.strip_prefix("--rule=")).collect();
    let pack = Pack::built_in()?;
    let rules: Vec<&Rule> = pack.rules().iter().map(|packed| &packed.rule).collect();
    let is_known = |option: &String| match option.strip_prefix("--rule=") {
        Some(id) => rules.iter().any(|rule| rule.id.as_str() == id),
        None => ["--why", "--kernels"].contains(&option.as_str()),
    };
    if seeds.is_empty() || !options.iter().all(is_known) {
        return Err("usage: recall [--why] [--kernels] [--rule=ID]... SEED...".into());
    }
    let rules = || {
        let of_kind = rules.iter().filter(|rule| !is_asked("--kernels") || matches!(rule.search, Search::Kernel(_)));
        of_kind.filter(|rule| wanted.is_empty() || wanted.contains(&rule.id.as_str()))
    };
    let mut verdicts = Vec::new();
    for seed in &seeds {
        let seed = seed.parse().map_err(|_| format!("{seed} is no seed"))?;
        let mut bank = Bank::of(typologies::generate(&typologies::Settings::with_seed(seed))?)?;
        // A store for each network.
        let marker = ScenarioMarker::embedded()?;
        let runs = rules().map(|rule| run(rule, &mut bank, &marker)).collect::<Result<Vec<RuleRun<'_>>, _>>()?;
        let verdict = Verdict::of(&bank, &runs);
        if is_asked("--why") {
            tables::print_reasons(seed, &bank, &runs, &verdict);
        }
        verdicts.push(verdict);
    }
    tables::print(&seeds, &verdicts);
    Ok(())
}

/// Runs a rule over all days.
fn run<'a>(rule: &'a Rule, bank: &mut Bank, marker: &ScenarioMarker) -> Result<RuleRun<'a>, Box<dyn Error>> {
    let began = Instant::now();
    let (mut stories, mut replayed) = (Vec::new(), Checked::default());
    match rule.search {
        _ if rule.status == Status::Off => {}
        Search::Statement(_) => replayed = statements::run(rule, bank, marker, &mut stories)?,
        Search::Kernel(_) => {
            let settings = Settings::of(rule);
            for &day in &bank.days {
                continue_stories(&mut stories, bank, day, rule.detect(bank.dataset(), day, &settings));
            }
        }
    }
    Ok(RuleRun { rule, stories, time: began.elapsed(), replayed })
}
