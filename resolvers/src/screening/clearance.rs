//! Clearing a match, and ending that. None is ever deleted: a clearance tells who has cleared the party of what, when, why and up to when, and who has ended
//! it.
//!
//! An actor is screened again when a clearance is over: with it comes a `(:PendingScreening)` that is due then, or as soon as somebody ends it.

use std::sync::Arc;

use cypher::statements::rows::{ClearedEntry, LockedClearance};
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use graph_schema::fault::Fault;
use graph_schema::id::{ActorId, TransactionId};
use serde_json::json;

use super::cleared::PartyKey;
use super::{Payment, ScreenedActor, Subject};
use crate::clock::millis;
use crate::policy::{Action, Permit, Subject as Object};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Put, Rank, Write};
use crate::reason::reason_fault;
use crate::watchlist::version_id;
use crate::{Caller, Error, IdempotencyKey, Inner, ObjectKind, Once, Resolvers, Result, boxed};

/// The label of their nodes.
const CLEARED_MATCH: &str = "ClearedMatch";
/// The action of the audit entry.
const CLEARED: &str = "screening.cleared";

/// Whom a match is about.
#[derive(Debug, Clone)]
pub enum ClearedParty {
    Actor(ActorId),
    /// The counterparty of a payment, in whatever payments it is.
    CounterpartyOf(TransactionId),
}

/// A match that is to be cleared.
#[derive(Debug, Clone)]
pub struct ClearMatch {
    pub party: ClearedParty,
    /// An entry of a watchlist, as `LIST/ENTRY`.
    pub entry: String,
    /// From this moment on it is told again; without it after the time that the settings say.
    pub until: Option<Timestamp>,
    pub reason: String,
}

/// The party of a match as it is now.
struct Known {
    key: PartyKey,
    name: String,
    actor: Option<ActorId>,
}

impl Resolvers {
    /// Keeps a match from being told, up to a moment, and as long as neither side changes. Said again, the later word counts. Answers with the clearance's id.
    #[boxed]
    pub async fn clear_match(&self, caller: &Caller, wanted: ClearMatch, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let inner = &self.inner;
        let id = inner.clock.id();
        let permit = inner.enter(caller, Action::Decide, Object::One(CLEARED_MATCH, &id))?;
        // When it ends by itself follows from when it was asked for, and is no part of the same request.
        let body = said(&wanted, wanted.until);
        // Asked before what is cleared is looked for, which may be otherwise by now.
        if let Some(before) = inner.answered_before(&permit, CLEARED, Once { key: key.clone(), body: &body }).await? {
            return Ok(before);
        }
        let now = inner.clock.now();
        let most = Timestamp(now.millis().saturating_add(millis(inner.settings.screening.clear_for)));
        let until = wanted.until.unwrap_or(most);
        let entry = inner.listed_entries(vec![wanted.entry.clone()]).await?.into_iter().next();
        let mut faults: Vec<Fault> = reason_fault(&wanted.reason).into_iter().collect();
        if until <= now || until > most {
            faults.push(Fault::new("until", format!("must be later than now, and {most} at the latest (screening.clear_for)")));
        }
        if entry.is_none() {
            faults.push(Fault::new("entry", "must be an entry that is on a watchlist now, as LIST/ENTRY"));
        }
        let Some(entry) = entry.filter(|_| faults.is_empty()) else { return Err(Error::Invalid(faults)) };
        let known = inner.party_of(&permit, &wanted.party).await?;
        let draft = inner.entry(&permit, CLEARED_MATCH, &id, CLEARED).with_new_value(said(&wanted, Some(until)));
        let row = inner.clearance_row(caller, (&id, now, until), (&known, &entry), &wanted.reason);
        let mut write = Write::new(row, draft);
        // Of two of one party the second has to see the first.
        let of_party =
            known.actor.as_ref().map_or_else(|| LockHint::of("ClearedPair", &known.key.facts), |actor| LockHint::of("Actor", actor.as_str()));
        write.locks.push(of_party);
        write.in_turn.push(of_party);
        Ok(inner.answer_new_once(&permit, Once { key, body: &body }, id, &CLEAR, write).await?.text)
    }

    /// Ends a clearance: the match is told again.
    #[boxed]
    pub async fn unclear_match(&self, caller: &Caller, id: &str, reason: String, key: Option<IdempotencyKey>) -> Result<()> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::Decide, Object::One(CLEARED_MATCH, id))?;
        if let Some(fault) = reason_fault(&reason) {
            return Err(Error::Invalid(vec![fault]));
        }
        let said = json!({"reason": reason}).to_string();
        let entry = inner.entry(&permit, CLEARED_MATCH, id, "screening.uncleared").with_new_value(said.as_str());
        let screens = inner.screens_actors();
        let row = Ending { id: id.to_owned(), by: caller.id.clone(), by_name: caller.name.clone(), reason, screens };
        inner.answer_once(&permit, Once { key, body: &said }, id, &Amending::<Unclear>::NEW, Write::new(row, entry)).await?;
        Ok(())
    }
}

/// Keeps clearances. One that still counts of the same pair ends with the new one.
static CLEAR: Put = Put::of(statements::screening::CLEAR, Rank::Administration);

fn said(wanted: &ClearMatch, until: Option<Timestamp>) -> String {
    let (actor, transaction) = match &wanted.party {
        ClearedParty::Actor(id) => (Some(id), None),
        ClearedParty::CounterpartyOf(id) => (None, Some(id)),
    };
    json!({"actorId": actor, "transactionId": transaction, "entry": wanted.entry, "until": until, "reason": wanted.reason}).to_string()
}

impl Inner {
    async fn party_of(&self, permit: &Permit<'_>, party: &ClearedParty) -> Result<Known> {
        match party {
            ClearedParty::Actor(id) => {
                let rows = self.read(permit, statements::screening::ACTORS, Params::none().with("ids", vec![id.as_str()])).await?;
                let actor = rows.into_iter().next().and_then(|row| ScreenedActor::stored(row, &self.settings.placeholders));
                let actor = actor.ok_or_else(|| Error::not_found(ObjectKind::Actor, id.as_str()))?;
                let nobody = || Error::invalid("actorId", "must be an actor with a name that names somebody");
                let name = actor.facts.name().ok_or_else(nobody)?.to_owned();
                let key = PartyKey::of(Subject::Actor(&actor), None).ok_or_else(nobody)?;
                Ok(Known { key, name, actor: Some(id.clone()) })
            }
            ClearedParty::CounterpartyOf(id) => {
                let rows = self.read(permit, statements::transaction::READ, Params::none().with("ids", vec![id.as_str()])).await?;
                let payment = rows.into_iter().next().and_then(|row| Payment::stored(row.record?));
                let payment = payment.ok_or_else(|| Error::not_found(ObjectKind::Transaction, id.as_str()))?;
                let subject = Subject::Payment(&payment);
                let party = subject.party(&self.settings.placeholders);
                let nobody = || Error::invalid("transactionId", "must be a payment whose counterparty has a name that names somebody");
                let key = PartyKey::of(subject, party.as_ref()).ok_or_else(nobody)?;
                Ok(Known { key, name: party.ok_or_else(nobody)?.name, actor: None })
            }
        }
    }

    fn clearance_row(
        &self,
        caller: &Caller,
        (id, now, until): (&str, Timestamp, Timestamp),
        (known, entry): (&Known, &ClearedEntry),
        reason: &str,
    ) -> Value {
        let caption = format!("{} for {}", entry.name, known.name);
        let pair = known.key.pair(&entry.key);
        let actor = known.actor.as_ref().map(ActorId::as_str);
        let props = map([
            ("name", caption.as_str().into()),
            ("actorId", actor.into()),
            ("partyName", known.name.as_str().into()),
            ("pair", pair.as_str().into()),
            ("facts", known.key.facts.as_str().into()),
            ("entry", entry.key.as_str().into()),
            ("entryName", entry.name.as_str().into()),
            ("fingerprint", entry.fingerprint.as_str().into()),
            ("listVersion", version_id(&entry.list, entry.version).into()),
            ("reason", reason.into()),
            ("until", until.millis().into()),
            ("clearedAt", now.millis().into()),
            ("clearedBy", caller.id.as_str().into()),
            ("clearedByName", caller.name.as_str().into()),
        ]);
        let actors: Vec<Value> = actor.into_iter().map(Value::from).collect();
        let pending = actor.filter(|_| self.screens_actors()).map(|actor| pending((id, &caption, actor), until));
        map([
            ("id", id.into()),
            ("pair", pair.into()),
            ("props", props),
            ("ending", ending(now, (&caller.id, &caller.name), "cleared again")),
            ("actors", Value::List(actors)),
            ("pending", Value::List(pending.into_iter().collect())),
        ])
    }
}

/// The row by which an actor waits to be screened when a clearance is over.
fn pending((clearance, name, actor): (&str, &str, &str), at: Timestamp) -> Value {
    map([
        ("id", clearance.into()),
        ("name", name.into()),
        ("actorId", actor.into()),
        ("submission", format!("{clearance}/{}", at.millis()).into()),
        ("dueAt", at.millis().into()),
    ])
}

/// What a clearance says of its end.
fn ending(at: Timestamp, (by, by_name): (&str, &str), reason: &str) -> Value {
    map([("endedAt", at.millis().into()), ("endedBy", by.into()), ("endedByName", by_name.into()), ("endReason", reason.into())])
}

struct Ending {
    id: String,
    by: String,
    by_name: String,
    reason: String,
    /// Whether actors are screened.
    screens: bool,
}

/// Ends a clearance that still counts.
struct Unclear;

impl Amend for Unclear {
    type Row = Ending;
    type Locked = LockedClearance;
    type Stored = LockedClearance;
    type Answer = ();

    const LOCK: Reading<LockedClearance> = statements::screening::LOCK_CLEARED;
    const WRITE: WriteStatement = statements::screening::UNCLEAR;
    const RANK: Rank = Rank::Administration;

    fn id(ending: &Ending) -> &str {
        &ending.id
    }

    fn decide(row: &Ending, stored: Option<LockedClearance>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| Error::not_found(ObjectKind::ClearedMatch, &row.id))?;
        if stored.ended_at.is_some() || stored.until <= decision.now.millis() {
            return Err(Error::invalid("clearedMatchId", "must be one that counts; this has ended before"));
        }
        let actor = stored.actor_id.as_deref().filter(|_| row.screens);
        let pending = actor.map(|actor| pending((&stored.id, &stored.name, actor), decision.now));
        let props = ending(decision.now, (&row.by, &row.by_name), &row.reason);
        Ok(Amended::by((), map([("id", row.id.as_str().into()), ("props", props), ("pending", Value::List(pending.into_iter().collect()))])))
    }
}
