//! Rules are switched and tuned by those who answer for them. Each word is kept for itself, with who, when and why; the latest that says something counts.

use std::collections::BTreeMap;

use cypher::statements::rows::TuningRow;
use cypher::{map, statements};
use detection::{InvalidSetting, Quantity, Rule, Settings, Status};
use graph_schema::date::Timestamp;
use graph_schema::fault::Fault;
use serde_json::json;

use super::rule_set::{DETECTION_RULE, KnownRule, RuleSet};
use crate::policy::{Action, Subject};
use crate::queue::{Put, Rank, Write};
use crate::reason::reason_fault;
use crate::{Caller, Error, IdempotencyKey, Once, Resolvers, Result, boxed};

/// What was said of a rule once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuning {
    pub id: String,
    /// The rule's id.
    pub rule: String,
    /// The version whose parameters they are.
    pub version: String,
    /// The versions whose status it is.
    pub versions: Vec<String>,
    /// Nothing where it leaves that as it was.
    pub status: Option<Status>,
    /// Values by the names of parameters; nothing for one that has its default again. Others stay as they were.
    pub parameters: BTreeMap<String, Option<Quantity>>,
    pub reason: String,
    pub at: Timestamp,
    pub by: String,
    pub by_name: String,
}

impl Tuning {
    /// As it is kept.
    pub(super) fn read(row: TuningRow) -> Result<Self> {
        let TuningRow { id, rule_id, version, versions, status, parameters, reason, tuned_at, tuned_by, tuned_by_name } = row;
        let unreadable = |error: String| Error::Internal(format!("the tuning {id} is not readable: {error}"));
        let parameters = serde_json::from_str(&parameters).map_err(|error| unreadable(error.to_string()))?;
        let status = match status {
            Some(word) => Some(status_of(&word).ok_or_else(|| unreadable(format!("{word:?} is no status")))?),
            None => None,
        };
        let (at, by, by_name) = (Timestamp(tuned_at), tuned_by, tuned_by_name);
        Ok(Self { id: id.clone(), rule: rule_id, version, versions, status, parameters, reason, at, by, by_name })
    }

    fn is_of(&self, rule: &Rule) -> bool {
        let version = rule.version.to_string();
        self.rule == rule.id && (self.version == version || self.versions.contains(&version))
    }
}

fn word_of(status: Status) -> &'static str {
    match status {
        Status::Live => "LIVE",
        Status::Shadow => "SHADOW",
        Status::Off => "OFF",
    }
}

fn status_of(word: &str) -> Option<Status> {
    [Status::Live, Status::Shadow, Status::Off].into_iter().find(|status| word_of(*status) == word)
}

/// What tunings, the earliest first, have made of a version of a rule: status, values, and which of them it was, the latest first.
pub(super) fn tuned(rule: &Rule, tunings: &[Tuning]) -> Result<(Status, Settings, Vec<Tuning>)> {
    let (mut status, mut settings, version) = (rule.status, Settings::of(rule), rule.version.to_string());
    let mut of_rule: Vec<Tuning> = Vec::new();
    for tuning in tunings.iter().filter(|tuning| tuning.is_of(rule)) {
        if tuning.versions.contains(&version) {
            status = tuning.status.unwrap_or(status);
        }
        if tuning.version == version {
            for (name, value) in &tuning.parameters {
                let default = rule.parameters.get(name).map(|parameter| parameter.default);
                let value = value.or(default).unwrap_or_default();
                settings.set(rule, name, value).map_err(|fault| unfit(rule, &fault))?;
            }
        }
        of_rule.push(tuning.clone());
    }
    of_rule.reverse();
    Ok((status, settings, of_rule))
}

/// A version that says otherwise than it did when it was tuned: its values of then are not to be dropped without a word.
fn unfit(rule: &Rule, fault: &InvalidSetting) -> Error {
    let told = format!("{} {} is not what it was when it was tuned ({fault}): a version is never changed; raise it", rule.id, rule.version);
    Error::Misconfigured(told)
}

/// What is to be said of a rule.
#[derive(Debug, Clone)]
pub struct TuneRule {
    /// Its id.
    pub rule: String,
    /// Without one it is of the version that counts; `OFF` is then of all versions that are there.
    pub version: Option<String>,
    pub status: Option<Status>,
    /// Values by the names of parameters, as decimal texts; nothing for the default.
    pub parameters: Vec<(String, Option<String>)>,
    pub reason: String,
}

impl Resolvers {
    /// Switches a rule, sets values of its parameters, or both. Answers with the version that it was of, as it is now. All faults are told at once.
    #[boxed]
    pub async fn tune_rule(&self, caller: &Caller, wanted: TuneRule, key: Option<IdempotencyKey>) -> Result<KnownRule> {
        let inner = &self.inner;
        let action = if wanted.status == Some(Status::Live) { Action::PublishRules } else { Action::TuneRules };
        let permit = inner.enter(caller, action, Subject::One(DETECTION_RULE, &wanted.rule))?;
        let rules = inner.rule_set(&permit, i64::MAX).await?;
        let (known, parameters) = checked(&rules, &wanted).map_err(Error::Invalid)?;
        let version = known.rule.version.to_string();
        let versions: Vec<String> = match (wanted.status, &wanted.version) {
            (Some(Status::Off), None) => rules.versions(&wanted.rule).map(|known| known.rule.version.to_string()).collect(),
            (Some(_), _) => vec![version.clone()],
            (None, _) => Vec::new(),
        };
        let (id, status) = (inner.clock.id(), wanted.status.map(word_of));
        let said = |version: Option<&str>| {
            json!({"ruleId": wanted.rule, "version": version, "status": status, "parameters": parameters, "reason": wanted.reason}).to_string()
        };
        // A key stands for what was asked, whichever version counts by then.
        let (asked, said) = (said(wanted.version.as_deref()), said(Some(&version)));
        let parameters = serde_json::to_string(&parameters).map_err(|error| Error::Internal(error.to_string()))?;
        let entry = inner.entry(&permit, DETECTION_RULE, &wanted.rule, "detection.rule_tuned");
        let entry = entry.with_new_value(said);
        let props = map([
            ("name", format!("{} {version}", wanted.rule).into()),
            ("ruleId", wanted.rule.as_str().into()),
            ("version", version.as_str().into()),
            ("versions", versions.into()),
            ("status", status.into()),
            ("parameters", parameters.into()),
            ("reason", wanted.reason.as_str().into()),
            ("tunedAt", inner.clock.now().millis().into()),
            ("tunedBy", caller.id.as_str().into()),
            ("tunedByName", caller.name.as_str().into()),
        ]);
        let write = Write::new(map([("id", id.as_str().into()), ("props", props)]), entry);
        let version = inner.answer_once(&permit, Once { key, body: &asked }, version.as_str(), &TUNE, write).await?.text;
        let rules = inner.rule_set(&permit, i64::MAX).await?;
        let known = rules.find(&wanted.rule, Some(&version)).cloned();
        known.ok_or_else(|| Error::Internal(format!("the rule {} {version} was tuned and is gone", wanted.rule)))
    }
}

static TUNE: Put = Put::of(statements::detection::TUNE, Rank::Administration);

type Values = BTreeMap<String, Option<Quantity>>;

/// The version that is meant, and the values.
fn checked<'a>(rules: &'a RuleSet, wanted: &TuneRule) -> std::result::Result<(&'a KnownRule, Values), Vec<Fault>> {
    let mut faults: Vec<Fault> = reason_fault(&wanted.reason).into_iter().collect();
    if wanted.status.is_none() && wanted.parameters.is_empty() {
        faults.push(Fault::new("status", "must be there where no parameters are: there is nothing to change"));
    }
    let known = rules.find(&wanted.rule, wanted.version.as_deref());
    let Some(known) = known else {
        let versions: Vec<String> = rules.versions(&wanted.rule).map(|known| known.rule.version.to_string()).collect();
        faults.push(match versions.as_slice() {
            [] => Fault::new("ruleId", "must be the id of a rule"),
            _ => Fault::new("version", format!("must be a version of the rule: {}", versions.join(", "))),
        });
        return Err(faults);
    };
    let mut values = Values::new();
    for (place, (name, text)) in wanted.parameters.iter().enumerate() {
        match value(&known.rule, name, text.as_deref()) {
            Ok(_) if values.contains_key(name) => faults.push(Fault::new(format!("parameters[{place}].name"), format!("{name} stands there twice"))),
            Ok(value) => drop(values.insert(name.clone(), value)),
            Err((field, says)) => faults.push(Fault::new(format!("parameters[{place}].{field}"), says)),
        }
    }
    if faults.is_empty() { Ok((known, values)) } else { Err(faults) }
}

/// A value that a parameter may have; nothing for the default. Else which field is wrong, and why.
fn value(rule: &Rule, name: &str, text: Option<&str>) -> std::result::Result<Option<Quantity>, (&'static str, String)> {
    let Some(parameter) = rule.parameters.get(name) else {
        let known: Vec<&str> = rule.parameters.keys().map(String::as_str).collect();
        return Err(("name", format!("must be a parameter of the rule: {}", known.join(", "))));
    };
    let Some(text) = text else { return Ok(None) };
    let (min, max, step, unit) = (parameter.min, parameter.max, parameter.step, parameter.unit.word());
    let Ok(value) = text.parse::<Quantity>() else { return Err(("value", "must be a decimal number, such as 0.75".to_owned())) };
    if !(min..=max).contains(&value) {
        return Err(("value", format!("must be from {min} to {max} {unit}")));
    }
    if !parameter.is_on_a_step(value) {
        return Err(("value", format!("must be a whole number of steps of {step} from {}, the default", parameter.default)));
    }
    Ok(Some(value))
}

#[cfg(test)]
mod tests;
