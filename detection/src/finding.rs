//! Findings: what a rule tells about an actor on a day.

use analytics::PaymentIndex;
use serde::Serialize;

use crate::dataset::Dataset;
use crate::day::{Day, Window};
use crate::detect::Group;
use crate::evidence;
use crate::kernels::Scope;
use crate::matches::{Baseline, History, Match};
use crate::quantity::Quantity;
use crate::rule::{Compare, Rule, Score, Settings, Unit, Version};

mod text;

/// One finding. All is by ids, so that it outlives the dataset.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    pub rule: String,
    pub version: Version,
    /// The id of the actor that the alert is about.
    pub actor: String,
    /// The ids of all actors that have a part in the payments, in their order.
    pub actors: Vec<String>,
    /// All payments that were counted, in the order of time.
    pub payments: Vec<CitedPayment>,
    /// What was measured in the largest match, with the threshold that it passed.
    pub measures: Vec<Measured>,
    /// The baselines that the measures rest on; a replay is given them.
    pub history: Vec<Baseline>,
    /// The currency of the largest match.
    pub currency: String,
    pub window: Window,
    /// From 0 to 1.
    pub score: f64,
    /// How the score came about.
    pub score_reason: String,
    /// What an analyst can paste into a case.
    pub text: String,
}

/// A payment of a finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct CitedPayment {
    /// The ids of its records.
    pub outbound: Option<String>,
    pub inbound: Option<String>,
    /// Whether the rule does not fire without it, or whether it was counted beside.
    pub evidence: Evidence,
}

impl CitedPayment {
    /// The id that the payment is named by: the sender's record where there is one.
    pub fn leading(&self) -> &str {
        self.outbound.as_deref().or(self.inbound.as_deref()).unwrap_or_default()
    }
}

/// What a counted payment is for a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Evidence {
    /// One of a smallest set with which the rule fires.
    Necessary,
    /// Counted, and not needed.
    Supplementary,
}

/// A measure that passed a threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measured {
    pub parameter: String,
    pub measure: String,
    pub unit: Unit,
    pub value: Quantity,
    pub compare: Compare,
    pub threshold: Quantity,
}

impl Finding {
    /// Explains matches that were joined.
    pub(crate) fn of(rule: &Rule, dataset: &Dataset, day: Day, settings: &Settings, group: &Group<'_>) -> Self {
        let leading = group.leading;
        let necessary = necessary(rule, dataset, day, settings, leading);
        let measures = measured(rule, settings, leading);
        let (score, score_reason) = score(rule, &measures);
        let payments: Vec<CitedPayment> = group.payments.iter().map(|&payment| cited(dataset, payment, &necessary)).collect();
        let mut history: Vec<Baseline> =
            std::iter::once(leading).chain(group.others.iter().copied()).map(|found| Baseline::of(found, dataset)).collect();
        history.retain(|baseline| !baseline.values.is_empty());
        history.dedup();
        let mut finding = Self {
            rule: rule.id.clone(),
            version: rule.version,
            actor: dataset.actor(leading.actor).id.to_string(),
            actors: actors(dataset, group),
            payments,
            measures,
            history,
            currency: dataset.currency(leading.currency).to_owned(),
            window: leading.window,
            score,
            score_reason,
            text: String::new(),
        };
        finding.text = text::of(rule, dataset, group, &finding);
        finding
    }

    /// The payments of one kind of evidence.
    pub fn evidence(&self, evidence: Evidence) -> impl Iterator<Item = &CitedPayment> {
        self.payments.iter().filter(move |payment| payment.evidence == evidence)
    }
}

/// Whether a rule fires for an actor on a dataset that has the elements alone, with the baselines of a finding.
pub fn replays(rule: &Rule, elements: &Dataset, day: Day, settings: &Settings, actor: &str, history: &[Baseline]) -> bool {
    let scope = Scope { dataset: elements, day, settings, history: History::Given(history) };
    let matches = rule.search(&scope);
    matches.iter().any(|found| &*elements.actor(found.actor).id == actor && rule.decide(found, settings))
}

/// The payments of a match that the rule needs.
fn necessary(rule: &Rule, dataset: &Dataset, day: Day, settings: &Settings, leading: &Match) -> Vec<PaymentIndex> {
    let actor = &dataset.actor(leading.actor).id;
    let history = [Baseline::of(leading, dataset)];
    evidence::necessary(dataset, &leading.payments, |left| replays(rule, &dataset.subset(left), day, settings, actor, &history))
}

fn cited(dataset: &Dataset, payment: PaymentIndex, necessary: &[PaymentIndex]) -> CitedPayment {
    let evidence = match necessary.binary_search(&payment) {
        Ok(_) => Evidence::Necessary,
        Err(_) => Evidence::Supplementary,
    };
    let records = &dataset.payment(payment).records;
    CitedPayment { outbound: records.outbound().map(str::to_owned), inbound: records.inbound().map(str::to_owned), evidence }
}

fn actors(dataset: &Dataset, group: &Group<'_>) -> Vec<String> {
    let payments = group.payments.iter().map(|&payment| dataset.payment(payment));
    let parties = payments.flat_map(|payment| {
        let owner = |account| dataset.account(account).owner;
        [owner(payment.from), owner(payment.to), payment.sender, payment.receiver]
    });
    let mut actors: Vec<_> = parties.flatten().chain([group.leading.actor]).collect();
    actors.sort_unstable();
    actors.dedup();
    actors.into_iter().map(|actor| dataset.actor(actor).id.to_string()).collect()
}

fn measured(rule: &Rule, settings: &Settings, found: &Match) -> Vec<Measured> {
    let measured = |(name, parameter, threshold): (&str, &crate::rule::Parameter, &crate::rule::Threshold)| Measured {
        parameter: name.to_owned(),
        measure: threshold.measure.clone(),
        unit: parameter.unit,
        value: found.measures.get(threshold.measure.as_str()).copied().unwrap_or_default(),
        compare: threshold.compare,
        threshold: settings.value(name),
    };
    rule.thresholds().map(measured).collect()
}

/// The score of what was measured, and how it came about.
fn score(rule: &Rule, measures: &[Measured]) -> (f64, String) {
    let Score { base, full } = &rule.score;
    let base = base.to_f64();
    let mut reason = format!("{base:.2} because all thresholds are passed");
    let parts: Vec<(&Measured, Quantity)> = measures.iter().filter_map(|measured| Some((measured, *full.get(&measured.parameter)?))).collect();
    let mut score = base;
    for (measured, full) in &parts {
        let part = part(measured, *full) * (1.0 - base) / parts.len() as f64;
        score += part;
        let Measured { measure, value, threshold, .. } = measured;
        reason.push_str(&format!("; {part:.2} for {} {}, on the way from {threshold} to {full}", text::measure_words(measure), text::short(*value)));
    }
    // Two decimals are what is told; more would pretend to be exact.
    let score = (score.clamp(0.0, 1.0) * 100.0).round() / 100.0;
    (score, format!("{score:.2}: {reason}."))
}

/// How far a measure went from its threshold to the value at which its part is complete; from 0 to 1.
fn part(measured: &Measured, full: Quantity) -> f64 {
    let (from, to, value) = (measured.threshold.to_f64(), full.to_f64(), measured.value.to_f64());
    // A threshold that was set beyond the full value is passed by whatever passes it.
    let is_beyond = match measured.compare {
        Compare::AtLeast | Compare::MoreThan => from >= to,
        Compare::AtMost | Compare::LessThan => from <= to,
    };
    if is_beyond { 1.0 } else { ((value - from) / (to - from)).clamp(0.0, 1.0) }
}
