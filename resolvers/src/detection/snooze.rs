//! Keeping a rule from alerting about an actor for a while.

use std::sync::Arc;

use cypher::statements::rows::RecordRow;
use cypher::{Reading, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use graph_schema::fault::Fault;
use graph_schema::id::ActorId;
use serde_json::json;

use super::snoozes::ending;
use crate::policy::{Action, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::reason::reason_fault;
use crate::{Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

/// The label of their nodes.
pub(super) const SNOOZE: &str = "Snooze";

/// What is to be kept quiet.
#[derive(Debug, Clone)]
pub struct Snoozing {
    pub actor: ActorId,
    /// A rule's id.
    pub rule: String,
    /// From this moment on it alerts again.
    pub until: Timestamp,
    pub reason: String,
}

impl Resolvers {
    /// Keeps what a rule finds about an actor from becoming observations, up to a moment. Said again, the later word counts: the snooze before ends with it, and
    /// is kept. What is found meanwhile is a suppressed signal.
    #[boxed]
    pub async fn snooze_detection(&self, caller: &Caller, wanted: Snoozing, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let inner = &self.inner;
        let id = inner.clock.id();
        let permit = inner.enter(caller, Action::Decide, Subject::One(SNOOZE, &id))?;
        let now = inner.clock.now();
        let is_rule = inner.is_rule(&permit, rule_of(&wanted.rule)).await?;
        let faults = faults(&wanted, is_rule, now);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let Snoozing { actor, rule, until, reason } = wanted;
        let rule = rule_of(&rule).to_owned();
        let said = json!({"actorId": actor, "ruleId": rule, "until": until, "reason": reason}).to_string();
        let entry = inner.entry(&permit, SNOOZE, &id, "detection.snoozed").with_new_value(Arc::from(said.as_str()));
        let props = map([
            ("name", format!("{rule} for {actor}").into()),
            ("actorId", actor.as_str().into()),
            ("ruleId", rule.as_str().into()),
            ("until", until.millis().into()),
            ("reason", reason.into()),
            ("snoozedAt", now.millis().into()),
            ("snoozedBy", caller.id.as_str().into()),
            ("snoozedByName", caller.name.as_str().into()),
        ]);
        let ending = ending(now, &caller.id, &caller.name, "snoozed again");
        // Of two of one actor the second has to see the first.
        let of_actor = LockHint::of("Actor", actor.as_str());
        let mut write = Write::new(SnoozeRow { id: id.clone(), actor, rule, props, ending }, entry);
        write.locks.push(of_actor);
        write.in_turn.push(of_actor);
        let once = Once { key, body: &said };
        Ok(inner.answer_new_once(&permit, once, id, &Amending::<Snooze>::NEW, write).await?.text)
    }
}

/// The rule of an observation's `behaviorId`, which of a group has the group behind it.
fn rule_of(behavior: &str) -> &str {
    behavior.split_once('@').map_or(behavior, |(rule, _)| rule)
}

fn faults(wanted: &Snoozing, is_rule: bool, now: Timestamp) -> Vec<Fault> {
    let mut faults = Vec::new();
    if !is_rule {
        faults.push(Fault::new("ruleId", "must be the id of a rule"));
    }
    if wanted.until <= now {
        faults.push(Fault::new("until", "must be later than now"));
    }
    faults.extend(reason_fault(&wanted.reason));
    faults
}

struct SnoozeRow {
    id: String,
    actor: ActorId,
    rule: String,
    props: cypher::Value,
    /// What snoozes of the same say that end with it.
    ending: cypher::Value,
}

/// Keeps a snooze of an actor who is there.
struct Snooze;

impl Amend for Snooze {
    type Row = SnoozeRow;
    type Locked = RecordRow;
    type Stored = RecordRow;
    type Answer = ();

    const LOCK: Reading<RecordRow> = statements::detection::LOCK_ACTOR;
    const WRITE: WriteStatement = statements::detection::SNOOZE;
    const RANK: Rank = Rank::Administration;

    fn id(row: &SnoozeRow) -> &str {
        row.actor.as_str()
    }

    fn decide(row: &SnoozeRow, stored: Option<RecordRow>, _: Decision<'_>) -> Result<Amended<()>> {
        if stored.is_none() {
            return Err(Error::not_found(ObjectKind::Actor, row.actor.as_str()));
        }
        let write = map([
            ("id", row.id.as_str().into()),
            ("actor", row.actor.as_str().into()),
            ("rule", row.rule.as_str().into()),
            ("props", row.props.clone()),
            ("ending", row.ending.clone()),
        ]);
        Ok(Amended::by((), write))
    }
}
