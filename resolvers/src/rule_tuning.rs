//! How rules are switched and tuned by those who answer for them, whether they look for patterns or score actors. Each word is kept for itself, with who,
//! when and why; the latest that says something counts. Which versions there are, and which values they take, is known to their own areas.

use std::collections::BTreeMap;

use cypher::map;
use cypher::statements::rows::TuningRow;
use detection::{Quantity, Status, Version};
use graph_schema::date::Timestamp;
use graph_schema::fault::Fault;
use serde_json::json;

use crate::policy::Permit;
use crate::queue::{Put, Write};
use crate::reason::reason_fault;
use crate::{Error, IdempotencyKey, Inner, Once, Result};

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
    /// Values by the names of parameters, of risk rules weights by the names of factors; nothing for one that has its default again. Others stay as they were.
    pub parameters: Values,
    pub reason: String,
    pub at: Timestamp,
    pub by: String,
    pub by_name: String,
}

/// Values by names; nothing for a default.
pub(crate) type Values = BTreeMap<String, Option<Quantity>>;

impl Tuning {
    /// As it is kept.
    pub(crate) fn read(row: TuningRow) -> Result<Self> {
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

    /// Whether it says something of a version of a rule.
    pub(crate) fn is_of(&self, rule: &str, version: Version) -> bool {
        self.rule == rule && (self.sets_values_of(version) || self.versions.contains(&version.to_string()))
    }

    /// Whether its values are those of this version of its rule.
    pub(crate) fn sets_values_of(&self, version: Version) -> bool {
        self.version == version.to_string()
    }

    /// What it switches this version of its rule to; nothing where it leaves that as it was.
    pub(crate) fn switches(&self, version: Version) -> Option<Status> {
        self.status.filter(|_| self.versions.contains(&version.to_string()))
    }

    /// The earliest first.
    pub(crate) fn in_order(mut tunings: Vec<Self>) -> Vec<Self> {
        tunings.sort_by(|one, other| (one.at, &one.id).cmp(&(other.at, &other.id)));
        tunings
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

/// What is to be said of a rule.
#[derive(Debug, Clone)]
pub struct TuneRule {
    /// Its id.
    pub rule: String,
    /// Without one it is of the version that counts; `OFF` is then of all versions that are there.
    pub version: Option<String>,
    pub status: Option<Status>,
    /// Values by the names of parameters, of risk rules weights by the names of factors, as decimal texts; nothing for the default.
    pub parameters: Vec<(String, Option<String>)>,
    pub reason: String,
}

impl TuneRule {
    /// What is wrong with it, whatever the rule is.
    pub(crate) fn faults(&self, input: &InputNames) -> Vec<Fault> {
        let mut faults: Vec<Fault> = reason_fault(&self.reason).into_iter().collect();
        if self.status.is_none() && self.parameters.is_empty() {
            faults.push(Fault::new("status", format!("must be there where no {} are: there is nothing to change", input.list)));
        }
        faults
    }

    /// Its values, each as `read` takes it: nothing for a default, or which of the item's fields is wrong, and why.
    pub(crate) fn values(&self, input: &InputNames, faults: &mut Vec<Fault>, read: impl Fn(&str, Option<&str>) -> ReadValue) -> Values {
        let mut values = Values::new();
        for (place, (name, text)) in self.parameters.iter().enumerate() {
            let at = |field: &str| format!("{}[{place}].{field}", input.list);
            match read(name, text.as_deref()) {
                Ok(_) if values.contains_key(name) => faults.push(Fault::new(at(input.name), format!("{name} stands there twice"))),
                Ok(value) => drop(values.insert(name.clone(), value)),
                Err((InvalidField::Name, says)) => faults.push(Fault::new(at(input.name), says)),
                Err((InvalidField::Value, says)) => faults.push(Fault::new(at("value"), says)),
            }
        }
        values
    }
}

/// The most rules that are told where another is named.
const TOLD: usize = 50;

/// That there is no rule of an id, or of this rule, which has these versions, not the one that is named. `ids` are those of all rules, in their order.
pub(crate) fn not_there<'a>(ids: impl Iterator<Item = &'a str>, versions: &[String]) -> Fault {
    if !versions.is_empty() {
        return Fault::new("version", format!("must be a version of the rule: {}", versions.join(", ")));
    }
    let mut ids: Vec<&str> = ids.collect();
    ids.dedup();
    let more = if ids.len() > TOLD { ", …" } else { "" };
    ids.truncate(TOLD);
    Fault::new("ruleId", format!("must be the id of a rule: {}{more}", ids.join(", ")))
}

/// A value that was read, nothing for a default; else what is wrong.
pub(crate) type ReadValue = std::result::Result<Option<Quantity>, (InvalidField, String)>;

/// The field of an item that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InvalidField {
    Name,
    Value,
}

/// Reads a value: a decimal number. Nothing for a default.
pub(crate) fn read_number(text: Option<&str>) -> ReadValue {
    let Some(text) = text else { return Ok(None) };
    text.parse().map(Some).map_err(|_| (InvalidField::Value, "must be a decimal number, such as 0.75".to_owned()))
}

/// How an input calls what is tuned.
pub(crate) struct InputNames {
    /// The list of values.
    pub list: &'static str,
    /// What they are the values of.
    pub name: &'static str,
}

/// Rules of one area, whose tunings are kept together.
pub(crate) struct TunedRules {
    /// The label under which rules are spoken of.
    pub label: &'static str,
    /// What the audit log calls it.
    pub action: &'static str,
    pub put: &'static Put,
}

/// What was found of a word that is to be kept.
pub struct Meant {
    /// The version that it is of.
    pub version: String,
    /// The versions whose status it is.
    pub versions: Vec<String>,
    pub values: Values,
}

impl Inner {
    /// Keeps what was said of a rule, once for a key. Answers with the version that it was of then.
    pub(crate) async fn keep_tuning(
        &self,
        permit: &Permit<'_>,
        rules: &TunedRules,
        (wanted, meant): (&TuneRule, Meant),
        key: Option<IdempotencyKey>,
    ) -> Result<String> {
        let Meant { version, versions, values } = meant;
        let (id, status) = (self.clock.id(), wanted.status.map(word_of));
        let said = |version: Option<&str>| {
            json!({"ruleId": wanted.rule, "version": version, "status": status, "parameters": values, "reason": wanted.reason}).to_string()
        };
        // A key stands for what was asked, whichever version counts by then.
        let (asked, said) = (said(wanted.version.as_deref()), said(Some(&version)));
        let parameters = serde_json::to_string(&values).map_err(|error| Error::Internal(error.to_string()))?;
        let entry = self.entry(permit, rules.label, &wanted.rule, rules.action).with_new_value(said);
        let caller = permit.caller();
        let props = map([
            ("name", format!("{} {version}", wanted.rule).into()),
            ("ruleId", wanted.rule.as_str().into()),
            ("version", version.as_str().into()),
            ("versions", versions.into()),
            ("status", status.into()),
            ("parameters", parameters.into()),
            ("reason", wanted.reason.as_str().into()),
            ("tunedAt", self.clock.now().millis().into()),
            ("tunedBy", caller.id.as_str().into()),
            ("tunedByName", caller.name.as_str().into()),
        ]);
        let write = Write::new(map([("id", id.as_str().into()), ("props", props)]), entry);
        let answered = self.answer_once(permit, Once { key, body: &asked }, version.as_str(), rules.put, write).await?;
        Ok(answered.text.to_string())
    }
}
