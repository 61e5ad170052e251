//! Snoozes as they are shown, and ended. None is ever deleted: one that was ended tells who has ended it, when and why.

use cypher::statements::rows::{LockedSnooze, SnoozeRow};
use cypher::{Params, Reading, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use serde_json::json;

use super::snooze::SNOOZE;
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, Rank, Write};
use crate::reason::reason_fault;
use crate::{Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

/// How many a page has at most.
const MOST: usize = 200;

/// Which snoozes.
#[derive(Debug, Clone, Default)]
pub struct SnoozeQuery {
    pub actor: Option<String>,
    /// A rule's id.
    pub rule: Option<String>,
    /// Those that count now, or those that no longer do; nothing for both.
    pub active: Option<bool>,
    /// Behind this one: when it was made, in milliseconds since 1970, and its id.
    pub after: Option<(i64, String)>,
    /// At most so many; of more than 200 so many.
    pub first: usize,
    /// Whether the names of the rules are asked for.
    pub with_names: bool,
}

/// A part of the list of snoozes.
#[derive(Debug, Clone)]
pub struct SnoozePage {
    pub snoozes: Vec<ShownSnooze>,
    /// Whether there are more behind it.
    pub more: bool,
}

/// A rule that is or was to be silent about an actor.
#[derive(Debug, Clone)]
pub struct ShownSnooze {
    pub id: String,
    pub actor: String,
    pub rule: String,
    /// The name of the version of the rule that counts; nothing where it was not asked for, or there is no such rule any more.
    pub rule_name: Option<String>,
    pub until: Timestamp,
    pub reason: String,
    pub at: Timestamp,
    pub by: String,
    pub by_name: Option<String>,
    /// Nothing where nobody has ended it.
    pub ended: Option<EndedSnooze>,
    /// Whether it counted when it was read.
    pub is_active: bool,
}

/// How a snooze was ended.
#[derive(Debug, Clone)]
pub struct EndedSnooze {
    pub at: Timestamp,
    pub by: String,
    pub by_name: String,
    pub reason: String,
}

impl ShownSnooze {
    fn of(row: SnoozeRow, now: Timestamp) -> Self {
        let ended = row.ended_at.map(|at| EndedSnooze {
            at: Timestamp(at),
            by: row.ended_by.unwrap_or_default(),
            by_name: row.ended_by_name.unwrap_or_default(),
            reason: row.end_reason.unwrap_or_default(),
        });
        Self {
            is_active: ended.is_none() && now.millis() < row.until,
            id: row.id,
            actor: row.actor_id,
            rule: row.rule_id,
            rule_name: None,
            until: Timestamp(row.until),
            reason: row.reason,
            at: Timestamp(row.snoozed_at),
            by: row.snoozed_by,
            by_name: row.snoozed_by_name,
            ended,
        }
    }
}

impl Resolvers {
    /// Snoozes, the newest first.
    #[boxed]
    pub async fn snoozes(&self, caller: &Caller, query: SnoozeQuery) -> Result<SnoozePage> {
        let permit = self.inner.enter(caller, Action::ReadRules, Subject::List(SNOOZE))?;
        let (now, first) = (self.inner.clock.now(), query.first.min(MOST));
        let at_now = |active: bool| (query.active == Some(active)).then_some(now.millis());
        let params = Params::none()
            .with("until", query.after.as_ref().map_or(i64::MAX, |(at, _)| *at))
            .with("untilId", query.after.as_ref().map(|(_, id)| id.as_str()))
            .with("actorId", query.actor.as_deref())
            .with("ruleId", query.rule.as_deref())
            .with("activeAt", at_now(true))
            .with("pastAt", at_now(false))
            .with("limit", first as i64 + 1);
        let rows = self.inner.read(&permit, statements::detection::LIST_SNOOZES, params).await?;
        let mut snoozes: Vec<ShownSnooze> = rows.into_iter().map(|row| ShownSnooze::of(row, now)).collect();
        let more = snoozes.len() > first;
        snoozes.truncate(first);
        if query.with_names && !snoozes.is_empty() {
            let rules = self.inner.rule_set(&permit, i64::MAX).await?;
            for snooze in &mut snoozes {
                snooze.rule_name = rules.find(&snooze.rule, None).map(|known| known.rule.name.clone());
            }
        }
        Ok(SnoozePage { snoozes, more })
    }

    /// Ends a snooze: runs that begin later alert again.
    #[boxed]
    pub async fn end_snooze(&self, caller: &Caller, id: &str, reason: String, key: Option<IdempotencyKey>) -> Result<()> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Decide, Subject::One(SNOOZE, id))?;
        if let Some(fault) = reason_fault(&reason) {
            return Err(Error::Invalid(vec![fault]));
        }
        let said = json!({"reason": reason}).to_string();
        let entry = inner.entry(&permit, SNOOZE, id, "detection.snooze_ended").with_new_value(said.as_str());
        let row = Ending { id: id.to_owned(), by: caller.id.clone(), by_name: caller.name.clone(), reason };
        inner.answer_once(&permit, Once { key, body: &said }, id, &Amending::<EndSnooze>::NEW, Write::new(row, entry)).await?;
        Ok(())
    }
}

struct Ending {
    id: String,
    by: String,
    by_name: String,
    reason: String,
}

/// What a snooze that was ended says of its end.
pub(super) fn ending(at: Timestamp, by: &str, by_name: &str, reason: &str) -> cypher::Value {
    map([("endedAt", at.millis().into()), ("endedBy", by.into()), ("endedByName", by_name.into()), ("endReason", reason.into())])
}

/// Ends a snooze that still counts.
struct EndSnooze;

impl Amend for EndSnooze {
    type Row = Ending;
    type Locked = LockedSnooze;
    type Stored = LockedSnooze;
    type Answer = ();

    const LOCK: Reading<LockedSnooze> = statements::detection::LOCK_SNOOZE;
    const WRITE: WriteStatement = statements::detection::END_SNOOZE;
    const RANK: Rank = Rank::Administration;

    fn id(ending: &Ending) -> &str {
        &ending.id
    }

    fn decide(row: &Ending, stored: Option<LockedSnooze>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| Error::not_found(ObjectKind::Snooze, &row.id))?;
        if stored.ended_at.is_some() || stored.until <= decision.now.millis() {
            return Err(Error::invalid("snoozeId", "must be one that counts; this has ended before"));
        }
        let props = ending(decision.now, &row.by, &row.by_name, &row.reason);
        Ok(Amended::by((), map([("id", row.id.as_str().into()), ("props", props)])))
    }
}
