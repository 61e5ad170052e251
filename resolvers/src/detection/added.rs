//! Rules that people add, as [`crate::rule_adding`] says.

use cypher::statements::rows::LockedRule;
use cypher::{Reading, WriteStatement, statements};
use detection::{Pack, Search};
use graph_schema::fault::Fault;

use super::rule_set::{DETECTION_RULE, KnownRule, RuleSet, RuleSource, lint_faults};
use crate::policy::{Action, Subject};
use crate::queue::Amending;
pub use crate::rule_adding::RuleFile;
use crate::rule_adding::{AddVersion, AddedRules, KnownVersion, NewRule, said, texts_of, the_one, told};
use crate::{Caller, Error, IdempotencyKey, Resolvers, Result, boxed};

impl Resolvers {
    /// Adds a version of a rule. The same again changes nothing; other files under the same version are refused. All faults are told at once, up to fifty.
    #[boxed]
    pub async fn add_rule(&self, caller: &Caller, files: Vec<RuleFile>, key: Option<IdempotencyKey>) -> Result<KnownRule> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::PublishRules, Subject::List(DETECTION_RULE))?;
        let said = said(&files);
        // Tests are searches, and keep a processor busy.
        let read = tokio::task::spawn_blocking(move || read(files)).await.map_err(|error| Error::Internal(error.to_string()))?;
        let new = read.map_err(Error::Invalid)?;
        let rules = inner.rule_set(&permit, i64::MAX).await?;
        let (known, added) = beside(&rules, &new);
        new.check_room(known, added)?;
        let (rule, version) = (new.id.clone(), new.version.clone());
        inner.keep_version(&permit, &Amending::<AddVersion<Added>>::NEW, new, (&said, key)).await?;
        let rules = inner.rule_set(&permit, i64::MAX).await?;
        let known = rules.find(&rule, Some(&version)).cloned();
        known.ok_or_else(|| Error::Internal(format!("the rule {rule} {version} was added and is gone")))
    }
}

/// Rules of detection that people have added.
struct Added;

impl AddedRules for Added {
    const LABEL: &'static str = DETECTION_RULE;
    const ACTION: &'static str = "detection.rule_added";
    const LOCK: Reading<LockedRule> = statements::detection::LOCK_RULE;
    const ADD: WriteStatement = statements::detection::ADD_RULE;
}

/// Reads a rule and runs its tests.
fn read(files: Vec<RuleFile>) -> std::result::Result<NewRule, Vec<Fault>> {
    let texts = texts_of(files)?;
    let pack = Pack::from_files(texts.clone()).map_err(|faults| told(&faults.0))?;
    let rule = &the_one(pack.rules())?.rule;
    if let Search::Statement(_) = rule.search {
        let says = "a statement is taken from the folder of the setting detection.rules alone: name a kernel in rule.toml";
        return Err(vec![Fault::new(format!("{}/rule.cypher", rule.id), says)]);
    }
    let faults = lint_faults(&pack);
    if faults.is_empty() { NewRule::of(&rule.id, rule.version, &rule.name, texts) } else { Err(told(&faults)) }
}

/// What is known of its version, and how many were added.
fn beside(rules: &RuleSet, new: &NewRule) -> (KnownVersion, usize) {
    let known = match rules.find(&new.id, Some(&new.version)).map(|known| &known.source) {
        Some(RuleSource::Added { .. }) => KnownVersion::Added,
        Some(_) => KnownVersion::OfProgramOrFolder,
        None => KnownVersion::Absent,
    };
    (known, rules.all().iter().filter(|known| matches!(known.source, RuleSource::Added { .. })).count())
}
