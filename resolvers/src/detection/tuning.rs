//! Rules are switched and tuned by those who answer for them, as [`crate::rule_tuning`] says.

use cypher::statements;
use detection::{InvalidSetting, Rule, Settings, Status};
use graph_schema::fault::Fault;

use super::rule_set::{DETECTION_RULE, KnownRule, RuleSet};
use crate::policy::{Action, Subject};
use crate::queue::{Put, Rank};
use crate::rule_tuning::{InputNames, InvalidField, Meant, ReadValue, TunedRules, Values, read_number};
pub use crate::rule_tuning::{TuneRule, Tuning};
use crate::{Caller, Error, IdempotencyKey, Resolvers, Result, boxed};

/// What tunings, the earliest first, have made of a version of a rule: status, values, and which of them it was, the latest first.
pub(super) fn tuned(rule: &Rule, tunings: &[Tuning]) -> Result<(Status, Settings, Vec<Tuning>)> {
    let (mut status, mut settings) = (rule.status, Settings::of(rule));
    let mut of_rule: Vec<Tuning> = Vec::new();
    for tuning in tunings.iter().filter(|tuning| tuning.is_of(&rule.id, rule.version)) {
        status = tuning.switches(rule.version).unwrap_or(status);
        if tuning.sets_values_of(rule.version) {
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

impl Resolvers {
    /// Switches a rule, sets values of its parameters, or both. Answers with the version that it was of, as it is now. All faults are told at once.
    #[boxed]
    pub async fn tune_rule(&self, caller: &Caller, wanted: TuneRule, key: Option<IdempotencyKey>) -> Result<KnownRule> {
        let inner = &self.inner;
        let action = if wanted.status == Some(Status::Live) { Action::PublishRules } else { Action::TuneRules };
        let permit = inner.enter(caller, action, Subject::One(DETECTION_RULE, &wanted.rule))?;
        let rules = inner.rule_set(&permit, i64::MAX).await?;
        let (known, values) = checked(&rules, &wanted).map_err(Error::Invalid)?;
        let version = known.rule.version.to_string();
        let versions: Vec<String> = match (wanted.status, &wanted.version) {
            (Some(Status::Off), None) => rules.versions(&wanted.rule).map(|known| known.rule.version.to_string()).collect(),
            (Some(_), _) => vec![version.clone()],
            (None, _) => Vec::new(),
        };
        let version = inner.keep_tuning(&permit, &RULES, (&wanted, Meant { version, versions, values }), key).await?;
        let rules = inner.rule_set(&permit, i64::MAX).await?;
        let known = rules.find(&wanted.rule, Some(&version)).cloned();
        known.ok_or_else(|| Error::Internal(format!("the rule {} {version} was tuned and is gone", wanted.rule)))
    }
}

static TUNE: Put = Put::of(statements::detection::TUNE, Rank::Administration);
static RULES: TunedRules = TunedRules { label: DETECTION_RULE, action: "detection.rule_tuned", put: &TUNE };
static INPUT: InputNames = InputNames { list: "parameters", name: "name" };

/// The version that is meant, and the values.
pub fn checked<'a>(rules: &'a RuleSet, wanted: &TuneRule) -> std::result::Result<(&'a KnownRule, Values), Vec<Fault>> {
    let mut faults = wanted.faults(&INPUT);
    let Some(known) = rules.find(&wanted.rule, wanted.version.as_deref()) else {
        faults.push(rules.not_there(&wanted.rule));
        return Err(faults);
    };
    let values = wanted.values(&INPUT, &mut faults, |name, text| value(&known.rule, name, text));
    if faults.is_empty() { Ok((known, values)) } else { Err(faults) }
}

/// A value that a parameter may have; nothing for the default.
fn value(rule: &Rule, name: &str, text: Option<&str>) -> ReadValue {
    rule.parameter(name).map_err(|fault| (InvalidField::Name, fault.must()))?;
    let Some(value) = read_number(text)? else { return Ok(None) };
    rule.check(name, value).map_err(|fault| (InvalidField::Value, fault.must()))?;
    Ok(Some(value))
}
