//! `amlgraph detect shadow PAYMENTS.csv --challenger DIR`: what challengers find beside the live versions of rules, in payments from a file. No database is needed.

use anyhow::bail;
use chrono::NaiveDate;
use detection::{Beside, Finding, Pack, Rule, Settings, Sighting, Status, beside};
use serde::Serialize;

use super::pack::{self, print_json};
use super::progress::DayProgress;
use super::source::Source;
use crate::cli::ShadowOptions;
use crate::commands::print;

/// Findings that are shown of each kind.
const SHOWN: usize = 100;

/// What a challenger finds, beside the live version.
#[derive(Serialize)]
struct Compared<'a> {
    rule: &'a str,
    /// Nothing where no version is live.
    live: Option<String>,
    challenger: String,
    live_findings: usize,
    challenger_findings: usize,
    /// Findings of the live version that share a payment with one of the challenger's, about the same actor, on the same day.
    both: usize,
    only_live: usize,
    only_challenger: usize,
    /// The first ones that one of them has alone.
    first_only_live: Vec<Shown>,
    first_only_challenger: Vec<Shown>,
}

#[derive(Serialize)]
struct Shown {
    day: NaiveDate,
    actor: String,
    payments: Vec<String>,
    score: f64,
}

/// Runs challengers and live versions over the same days, and prints a row for each challenger.
pub fn run(options: &ShadowOptions) -> anyhow::Result<()> {
    let live = pack::load(options.rules.as_deref())?;
    let pack = pack::load(Some(&options.challenger))?;
    let is_meant = |rule: &&Rule| options.rule.as_ref().is_none_or(|id| rule.id == *id);
    let challengers: Vec<&Rule> = pack.rules().iter().map(|packed| &packed.rule).filter(is_meant).collect();
    match &options.rule {
        Some(id) if challengers.is_empty() => return Err(pack::no_rule(&pack, id).context(options.challenger.display().to_string())),
        None if challengers.is_empty() => bail!("{}: there is no rule in it", options.challenger.display()),
        _ => {}
    }
    let Some(source) = Source::read(&options.source)? else { return Ok(()) };
    let progress = DayProgress::begin(source.days.len() * challengers.len());
    let compared = challengers.iter().map(|challenger| compare(live_version(&live, challenger), challenger, &source, &progress));
    let compared: Vec<_> = compared.collect();
    drop(progress);
    if options.json {
        print_json(&compared)
    } else {
        print_table(&compared);
        Ok(())
    }
}

fn live_version<'p>(live: &'p Pack, challenger: &Rule) -> Option<&'p Rule> {
    live.rule(&challenger.id).map(|packed| &packed.rule).filter(|rule| rule.status == Status::Live)
}

fn compare<'a>(live: Option<&Rule>, challenger: &'a Rule, source: &Source, progress: &DayProgress) -> Compared<'a> {
    let mut compared = Compared {
        rule: &challenger.id,
        live: live.map(|live| live.version.to_string()),
        challenger: challenger.version.to_string(),
        live_findings: 0,
        challenger_findings: 0,
        both: 0,
        only_live: 0,
        only_challenger: 0,
        first_only_live: Vec::new(),
        first_only_challenger: Vec::new(),
    };
    for &(date, day) in &source.days {
        progress.tell(date);
        let find = |rule: &Rule| rule.detect(&source.dataset, day, &Settings::of(rule));
        let of_live = live.map(find).unwrap_or_default();
        compared.add(date, &of_live, &find(challenger));
        progress.advance();
    }
    compared
}

impl Compared<'_> {
    fn add(&mut self, day: NaiveDate, live: &[Finding], challenger: &[Finding]) {
        let Beside { both, only_live, only_challenger } = beside(&sightings(live), &sightings(challenger));
        self.live_findings += live.len();
        self.challenger_findings += challenger.len();
        self.both += both.len();
        self.only_live += only_live.len();
        self.only_challenger += only_challenger.len();
        show(&mut self.first_only_live, day, live, &only_live);
        show(&mut self.first_only_challenger, day, challenger, &only_challenger);
    }
}

fn sightings(findings: &[Finding]) -> Vec<Sighting<'_>> {
    let of = |finding| {
        let Finding { actor, payments, .. }: &Finding = finding;
        Sighting { subject: actor, payments: payments.iter().map(|payment| payment.leading()).collect() }
    };
    findings.iter().map(of).collect()
}

fn show(shown: &mut Vec<Shown>, day: NaiveDate, findings: &[Finding], places: &[usize]) {
    let room = SHOWN.saturating_sub(shown.len());
    shown.extend(places.iter().take(room).map(|&place| {
        let Finding { actor, payments, score, .. } = &findings[place];
        Shown { day, actor: actor.clone(), payments: payments.iter().map(|payment| payment.leading().to_owned()).collect(), score: *score }
    }));
}

fn print_table(compared: &[Compared<'_>]) {
    let heads = ["live finds", "challenger", "both", "only live", "only chall."].map(|head| format!("{head:>12}")).concat();
    print(&format!("{:<24}{:>10}{:>12}{heads}", "rule", "live", "challenger"));
    for row in compared {
        let numbers = [row.live_findings, row.challenger_findings, row.both, row.only_live, row.only_challenger].map(|count| format!("{count:>12}"));
        print(&format!("{:<24}{:>10}{:>12}{}", row.rule, row.live.as_deref().unwrap_or("none"), row.challenger, numbers.concat()));
    }
    for row in compared {
        let line = |sign: char, shown: &Shown| print(&format!("{sign} {} {} {} {:.2}", shown.day, row.rule, shown.actor, shown.score));
        row.first_only_live.iter().for_each(|shown| line('-', shown));
        row.first_only_challenger.iter().for_each(|shown| line('+', shown));
    }
}
