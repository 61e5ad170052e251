//! The text of a finding: sentences that an analyst can paste into a case.

use std::fmt::Write;

use analytics::{Amount, Timestamp};
use chrono::{DateTime, Utc};

use super::{Evidence, Finding, Measured};
use crate::dataset::Dataset;
use crate::detect::Group;
use crate::quantity::Quantity;
use crate::rule::{Rule, Unit};

/// The most payments that are named one by one.
const NAMED: usize = 20;

/// The text of a finding.
pub(super) fn of(rule: &Rule, dataset: &Dataset, group: &Group<'_>, finding: &Finding) -> String {
    let mut text = format!("{} (rule {} {}). Actor {}.", rule.name, rule.id, rule.version, finding.actor);
    let sum: Amount = group.payments.iter().map(|&payment| dataset.payment(payment).amount).sum();
    let times = || group.payments.iter().map(|&payment| dataset.payment(payment).at);
    if let (Some(first), Some(last)) = (times().min(), times().max()) {
        let (count, currency) = (group.payments.len(), &finding.currency);
        let payments = if count == 1 { "payment" } else { "payments" };
        // A text takes whatever is written.
        let _ = write!(text, " {count} {payments} of {sum} {currency} in total from {} to {} (UTC).", time(first), time(last));
    }
    let measures: Vec<String> = finding.measures.iter().map(|measured| measure(measured, &finding.currency)).collect();
    let _ = write!(text, "\nMeasured: {}.", measures.join("; "));
    for baseline in &finding.history {
        // What a measure says already is not said again.
        let is_told = |name: &str, value: Quantity| finding.measures.iter().any(|measured| measured.measure == name && measured.value == value);
        let values = baseline.values.iter().filter(|(name, value)| !is_told(name, **value));
        let values: Vec<String> = values.map(|(name, value)| format!("{} {}", baseline_words(name), short(*value))).collect();
        if !values.is_empty() {
            let _ = write!(text, "\nBaseline of {}: {}.", baseline.anchor, values.join("; "));
        }
    }
    let necessary: Vec<&str> = finding.evidence(Evidence::Necessary).map(super::CitedPayment::leading).collect();
    let named = necessary.len().min(NAMED);
    let _ = write!(text, "\nNecessary payments: {}", necessary[..named].join(", "));
    if necessary.len() > named {
        let _ = write!(text, ", and {} more", necessary.len() - named);
    }
    let _ = write!(text, ". Score {}", finding.score_reason);
    text
}

fn measure(measured: &Measured, currency: &str) -> String {
    let Measured { measure, unit, value, compare, threshold, .. } = measured;
    let unit = match unit {
        Unit::Amount => format!(" {currency}"),
        Unit::Share | Unit::Times => String::new(),
        unit if unit.word() == measure => String::new(),
        unit => format!(" {}", unit.word()),
    };
    format!("{} {}{unit} (limit: {} {threshold})", measure_words(measure), short(*value), compare.words())
}

/// A number with two decimals at most, the rest cut off: so it never seems to pass a limit that it does not.
pub(super) fn short(value: Quantity) -> String {
    let text = value.to_string();
    match text.split_once('.') {
        Some((units, decimals)) if decimals.len() > 2 => format!("{units}.{}", &decimals[..2]),
        _ => text,
    }
}

/// A name of a measure as words that no baseline has. A rule that is a statement has names of its own.
pub(super) fn measure_words(name: &str) -> String {
    match name {
        "times_highest" => "multiple of the highest in the history".to_owned(),
        "payments_times" => "multiple of the most payments in the history".to_owned(),
        "amount_times" => "multiple of the highest amount in the history".to_owned(),
        "repeats_business" => "payments of a business with each counterparty".to_owned(),
        "observed" => "observation".to_owned(),
        "observed_business" => "observation that counts".to_owned(),
        name => name.replace('_', " "),
    }
}

/// A name of a baseline as words that no measure has.
fn baseline_words(name: &str) -> String {
    match name {
        "highest" => "highest in the history".to_owned(),
        "highest_payments" => "most payments in the history".to_owned(),
        "highest_amount" => "highest amount in the history".to_owned(),
        "observed" => "days observed before the window".to_owned(),
        "observed_business" => "days that count as observed by the owner's kind".to_owned(),
        name => name.replace('_', " "),
    }
}

fn time(at: Timestamp) -> String {
    DateTime::<Utc>::from_timestamp_millis(at.millis()).map_or_else(|| at.millis().to_string(), |at| at.format("%Y-%m-%d %H:%M").to_string())
}
