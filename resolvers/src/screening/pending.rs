//! Actors that have come or changed are screened while nobody waits.
//!
//! The write of an actor compares what the actor is screened by with what was kept of that; where it differs, the actor gets a `(:PendingScreening)` in the
//! same transaction. The job `actor-screenings` takes some of these at a time, and deletes each in the transaction that keeps what was said. A screening's id
//! follows from the write: so every actor is screened once, whatever dies.
//!
//! An actor is screened once this instance searches the versions of the lists that counted after the actor was written: whatever is published later screens
//! all actors itself.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use cypher::statements::rows::PendingScreening;
use cypher::{Params, Value, map, statements};
use futures::StreamExt;
use futures::stream;
use graph_schema::actor::ActorRecord;
use graph_schema::screening::ScreeningResponse;

use super::facts::ActorFacts;
use super::provider::Provider;
use super::record::{ActorResults, Settled};
use super::run::{Screened, screening_id};
use super::{IN_BACKGROUND, ScreenedActor, Subject};
use crate::clock::millis;
use crate::policy::Permit;
use crate::{Inner, Result};

/// As many actors as `screening/pending` finds at once.
pub(super) const PORTION: usize = 200;
/// How often a provider is asked that says nothing; with the waits between them about ten minutes.
pub(super) const TRIES: i64 = 10;
/// How long after a provider has said nothing it is asked again; twice as long after each further time ...
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// ... but no longer than this.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// What a look at the actors or payments that wait has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drained {
    /// There may be more.
    Some,
    All,
    /// Some wait until the lists are loaded that count now.
    ListsAreLoading,
}

/// What was said of an actor that has waited.
pub(super) struct ScreenedPending {
    pub pending: PendingScreening,
    /// None where the actor is not there, or can't be read.
    pub actor: Option<Arc<ScreenedActor>>,
    pub said: Vec<Screened>,
    /// Whether a provider that has said nothing is to be asked again.
    pub is_silent: bool,
}

impl Inner {
    /// Whether actors are screened.
    pub(super) fn screens_actors(&self) -> bool {
        let operations = &self.settings.screening.actors;
        self.screening.providers.iter().any(|provider| operations.contains(&provider.operation) && provider.screens_actors())
    }

    /// What the write of an actor says of its screening; nothing where actors are not screened.
    pub(crate) fn screening_of(&self, actor: &ActorRecord, name: &str, submission: &str, now: i64) -> Option<Value> {
        if !self.screens_actors() {
            return None;
        }
        let facts = ActorFacts::of(actor, &self.settings.placeholders).text();
        Some(map([("name", name.into()), ("facts", facts.into()), ("submission", submission.into()), ("dueAt", now.into())]))
    }

    /// Screens some of the actors that wait and are due.
    pub(crate) async fn screen_pending_actors(&self) -> Result<Drained> {
        let permit = Permit::of_service();
        let params = Params::none().with("now", self.clock.now().millis());
        let pending = self.read(&permit, statements::screening::PENDING, params).await?;
        if pending.is_empty() {
            return Ok(Drained::All);
        }
        let providers = self.screening.of_actors(&self.settings.screening.actors);
        let uses_lists = providers.iter().any(|provider| provider.searches_watchlists());
        if let Some(lists) = self.screening.lists()
            && uses_lists
            && !self.searches_what_counts(lists).await?
        {
            return Ok(Drained::ListsAreLoading);
        }
        let is_full = pending.len() == PORTION;
        let actors = self.actors_to_screen(pending.iter().map(|one| one.actor_id.as_str()).collect()).await?;
        let ids: Vec<String> = pending.iter().flat_map(|one| providers.iter().map(|provider| screening_id(&one.submission, provider))).collect();
        let known = if ids.is_empty() { HashMap::new() } else { self.screening_results(ids).await? };
        let mut asked = Vec::with_capacity(pending.len());
        for one in pending {
            let actor = actors.get(&one.actor_id).cloned();
            asked.push(self.screen_pending_actor(one, actor, &providers, &known));
        }
        // Beside each other, as far as their turns let them.
        let screened: Vec<ScreenedPending> = stream::iter(asked).buffer_unordered(IN_BACKGROUND).collect().await;
        self.settle(screened).await?;
        Ok(if is_full { Drained::Some } else { Drained::All })
    }

    async fn actors_to_screen(&self, ids: Vec<&str>) -> Result<HashMap<String, Arc<ScreenedActor>>> {
        let rows = self.read(&Permit::of_service(), statements::screening::ACTORS, Params::none().with("ids", ids)).await?;
        let actors = rows.into_iter().filter_map(|row| ScreenedActor::stored(row, &self.settings.placeholders));
        Ok(actors.map(|actor| (actor.id.clone(), Arc::new(actor))).collect())
    }

    pub(super) async fn screen_pending_actor(
        &self,
        pending: PendingScreening,
        actor: Option<Arc<ScreenedActor>>,
        providers: &[Arc<Provider>],
        known: &HashMap<String, ScreeningResponse>,
    ) -> ScreenedPending {
        let Some(actor) = actor else { return ScreenedPending { pending, actor: None, said: Vec::new(), is_silent: false } };
        let each = providers.iter().map(|provider| (screening_id(&pending.submission, provider), Arc::clone(provider)));
        let left: Vec<(String, Arc<Provider>)> = each.filter(|(id, _)| !known.contains_key(id)).collect();
        // It is never closed.
        let _turn = self.screening.background.acquire().await;
        let is_last = pending.tries.saturating_add(1) >= TRIES;
        let asked = self.ask_providers(Subject::Actor(&actor), left, None).await;
        let (said, silent): (Vec<Screened>, Vec<Screened>) =
            asked.into_iter().partition(|one| is_last || one.result.response.is_conclusive() || self.is_without_lists(&one.provider));
        ScreenedPending { pending, actor: Some(actor), said, is_silent: !silent.is_empty() }
    }

    /// Whether there is no list to search, so that it does not help to ask again: when the first one is imported, all actors are screened against it.
    pub(super) fn is_without_lists(&self, provider: &Provider) -> bool {
        provider.searches_watchlists() && self.screening.lists().is_some_and(|lists| lists.are_none())
    }

    /// Keeps what was said, and takes from those that wait what is done.
    async fn settle(&self, screened: Vec<ScreenedPending>) -> Result<()> {
        let now = self.clock.now().millis();
        let (mut results, mut settled) = (Vec::with_capacity(screened.len()), Settled::default());
        for ScreenedPending { pending, actor, said, is_silent } in screened {
            let (id, submission): (Value, Value) = (pending.id.as_str().into(), pending.submission.as_str().into());
            let waiting = ("actor", Value::from(pending.actor_id.as_str()));
            if is_silent {
                let due_at = now.saturating_add(millis(wait_after(pending.tries)));
                settled.later.push(map([
                    ("id", id),
                    waiting,
                    ("submission", submission),
                    ("tries", pending.tries.saturating_add(1).into()),
                    ("dueAt", due_at.into()),
                ]));
            } else {
                settled.done.push(map([("id", id), waiting, ("submission", submission)]));
            }
            results.extend(actor.filter(|_| !said.is_empty()).map(|actor| ActorResults { actor, screened: said }));
        }
        for rows in [&mut settled.done, &mut settled.later] {
            // Locks are taken in one order everywhere.
            rows.sort_by(|one, other| one.get("actor").as_text().cmp(&other.get("actor").as_text()));
        }
        self.record_screened_actors(&results, settled).await
    }
}

/// How long after so many tries a provider is asked again.
pub fn wait_after(tries: i64) -> Duration {
    let doublings = u32::try_from(tries.clamp(0, 20)).unwrap_or_default();
    FIRST_WAIT.saturating_mul(2u32.saturating_pow(doublings)).min(LONGEST_WAIT)
}
