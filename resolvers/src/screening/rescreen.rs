//! All actors are screened again when a list changes: against what a version has added or changed, not against the whole list.
//!
//! The job is queued in the transaction that makes the version count. It takes the version's entries in parts, makes an index of each, and goes through all
//! actors with it in the order of their ids, in memory. What is found is written as it is found; of an actor that nothing is found of, nothing is. A
//! screening's id follows from version, part and actor, so that what is done again after a crash changes nothing.

use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::screening::Index;
use cypher::statements::rows::ScreenedActorRow;
use cypher::{Params, Value, statements};
use futures::StreamExt;
use futures::stream;
use graph_schema::screening::ScreeningResponse;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::cleared::{PATIENT_LOOK, PartyKey};
use super::lists::{LoadedList, entry, matches_in};
use super::provider::Provider;
use super::record::{ActorResults, Settled};
use super::result::{Match, ProviderResult};
use super::run::{Screened, screening_id};
use super::{ScreenedActor, Subject};
use crate::derived_id::digest_id;
use crate::jobs::{DoneBy, JobKind, Progress, Running, Stopped, Wanted, row_of};
use crate::long_reads::{RowStream, Source, StreamedRow};
use crate::policy::{CredentialType, Identified, Permit, Role};
use crate::watchlist::version_id;
use crate::{Caller, Error, Inner, Result, Roles};

/// About so many entries are one part, whose index is in memory.
const PART: usize = 100_000;
/// Actors that are searched for in one turn: somebody who waits for a search waits for no more than these.
const TOGETHER: usize = 100;
/// Actors whose hits are kept in one transaction.
const KEPT_TOGETHER: usize = 100;
/// How often is noted how far it is.
const SAVED_EVERY: Duration = Duration::from_secs(1);

impl StreamedRow for ScreenedActorRow {
    fn id(&self) -> &str {
        &self.id
    }
}

/// All actors are to be screened against what a version of a list has added or changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RescreenActors {
    /// The list's id.
    list: String,
    version: i64,
}

/// How far it is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reached {
    /// Entries up to this one are done.
    entries_after: String,
    /// The part that is under way ends with this one.
    entries_until: Option<String>,
    /// Actors up to this one are done with that part.
    actors_after: String,
    totals: Rescreened,
}

/// What it has come to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rescreened {
    /// Entries that actors were compared with.
    entries: u64,
    /// Actors that were compared; of a version of several parts each once for each.
    actors: u64,
    /// Actors of whom something was found.
    hits: u64,
    /// Matches that were left out, because somebody has cleared them.
    cleared: u64,
}

/// Some of what a version has brought.
struct Part {
    entries: Arc<LoadedList>,
    count: u64,
    /// The last entry.
    until: String,
}

impl JobKind for RescreenActors {
    const KIND: &'static str = "actor-rescreening";
    type Checkpoint = Reached;
    type Result = Rescreened;

    async fn run(&self, mut reached: Reached, running: &Running) -> std::result::Result<Rescreened, Stopped> {
        let inner = &running.context().resolvers().inner;
        if inner.rescreening_providers().is_empty() {
            return Ok(reached.totals);
        }
        while let Some(part) = inner.changed_part(self, &reached).await? {
            if reached.entries_until.is_none() {
                reached.entries_until = Some(part.until.clone());
                reached.totals.entries += part.count;
                running.save(&reached, reached.progress()).await?;
            }
            if part.count > 0 {
                inner.rescreen(self, &part, &mut reached, running).await?;
            }
            reached.entries_after = part.until;
            reached.entries_until = None;
            reached.actors_after.clear();
            running.save(&reached, reached.progress()).await?;
        }
        Ok(reached.totals)
    }
}

impl Reached {
    fn progress(&self) -> Progress {
        Progress { done: self.totals.actors, total: None }
    }
}

impl RescreenActors {
    fn version_id(&self) -> String {
        version_id(&self.list, self.version)
    }
}

impl Inner {
    /// The row of the job that screens all actors against what a version brings, in the name of whoever has imported it; nothing where actors are not screened
    /// against lists.
    pub(crate) fn rescreening_row(&self, (list, name, version): (&str, &str, i64), (by, by_name): (&str, &str)) -> Result<Option<Value>> {
        if self.rescreening_providers().is_empty() {
            return Ok(None);
        }
        let job = RescreenActors { list: list.to_owned(), version };
        let payload = serde_json::to_string(&job).map_err(|error| Error::Internal(error.to_string()))?;
        let wanted = Wanted { name: format!("Screening of all actors against {name}, version {version}"), ..Wanted::default() };
        let (id, name, roles) = (by.to_owned(), by_name.to_owned(), Roles::from(Role::Ingest));
        let author = Identified { id, name, roles, means: CredentialType::System, expires_at: None, follows_groups: false, user: None };
        let author = Caller::new(author, None, "none".into());
        let row = row_of(&author, &self.clock.id(), self.clock.now(), (RescreenActors::KIND, &payload, wanted), DoneBy::Workers);
        Ok(Some(row))
    }

    /// Providers that search the lists in the store, and screen actors.
    fn rescreening_providers(&self) -> Vec<Arc<Provider>> {
        self.screening.of_actors(&self.settings.screening.actors).into_iter().filter(|provider| provider.searches_watchlists()).collect()
    }

    /// The part that is under way, or the next one; nothing at the end. What another version has ended or changed since is left out: of what it has changed,
    /// its own job is to find whom it is.
    async fn changed_part(&self, job: &RescreenActors, reached: &Reached) -> Result<Option<Part>> {
        let lists = self.shown_watchlists(&Permit::of_service()).await?;
        let counting = lists.iter().find(|list| list.id == job.list).map_or(job.version, |list| list.version);
        let params = Params::none().with("version", job.version_id()).with("position", counting);
        let source = Source { keys: statements::watchlist::CHANGED_IDS, rows: statements::watchlist::STANDING, params };
        let mut stream = RowStream::new(self.long_reads.clone(), source, Some(&reached.entries_after));
        let end = reached.entries_until.as_deref();
        let (mut entries, mut last) = (Vec::new(), None);
        while let Some(page) = stream.next_page().await? {
            let is_end = end.is_some_and(|end| page.until.as_str() >= end);
            entries.extend(page.rows.into_iter().filter(|row| end.is_none_or(|end| row.id.as_str() <= end)).map(entry));
            last = Some(page.until);
            if is_end || (end.is_none() && entries.len() >= PART) {
                break;
            }
        }
        let Some(until) = end.map(str::to_owned).or(last) else { return Ok(None) };
        let count = entries.len() as u64;
        let scoring = self.settings.screening.scoring;
        let built = tokio::task::spawn_blocking(move || Index::new(entries).scored_by(scoring)).await;
        let index = built.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Some(Part { entries: Arc::new(LoadedList { id: job.list.clone(), version: job.version, index }), count, until }))
    }

    /// Screens all actors that are left against a part.
    async fn rescreen(&self, job: &RescreenActors, part: &Part, reached: &mut Reached, running: &Running) -> std::result::Result<(), Stopped> {
        let source = Source { keys: statements::actor::KEYS, rows: statements::screening::STREAM_ACTORS, params: Params::none() };
        let mut actors = RowStream::new(self.long_reads.clone(), source, Some(&reached.actors_after));
        let mut saved = Instant::now();
        while let Some(page) = actors.next_page().await? {
            let count = page.rows.len() as u64;
            let found = self.find_actors(&part.entries, page.rows).await?;
            self.record_rescreened((job, part), found, &mut reached.totals).await?;
            reached.totals.actors += count;
            reached.actors_after = page.until;
            if saved.elapsed() >= SAVED_EVERY {
                running.save(&*reached, reached.progress()).await?;
                saved = Instant::now();
            }
        }
        Ok(())
    }

    /// Which of some actors may be among the entries, and as whom.
    async fn find_actors(&self, entries: &Arc<LoadedList>, rows: Vec<ScreenedActorRow>) -> Result<Vec<(ScreenedActor, Vec<Match>)>> {
        let Some(lists) = self.screening.lists() else { return Ok(Vec::new()) };
        // Half of the processors, so that who waits for a search finds one.
        let beside = std::thread::available_parallelism().map_or(1, NonZero::get).div_ceil(2);
        let mut searches = Vec::with_capacity(rows.len().div_ceil(TOGETHER));
        let mut actors = rows.into_iter().filter_map(|row| ScreenedActor::stored(row, &self.settings.placeholders));
        loop {
            let some: Vec<ScreenedActor> = actors.by_ref().take(TOGETHER).collect();
            if some.is_empty() {
                break;
            }
            searches.push(find(Arc::clone(entries), some, lists.turns()));
        }
        let mut searched = stream::iter(searches).buffer_unordered(beside);
        let mut found = Vec::new();
        while let Some(some) = searched.next().await {
            found.extend(some?);
        }
        Ok(found)
    }

    async fn record_rescreened(
        &self,
        (job, part): (&RescreenActors, &Part),
        found: Vec<(ScreenedActor, Vec<Match>)>,
        totals: &mut Rescreened,
    ) -> Result<()> {
        let providers = self.rescreening_providers();
        let version = job.version_id();
        let mut results = Vec::with_capacity(found.len());
        for (actor, matches) in found {
            let submission = digest_id("rescreening", &[&version, &part.until, &actor.id]);
            let screened = |provider: &Arc<Provider>| Screened {
                id: screening_id(&submission, provider),
                provider: Arc::clone(provider),
                result: ProviderResult::hit(matches.clone()).of_lists(vec![version.clone()]),
            };
            let mut screened: Vec<Screened> = providers.iter().map(screened).collect();
            let key = PartyKey::of(Subject::Actor(&actor), None);
            self.leave_out_cleared(key.as_ref(), &mut screened, PATIENT_LOOK).await;
            totals.hits += u64::from(screened.iter().any(|one| one.result.response == ScreeningResponse::Hit));
            totals.cleared += screened.first().map_or(0, |one| one.result.cleared.len() as u64);
            results.push(ActorResults { actor: Arc::new(actor), screened });
        }
        for some in results.chunks(KEPT_TOGETHER) {
            self.record_screened_actors(some, Settled::default()).await?;
        }
        Ok(())
    }
}

/// Searches for some actors, when it is their turn.
async fn find(entries: Arc<LoadedList>, actors: Vec<ScreenedActor>, turns: Arc<Semaphore>) -> Result<Vec<(ScreenedActor, Vec<Match>)>> {
    // It is never closed.
    let turn = turns.acquire_owned().await;
    let searched = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let mut searcher = entries.index.searcher();
        let mut found = Vec::new();
        for actor in actors {
            let Some(party) = actor.facts.party() else { continue };
            let matches = matches_in(&entries, &mut searcher, &party);
            if !matches.is_empty() {
                found.push((actor, matches));
            }
        }
        found
    });
    searched.await.map_err(|error| Error::Internal(error.to_string()))
}
