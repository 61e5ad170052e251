//! Risk rules that people add, as [`crate::rule_adding`] says.

use cypher::statements::rows::LockedRule;
use cypher::{Reading, WriteStatement, statements};
use graph_schema::fault::Fault;
use risk::{Pack, RiskRule, lint};

use super::rule_set::{KnownRiskRule, RISK_RULE};
use super::rules::overwriting;
use crate::policy::{Action, Subject};
use crate::queue::Amending;
use crate::rule_adding::{AddVersion, AddedRules, KnownVersion, NewRule, RuleFile, said, texts_of, the_one, told};
use crate::{Caller, Error, IdempotencyKey, Resolvers, Result, boxed};

impl Resolvers {
    /// Adds a version of a risk rule. The same again changes nothing; other files under the same version are refused. All faults are told at once, up to fifty.
    #[boxed]
    pub async fn add_risk_rule(&self, caller: &Caller, files: Vec<RuleFile>, key: Option<IdempotencyKey>) -> Result<KnownRiskRule> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::PublishRules, Subject::List(RISK_RULE))?;
        let said = said(&files);
        // Each weight and each rating is tried with all tests, which keeps a processor busy.
        let read = tokio::task::spawn_blocking(move || read(files)).await.map_err(|error| Error::Internal(error.to_string()))?;
        let (rule, new) = read.map_err(Error::Invalid)?;
        let rules = inner.tuned_risk_rules(&permit, i64::MAX).await?;
        let (known, added) = rules.beside(&rule);
        new.check_room(known, added)?;
        if let Some(fault) = rules.fault_with(&rule).filter(|_| known == KnownVersion::Absent) {
            return Err(new.refused(fault));
        }
        let version = new.version.clone();
        inner.keep_version(&permit, &Amending::<AddVersion<Added>>::NEW, new, (&said, key)).await?;
        let rules = inner.tuned_risk_rules(&permit, i64::MAX).await?;
        let known = rules.find(&rule.id, Some(&version)).cloned();
        known.ok_or_else(|| Error::Internal(format!("the risk rule {} was added and is gone", rule.key())))
    }
}

/// Risk rules that people have added.
struct Added;

impl AddedRules for Added {
    const LABEL: &'static str = RISK_RULE;
    const ACTION: &'static str = "risk.rule_added";
    const LOCK: Reading<LockedRule> = statements::risk::LOCK_RULE;
    const ADD: WriteStatement = statements::risk::ADD_RULE;
}

/// Reads a rule and runs its tests.
fn read(files: Vec<RuleFile>) -> std::result::Result<(RiskRule, NewRule), Vec<Fault>> {
    let texts = texts_of(files)?;
    let pack = Pack::from_files(texts.clone()).map_err(|faults| told(&faults.0))?;
    let rule = the_one(pack.rules())?.rule.clone();
    let of_tests = lint(&pack).rules.into_iter().flat_map(|rule| rule.faults);
    let faults: Vec<detection::Fault> = overwriting(&rule).into_iter().chain(of_tests).collect();
    if !faults.is_empty() {
        return Err(told(&faults));
    }
    let new = NewRule::of(&rule.id, rule.version, &rule.name, texts)?;
    Ok((rule, new))
}
