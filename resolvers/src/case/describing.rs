//! What people say of a case besides its text: its tags, the law it falls under, and what was found of each of its actors. The document shows these and has no
//! operation that changes them. Each is told by `case.updated`, unless it was so already.

use std::collections::BTreeSet;

use cypher::{Value, WriteStatement, map, statements};
use graph_schema::case::CaseTagRecord;
use graph_schema::id::{ActorId, CaseId, TagId};
use serde_json::json;

use super::stored::StoredCase;
use super::work::{CaseWork, Work, may_say_of_each, must_say};
use crate::queue::{Amended, Decision, LockHint};
use crate::{Caller, Error, IdempotencyKey, Resolvers, Result, boxed};

/// Gives a case tags, and takes tags from it.
#[derive(Debug, Clone)]
pub struct TagCase {
    pub case: CaseId,
    /// No id twice. A tag that nobody has used gets this label; one that is there keeps its own.
    pub add: Vec<CaseTagRecord>,
    pub remove: Vec<TagId>,
    pub expected_version: Option<i64>,
}

/// Says under which law a case falls.
#[derive(Debug, Clone)]
pub struct PlaceCase {
    pub case: CaseId,
    /// None, when absent.
    pub jurisdiction: Option<String>,
    pub expected_version: Option<i64>,
}

/// Says what was found of an actor of a case.
#[derive(Debug, Clone)]
pub struct DecideActor {
    pub case: CaseId,
    pub actor: ActorId,
    /// Nothing, when absent.
    pub decision: Option<String>,
    pub expected_version: Option<i64>,
}

/// The most tags of a case, and the most that are taken from it at once.
const MOST_TAGS: usize = 100;
/// The longest of these texts, in characters.
const LONGEST: usize = 1_000;

impl Resolvers {
    /// Gives a case tags, and takes tags from it.
    #[boxed]
    pub async fn tag_case(&self, caller: &Caller, tag: TagCase, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &tag.case)?;
        tag.check(1)?;
        let said = json!({"tagsAdded": tag.add, "tagsRemoved": tag.remove});
        let locks: Vec<LockHint> = tag.add.iter().map(|added| LockHint::of("Tag", added.id.as_str())).collect();
        let work = Work::of(&permit, tag.case.clone(), tag.expected_version, tag);
        let write = work.written("case.updated", &said, &self.inner, &permit).locking(locks);
        self.done(&permit, &said, write, key).await
    }

    /// Says under which law a case falls.
    #[boxed]
    pub async fn place_case(&self, caller: &Caller, place: PlaceCase, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &place.case)?;
        if let Some(jurisdiction) = &place.jurisdiction {
            must_say("jurisdiction", jurisdiction, LONGEST)?;
        }
        let said = json!({"jurisdiction": place.jurisdiction});
        let work = Work::of(&permit, place.case.clone(), place.expected_version, place);
        let write = work.written("case.updated", &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }

    /// Says what was found of an actor of a case.
    #[boxed]
    pub async fn decide_actor(&self, caller: &Caller, decide: DecideActor, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &decide.case)?;
        if let Some(decision) = &decide.decision {
            must_say("decision", decision, LONGEST)?;
        }
        let said = json!({"actorId": decide.actor, "decision": decide.decision});
        let work = Work::of(&permit, decide.case.clone(), decide.expected_version, decide);
        let write = work.written("case.updated", &said, &self.inner, &permit);
        self.done(&permit, &said, write, key).await
    }
}

impl TagCase {
    /// That it says not too much of each of so many cases of which the same is said, and does not contradict itself.
    pub fn check(&self, cases: usize) -> Result<()> {
        for (at, tags) in [("add", self.add.len()), ("remove", self.remove.len())] {
            if tags > MOST_TAGS {
                return Err(Error::invalid(at, format!("must be at most {MOST_TAGS} tags")));
            }
        }
        refuse_contradictions(self)?;
        let added: usize = self.add.iter().map(|tag| tag.id.as_str().len() + tag.label.len()).sum();
        let removed: usize = self.remove.iter().map(|id| id.as_str().len()).sum();
        may_say_of_each(cases, added + removed, "add")
    }
}

fn refuse_contradictions(tag: &TagCase) -> Result<()> {
    let mut ids = BTreeSet::new();
    for (at, added) in tag.add.iter().enumerate() {
        must_say(&format!("add[{at}].label"), &added.label, LONGEST)?;
        if tag.remove.contains(&added.id) {
            return Err(Error::invalid(&format!("add[{at}].id"), "must not be removed as well"));
        }
        if !ids.insert(&added.id) {
            return Err(Error::invalid(&format!("add[{at}].id"), "must not come twice"));
        }
    }
    Ok(())
}

impl CaseWork for TagCase {
    const WRITE: WriteStatement = statements::case::TAG;

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let TagCase { add, remove, .. } = &work.what;
        let add: Vec<Value> = add
            .iter()
            .filter(|tag| !stored.tags.contains(&tag.id))
            .map(|tag| map([("id", tag.id.as_str().into()), ("label", tag.label.as_str().into())]))
            .collect();
        let remove: Vec<&str> = remove.iter().filter(|id| stored.tags.contains(*id)).map(TagId::as_str).collect();
        if add.is_empty() && remove.is_empty() {
            return Ok(None);
        }
        if stored.tags.len() + add.len() > MOST_TAGS + remove.len() {
            return Err(Error::invalid("add", format!("a case has at most {MOST_TAGS} tags")));
        }
        let before = json!({"tags": stored.tags}).to_string();
        let more = [("add", add.into()), ("remove", remove.into())];
        Ok(Some(work.change(stored).telling_of_an_update().amended((), decision, more).replacing(Some(before))))
    }
}

impl CaseWork for PlaceCase {
    const WRITE: WriteStatement = statements::case::AMEND;

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let jurisdiction = &work.what.jurisdiction;
        if *jurisdiction == stored.jurisdiction {
            return Ok(None);
        }
        let before = stored.jurisdiction.as_ref().map(|before| json!({"jurisdiction": before}).to_string());
        let change = work.change(stored).setting([("jurisdiction", Value::from(jurisdiction.as_deref()))]).telling_of_an_update();
        Ok(Some(change.amended((), decision, []).replacing(before)))
    }
}

impl CaseWork for DecideActor {
    const WRITE: WriteStatement = statements::case::AMEND_ACTORS;

    fn actors(&self) -> Vec<&str> {
        vec![self.actor.as_str()]
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let DecideActor { actor, decision: decided, .. } = &work.what;
        let Some(before) = stored.actors.get(actor) else {
            return Err(Error::invalid("actorId", "must be the id of an actor of the case"));
        };
        if before == decided {
            return Ok(None);
        }
        let props = map([("decision", Value::from(decided.as_deref()))]);
        let changed = Value::List(vec![map([("id", actor.as_str().into()), ("props", props)])]);
        let said_before = before.as_ref().map(|before| json!({"actorId": actor, "decision": before}).to_string());
        Ok(Some(work.change(stored).telling_of_an_update().amended((), decision, [("actors", changed)]).replacing(said_before)))
    }
}
