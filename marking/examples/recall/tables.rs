//! What is printed.

use std::collections::BTreeMap;

use sample::typologies::{PaymentId, Typology};

use crate::RuleRun;
use crate::bank::Bank;
use crate::judge::{OfRule, OfTypology, Story, Verdict};

/// How many wrong findings of a rule are shown as examples.
const EXAMPLES: usize = 3;

/// Prints the tables of all networks together.
pub fn print(seeds: &[String], verdicts: &[Verdict]) {
    let mut typologies: BTreeMap<Typology, OfTypology> = BTreeMap::new();
    let mut rules: BTreeMap<&str, OfRule> = BTreeMap::new();
    for verdict in verdicts {
        for (&typology, one) in &verdict.typologies {
            let sum = typologies.entry(typology).or_default();
            sum.planted += one.planted;
            sum.found += one.found;
            sum.by_own_rule += one.by_own_rule;
        }
        for (rule, one) in &verdict.rules {
            let sum = rules.entry(rule).or_default();
            sum.status.clone_from(&one.status);
            sum.findings += one.findings;
            sum.right += one.right;
            sum.own += one.own;
            sum.seconds += one.seconds;
            sum.replayed += one.replayed;
            sum.replays += one.replays;
        }
    }
    println!("Seeds {}.\n", seeds.join(", "));
    println!("| typology | planted | found | recall | by its own rule | findings of its rule | right | precision |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for (typology, OfTypology { planted, found, by_own_rule }) in &typologies {
        let rule = rules.get(typology.name()).cloned().unwrap_or_default();
        let (recall, precision) = (share(*found, *planted), share(rule.right, rule.findings));
        println!("| {} | {planted} | {found} | {recall} | {by_own_rule} | {} | {} | {precision} |", typology.name(), rule.findings, rule.right);
    }
    println!("\n| rule | status | findings | right | precision | of its own typology | seconds | each day's findings that were replayed | replays |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for (rule, OfRule { status, findings, right, own, seconds, replayed, replays }) in &rules {
        let precision = share(*right, *findings);
        println!("| {rule} | {status} | {findings} | {right} | {precision} | {own} | {seconds:.1} | {replayed} | {replays} |");
    }
    let live = || rules.values().filter(|rule| rule.status == "live");
    let (findings, right): (usize, usize) = (live().map(|rule| rule.findings).sum(), live().map(|rule| rule.right).sum());
    println!("\nAll live rules: {findings} findings, {right} right, precision {}.", share(right, findings));
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.3}", part as f64 / whole as f64) }
}

/// Prints the cases that were missed, and the innocent events that wrong findings are about.
pub fn print_reasons(seed: u64, bank: &Bank, runs: &[RuleRun<'_>], verdict: &Verdict) {
    println!("## Seed {seed}\n");
    for (title, missed) in [("Missed by all live rules", &verdict.missed), ("Missed by their own rule", &verdict.missed_by_own_rule)] {
        println!("{title}:");
        for &place in missed {
            let planted = &bank.network.planted[place];
            let payments: Vec<_> = planted.payments.iter().map(|id| &bank.network.payments[id.0 as usize]).collect();
            let (first, currency) = (payments[0].at, payments[0].currency.code());
            let hops: Vec<String> = payments
                .iter()
                .take(24)
                .map(|payment| format!("{}→{} {} +{}h", payment.from.0, payment.to.0, payment.amount, (payment.at - first) / 3_600_000))
                .collect();
            let focal: Vec<String> = planted.focal.iter().take(4).map(ToString::to_string).collect();
            println!(
                "- {} case {place}, {} to {}, {} payments, {currency}, focal {}: {}",
                planted.typology.name(),
                planted.first_day,
                planted.last_day,
                payments.len(),
                focal.join(" "),
                hops.join(", ")
            );
        }
    }
    for run in runs {
        print_wrong(bank, run);
    }
}

fn print_wrong(bank: &Bank, run: &RuleRun<'_>) {
    let planted = |story: &&Story| bank.network.planted.iter().any(|planted| planted.payments.iter().any(|payment| story.payments.contains(payment)));
    let wrong: Vec<&Story> = run.stories.iter().filter(|story| !planted(story)).collect();
    if wrong.is_empty() {
        return;
    }
    let mut kinds: BTreeMap<PaymentId, String> = BTreeMap::new();
    for look_alike in &bank.network.look_alikes {
        kinds.extend(look_alike.payments.iter().map(|&payment| (payment, format!("{:?}", look_alike.kind))));
    }
    let mut about: BTreeMap<&str, usize> = BTreeMap::new();
    for story in &wrong {
        // What most of its payments are.
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        for payment in &story.payments {
            *votes.entry(kinds.get(payment).map_or("ordinary", String::as_str)).or_default() += 1;
        }
        if let Some((kind, _)) = votes.into_iter().max_by_key(|&(_, votes)| votes) {
            *about.entry(kind).or_default() += 1;
        }
    }
    println!("\nWrong findings of {}: {}, about {about:?}", run.rule.id, wrong.len());
    for story in wrong.iter().step_by((wrong.len() / EXAMPLES).max(1)).take(EXAMPLES) {
        println!("- {} payments, {} actors, score {:.2}: {}", story.payments.len(), story.actors.len(), story.score, story.text.replace('\n', " "));
    }
}
