//! Rules that people add. A rule comes as the texts of its folder, with its tests, which must pass and be enough. What was added under a version is never
//! written again.

use std::collections::BTreeMap;

use cypher::statements::rows::LockedRule;
use cypher::{Reading, Value, WriteStatement, map, statements};
use detection::{Pack, Rule, Search};
use graph_schema::fault::Fault;
use serde_json::json;

use super::rule_set::{DETECTION_RULE, KnownRule, RuleSet, RuleSource, lint_faults};
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Caller, Error, IdempotencyKey, Once, Resolvers, Result, boxed};

/// The most files of a rule.
const MOST_FILES: usize = 500;
/// Bytes that its files may have together.
const MOST_BYTES: usize = 1 << 20;
/// Bytes of `rule.toml`, which each run reads.
const MOST_BYTES_OF_RULE: usize = 64 << 10;
/// The most versions that are kept: each run reads them.
const MOST_VERSIONS: usize = 500;
/// Faults that are told at once.
const MOST_TOLD: usize = 50;

/// A file of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFile {
    /// Such as `fan-in/rule.toml` or `fan-in/tests/positive-one-day.toml`.
    pub path: String,
    pub text: String,
}

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
        room_beside(&rules, &new)?;
        let (rule, version) = (new.rule.id.clone(), new.rule.version.to_string());
        let entry = inner.entry(&permit, DETECTION_RULE, &rule, "detection.rule_added");
        let entry = entry.with_new_value(json!({"ruleId": rule, "version": version, "rule": new.text}).to_string());
        let row = NewVersion { id: format!("{rule}@{version}"), by: caller.id.clone(), by_name: caller.name.clone(), new };
        let once = Once { key, body: &said };
        inner.answer_once(&permit, once, version.as_str(), &Amending::<AddVersion>::NEW, Write::new(row, entry)).await?;
        let rules = inner.rule_set(&permit, i64::MAX).await?;
        let known = rules.find(&rule, Some(&version)).cloned();
        known.ok_or_else(|| Error::Internal(format!("the rule {rule} {version} was added and is gone")))
    }
}

fn said(files: &[RuleFile]) -> String {
    let texts: BTreeMap<&str, &str> = files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    json!(texts).to_string()
}

/// A rule that was read, free of faults.
struct NewRule {
    rule: Rule,
    /// The text of `rule.toml`.
    text: String,
    /// The texts of its other files, by their paths, as JSON.
    tests: String,
}

/// Reads a rule and runs its tests.
fn read(files: Vec<RuleFile>) -> std::result::Result<NewRule, Vec<Fault>> {
    let bytes: usize = files.iter().map(|file| file.text.len() + file.path.len()).sum();
    if files.len() > MOST_FILES || bytes > MOST_BYTES {
        return Err(vec![Fault::new("files", format!("must be at most {MOST_FILES}, with {MOST_BYTES} bytes together"))]);
    }
    let mut texts = BTreeMap::new();
    for (place, RuleFile { path, text }) in files.into_iter().enumerate() {
        if texts.insert(path.clone(), text).is_some() {
            return Err(vec![Fault::new(format!("files[{place}].path"), format!("{path} stands there twice"))]);
        }
    }
    let pack = Pack::from_files(texts.clone()).map_err(|faults| told(&faults.0))?;
    let [packed] = pack.rules() else {
        return Err(vec![Fault::new("files", format!("must be those of one rule; they are those of {}", pack.rules().len()))]);
    };
    let rule = packed.rule.clone();
    if let Search::Statement(_) = rule.search {
        let says = "a statement is taken from the folder of the setting detection.rules alone: name a kernel in rule.toml";
        return Err(vec![Fault::new(format!("{}/rule.cypher", rule.id), says)]);
    }
    let faults = lint_faults(&pack);
    if !faults.is_empty() {
        return Err(told(&faults));
    }
    let text = texts.remove(&format!("{}/rule.toml", rule.id)).unwrap_or_default();
    if text.len() > MOST_BYTES_OF_RULE {
        return Err(vec![Fault::new(format!("{}/rule.toml", rule.id), format!("must be at most {MOST_BYTES_OF_RULE} bytes"))]);
    }
    Ok(NewRule { rule, text, tests: json!(texts).to_string() })
}

fn told(faults: &[detection::Fault]) -> Vec<Fault> {
    let told = |fault: &detection::Fault| {
        let says = if fault.place.is_empty() { fault.says.clone() } else { format!("{}: {}", fault.place, fault.says) };
        Fault::new(fault.file.clone(), says)
    };
    faults.iter().take(MOST_TOLD).map(told).collect()
}

/// That it can be added beside what is there.
fn room_beside(rules: &RuleSet, new: &NewRule) -> Result<()> {
    let NewRule { rule, .. } = new;
    let fault = |says: String| Err(Error::invalid(&format!("{}/rule.toml", rule.id), says));
    let version = rule.version.to_string();
    match rules.find(&rule.id, Some(&version)).map(|known| &known.source) {
        // Whether it is the same is seen under its lock.
        Some(RuleSource::Added { .. }) => return Ok(()),
        Some(_) => return fault(format!("version: {version} is there already, and is not written again; raise it")),
        None => {}
    }
    let added = rules.all().iter().filter(|known| matches!(known.source, RuleSource::Added { .. })).count();
    if added >= MOST_VERSIONS {
        return fault(format!("version: there are {added} versions that were added, as many as there may be"));
    }
    Ok(())
}

struct NewVersion {
    /// Rule and version.
    id: String,
    by: String,
    by_name: String,
    new: NewRule,
}

/// Adds a version of a rule, unless the same was added before.
struct AddVersion;

impl Amend for AddVersion {
    type Row = NewVersion;
    type Locked = LockedRule;
    type Stored = LockedRule;
    type Answer = ();

    const LOCK: Reading<LockedRule> = statements::detection::LOCK_RULE;
    const WRITE: WriteStatement = statements::detection::ADD_RULE;
    const RANK: Rank = Rank::Administration;

    fn id(row: &NewVersion) -> &str {
        &row.id
    }

    fn size(row: &NewVersion) -> usize {
        1_000 + 2 * row.new.text.len() + row.new.tests.len()
    }

    fn decide(row: &NewVersion, stored: Option<LockedRule>, decision: Decision<'_>) -> Result<Amended<()>> {
        let NewRule { rule, text, tests } = &row.new;
        let stored = stored.and_then(|stored| Some((stored.rule?, stored.tests.unwrap_or_default())));
        match stored {
            Some((former, former_tests)) if former == *text && former_tests == *tests => Ok(Amended::nothing(())),
            Some(_) => {
                let says = format!("version: {} was added with other files, and is not written again; raise it", rule.version);
                Err(Error::invalid(&format!("{}/rule.toml", rule.id), says))
            }
            None => Ok(Amended::by((), row_of(row, decision.now.millis()))),
        }
    }
}

fn row_of(NewVersion { id, by, by_name, new }: &NewVersion, now: i64) -> Value {
    let props = map([
        ("name", format!("{} {}", new.rule.name, new.rule.version).into()),
        ("ruleId", new.rule.id.as_str().into()),
        ("version", new.rule.version.to_string().into()),
        ("rule", new.text.as_str().into()),
        ("tests", new.tests.as_str().into()),
        ("addedAt", now.into()),
        ("addedBy", by.as_str().into()),
        ("addedByName", by_name.as_str().into()),
    ]);
    map([("id", id.as_str().into()), ("props", props)])
}
