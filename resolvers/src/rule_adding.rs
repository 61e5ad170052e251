//! How rules are added by those who answer for them, whether they look for patterns or score actors. A rule comes as the texts of its folder, with its tests,
//! which must pass and be enough. What was added under a version is never written again. How a rule is read is known to its own area.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use cypher::statements::rows::LockedRule;
use cypher::{Reading, Value, WriteStatement, map};
use detection::Version;
use graph_schema::fault::Fault;
use serde_json::json;

use crate::policy::Permit;
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::{Error, IdempotencyKey, Inner, Once, Result};

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

/// The texts of files, by their paths.
pub(crate) type Texts = BTreeMap<String, String>;

/// What files say, whatever their order.
pub(crate) fn said(files: &[RuleFile]) -> String {
    let texts: BTreeMap<&str, &str> = files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    json!(texts).to_string()
}

/// Each path once, and not more than may be.
pub(crate) fn texts_of(files: Vec<RuleFile>) -> std::result::Result<Texts, Vec<Fault>> {
    let bytes: usize = files.iter().map(|file| file.text.len() + file.path.len()).sum();
    if files.len() > MOST_FILES || bytes > MOST_BYTES {
        return Err(vec![Fault::new("files", format!("must be at most {MOST_FILES}, with {MOST_BYTES} bytes together"))]);
    }
    let mut texts = Texts::new();
    for (place, RuleFile { path, text }) in files.into_iter().enumerate() {
        if texts.insert(path.clone(), text).is_some() {
            return Err(vec![Fault::new(format!("files[{place}].path"), format!("{path} stands there twice"))]);
        }
    }
    Ok(texts)
}

/// The rule of files that are those of one.
pub(crate) fn the_one<T>(rules: &[T]) -> std::result::Result<&T, Vec<Fault>> {
    match rules {
        [rule] => Ok(rule),
        _ => Err(vec![Fault::new("files", format!("must be those of one rule; they are those of {}", rules.len()))]),
    }
}

/// What is wrong with files, up to fifty faults.
pub(crate) fn told(faults: &[detection::Fault]) -> Vec<Fault> {
    let told = |fault: &detection::Fault| {
        let says = if fault.place.is_empty() { fault.says.clone() } else { format!("{}: {}", fault.place, fault.says) };
        Fault::new(fault.file.clone(), says)
    };
    faults.iter().take(MOST_TOLD).map(told).collect()
}

/// A rule that was read, free of faults.
pub(crate) struct NewRule {
    pub id: String,
    pub version: String,
    name: String,
    /// The text of `rule.toml`.
    text: String,
    /// The texts of its other files, by their paths, as JSON.
    tests: String,
}

impl NewRule {
    /// Of the rule that was read from these texts.
    pub fn of(id: &str, version: Version, name: &str, mut texts: Texts) -> std::result::Result<Self, Vec<Fault>> {
        let text = texts.remove(&file_of(id)).unwrap_or_default();
        if text.len() > MOST_BYTES_OF_RULE {
            return Err(vec![Fault::new(file_of(id), format!("must be at most {MOST_BYTES_OF_RULE} bytes"))]);
        }
        Ok(Self { id: id.to_owned(), version: version.to_string(), name: name.to_owned(), text, tests: json!(texts).to_string() })
    }

    /// Why it is not added, said of its file.
    pub fn refused(&self, says: String) -> Error {
        Error::invalid(&file_of(&self.id), says)
    }

    /// That it can be added beside so many that were, where this is known of its version.
    pub fn check_room(&self, known: KnownVersion, added: usize) -> Result<()> {
        match known {
            // Whether it is the same is seen under its lock.
            KnownVersion::Added => Ok(()),
            KnownVersion::OfProgramOrFolder => {
                Err(self.refused(format!("version: {} is there already, and is not written again; raise it", self.version)))
            }
            KnownVersion::Absent if added >= MOST_VERSIONS => {
                Err(self.refused(format!("version: there are {added} versions that were added, as many as there may be")))
            }
            KnownVersion::Absent => Ok(()),
        }
    }
}

/// Whether a version of a rule is there, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownVersion {
    Absent,
    Added,
    OfProgramOrFolder,
}

fn file_of(id: &str) -> String {
    format!("{id}/rule.toml")
}

/// Rules of one area, whose added versions are kept together.
pub(crate) trait AddedRules: Send + Sync + 'static {
    /// The label under which rules are spoken of.
    const LABEL: &'static str;
    /// What the audit log calls it.
    const ACTION: &'static str;
    const LOCK: Reading<LockedRule>;
    const ADD: WriteStatement;
}

pub(crate) struct NewVersion {
    /// Rule and version.
    id: String,
    by: String,
    by_name: String,
    new: NewRule,
}

/// Adds a version of a rule, unless the same was added before.
pub(crate) struct AddVersion<A>(PhantomData<fn() -> A>);

impl<A: AddedRules> Amend for AddVersion<A> {
    type Row = NewVersion;
    type Locked = LockedRule;
    type Stored = LockedRule;
    type Answer = ();

    const LOCK: Reading<LockedRule> = A::LOCK;
    const WRITE: WriteStatement = A::ADD;
    const RANK: Rank = Rank::Administration;

    fn id(row: &NewVersion) -> &str {
        &row.id
    }

    fn size(row: &NewVersion) -> usize {
        1_000 + 2 * row.new.text.len() + row.new.tests.len()
    }

    fn decide(row: &NewVersion, stored: Option<LockedRule>, decision: Decision<'_>) -> Result<Amended<()>> {
        let NewRule { version, text, tests, .. } = &row.new;
        let stored = stored.and_then(|stored| Some((stored.rule?, stored.tests.unwrap_or_default())));
        match stored {
            Some((former, former_tests)) if former == *text && former_tests == *tests => Ok(Amended::nothing(())),
            Some(_) => Err(row.new.refused(format!("version: {version} was added with other files, and is not written again; raise it"))),
            None => Ok(Amended::by((), row_of(row, decision.now.millis()))),
        }
    }
}

fn row_of(NewVersion { id, by, by_name, new }: &NewVersion, now: i64) -> Value {
    let props = map([
        ("name", format!("{} {}", new.name, new.version).into()),
        ("ruleId", new.id.as_str().into()),
        ("version", new.version.as_str().into()),
        ("rule", new.text.as_str().into()),
        ("tests", new.tests.as_str().into()),
        ("addedAt", now.into()),
        ("addedBy", by.as_str().into()),
        ("addedByName", by_name.as_str().into()),
    ]);
    map([("id", id.as_str().into()), ("props", props)])
}

impl Inner {
    /// Keeps a version of a rule, once for a key.
    pub(crate) async fn keep_version<A: AddedRules>(
        &self,
        permit: &Permit<'_>,
        adding: &'static Amending<AddVersion<A>>,
        new: NewRule,
        (said, key): (&str, Option<IdempotencyKey>),
    ) -> Result<()> {
        let entry = self.entry(permit, A::LABEL, &new.id, A::ACTION);
        let entry = entry.with_new_value(json!({"ruleId": new.id, "version": new.version, "rule": new.text}).to_string());
        let (caller, version) = (permit.caller(), new.version.clone());
        let id = format!("{}@{version}", new.id);
        let row = NewVersion { id, by: caller.id.clone(), by_name: caller.name.clone(), new };
        self.answer_once(permit, Once { key, body: said }, version, adding, Write::new(row, entry)).await?;
        Ok(())
    }
}
