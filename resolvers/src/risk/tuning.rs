//! Risk rules are switched, and their weights set, by those who answer for them, as [`crate::rule_tuning`] says.

use cypher::statements;
use detection::Status;
use graph_schema::fault::Fault;
use risk::RiskRule;

use super::rule_set::{KnownRiskRule, RISK_RULE, RiskRuleSet};
use crate::policy::{Action, Subject};
use crate::queue::{Put, Rank};
use crate::rule_tuning::{InputNames, InvalidField, Meant, ReadValue, TuneRule, TunedRules, read_number};
use crate::{Caller, Error, IdempotencyKey, Resolvers, Result, boxed};

impl Resolvers {
    /// Switches a risk rule, sets weights of its factors, or both. Answers with the rule as it is now. All faults are told at once.
    #[boxed]
    pub async fn tune_risk_rule(&self, caller: &Caller, wanted: TuneRule, key: Option<IdempotencyKey>) -> Result<KnownRiskRule> {
        let inner = &self.inner;
        let action = if wanted.status == Some(Status::Live) { Action::PublishRules } else { Action::TuneRules };
        let permit = inner.enter(caller, action, Subject::One(RISK_RULE, &wanted.rule))?;
        let rules = inner.tuned_risk_rules(&permit, i64::MAX).await?;
        let meant = checked(&rules, &wanted).map_err(Error::Invalid)?;
        let version = inner.keep_tuning(&permit, &RULES, (&wanted, meant), key).await?;
        let rules = inner.tuned_risk_rules(&permit, i64::MAX).await?;
        // A key that is used again may be older than the version that is there now.
        let known = rules.find(&wanted.rule, Some(&version)).or_else(|| rules.find(&wanted.rule, None)).cloned();
        known.ok_or_else(|| Error::Internal(format!("the risk rule {} {version} was tuned and is gone", wanted.rule)))
    }
}

static TUNE: Put = Put::of(statements::risk::TUNE, Rank::Administration);
static RULES: TunedRules = TunedRules { label: RISK_RULE, action: "risk.rule_tuned", put: &TUNE };
static INPUT: InputNames = InputNames { list: "weights", name: "factor" };

/// The version that is meant, whose status it is, and the weights.
pub fn checked(rules: &RiskRuleSet, wanted: &TuneRule) -> std::result::Result<Meant, Vec<Fault>> {
    let mut faults = wanted.faults(&INPUT);
    let Some(known) = rules.find(&wanted.rule, wanted.version.as_deref()) else {
        faults.push(rules.not_there(&wanted.rule));
        return Err(faults);
    };
    let values = wanted.values(&INPUT, &mut faults, |name, text| weight(&known.written, name, text));
    let version = known.rule.version.to_string();
    let versions = match (wanted.status, &wanted.version) {
        (Some(Status::Off), None) => rules.versions(&wanted.rule),
        (Some(_), _) => vec![version.clone()],
        (None, _) => Vec::new(),
    };
    let fault = wanted.status.and_then(|status| rules.fault_after(&wanted.rule, &versions, status));
    faults.extend(fault.map(|says| Fault::new("status", says)));
    if faults.is_empty() { Ok(Meant { version, versions, values }) } else { Err(faults) }
}

/// A weight that a factor may have; nothing for the one in its file.
fn weight(rule: &RiskRule, name: &str, text: Option<&str>) -> ReadValue {
    rule.factor(name).map_err(|fault| (InvalidField::Name, fault.must()))?;
    let Some(weight) = read_number(text)? else { return Ok(None) };
    rule.check(name, weight).map_err(|fault| (InvalidField::Value, fault.must()))?;
    Ok(Some(weight))
}
