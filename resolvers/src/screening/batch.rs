//! All actors are screened against whole lists, and by all other providers, when somebody asks for it: their records may have come before actors were
//! screened, or before there was a provider.
//!
//! The job goes through all actors in the order of their ids, and keeps what is said of each, as of one that has come. Where a provider says nothing, the
//! actor waits to be screened ([`pending`](super::pending)), and the job goes on. A screening's id follows from job and actor, so that what is done again
//! after a crash changes nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::statements::rows::{PendingScreening, RecordedActorRow};
use cypher::{Params, Value, map, statements};
use futures::StreamExt;
use futures::stream;
use graph_schema::screening::ScreeningResponse;
use serde::{Deserialize, Serialize};

use super::facts::ActorFacts;
use super::pending::{PORTION, ScreenedPending, wait_after};
use super::provider::Provider;
use super::record::{ActorResults, Settled};
use super::run::screening_id;
use super::{IN_BACKGROUND, ScreenedActor};
use crate::clock::millis;
use crate::derived_id::digest_id;
use crate::jobs::{JobKind, Progress, Running, Stopped, Wanted};
use crate::long_reads::{RowStream, Source, StreamedRow};
use crate::policy::{Action, Subject as Object};
use crate::{Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

/// How often is noted how far it is.
const SAVED_EVERY: Duration = Duration::from_secs(1);
/// How long is waited for lists that are being loaded.
const LOADING: Duration = Duration::from_millis(500);

impl StreamedRow for RecordedActorRow {
    fn id(&self) -> &str {
        &self.id
    }
}

/// All actors are to be screened by all that is known now.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ScreenActors {}

/// How far it is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reached {
    /// Actors up to this one are done.
    actors_after: String,
    totals: ScreenedActors,
}

/// What it has come to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScreenedActors {
    /// Actors that were screened.
    actors: u64,
    /// Those of whom something was found.
    hits: u64,
    /// Those of whom a provider has said nothing: it is asked again when the job has ended.
    waiting: u64,
}

/// An actor of the job, and what is kept of it to screen it by.
struct Recorded {
    actor: Arc<ScreenedActor>,
    submission: String,
    /// The row for `screening/keep_facts`, where that was kept otherwise or not at all.
    facts: Option<Value>,
}

impl Resolvers {
    /// Starts the job that screens all actors; answers with its id. While one has not ended, that is the one.
    #[boxed]
    pub async fn start_screening_actors(&self, caller: &Caller, key: Option<IdempotencyKey>) -> Result<Arc<str>> {
        let inner = &self.inner;
        let permit = inner.enter(caller, Action::ScreenActors, Object::List("Actor"))?;
        if !inner.screens_actors() {
            let problem = "can't be done where the setting screening.actors names no operation with a provider that screens actors";
            return Err(Error::invalid("input", format!("{problem}; see AMLGRAPH_SCREENING__ACTORS")));
        }
        let wanted =
            Wanted { name: "Screening of all actors".to_owned(), deduplication_key: Some(ScreenActors::KIND.to_owned()), ..Wanted::default() };
        Ok(inner.start_job(&permit, &ScreenActors {}, wanted, Once { key, body: "" }).await?.text)
    }
}

impl JobKind for ScreenActors {
    const KIND: &'static str = "actor-batch-screening";
    type Checkpoint = Reached;
    type Result = ScreenedActors;

    async fn run(&self, mut reached: Reached, running: &Running) -> std::result::Result<ScreenedActors, Stopped> {
        let inner = &running.context().resolvers().inner;
        inner.await_lists().await?;
        let source = Source { keys: statements::actor::KEYS, rows: statements::screening::STREAM_RECORDS, params: Params::none() };
        let mut actors = RowStream::new(inner.long_reads.clone(), source, Some(&reached.actors_after));
        let mut saved = Instant::now();
        while let Some(page) = actors.next_page().await? {
            let mut rows = page.rows.into_iter();
            loop {
                let some: Vec<RecordedActorRow> = rows.by_ref().take(PORTION).collect();
                let Some(last) = some.last().map(|row| row.id.clone()) else { break };
                let more = inner.screen_recorded_actors(running.id(), some).await?;
                reached.totals.add(&more);
                reached.actors_after = last;
                if saved.elapsed() >= SAVED_EVERY {
                    running.save(&reached, reached.progress()).await?;
                    saved = Instant::now();
                }
            }
            reached.actors_after = page.until;
        }
        Ok(reached.totals)
    }
}

impl Reached {
    fn progress(&self) -> Progress {
        Progress { done: self.totals.actors, total: None }
    }
}

impl ScreenedActors {
    /// Of some actors. What was said of one before a crash counts as what is said now.
    fn of(screened: &[ScreenedPending], providers: &[Arc<Provider>], known: &HashMap<String, ScreeningResponse>) -> Self {
        let is_hit = |one: &&ScreenedPending| {
            let before = providers.iter().filter_map(|provider| known.get(&screening_id(&one.pending.submission, provider)).copied());
            let mut responses = one.said.iter().map(|said| said.result.response).chain(before);
            responses.any(|response| response == ScreeningResponse::Hit)
        };
        let hits = screened.iter().filter(is_hit).count() as u64;
        let waiting = screened.iter().filter(|one| one.is_silent).count() as u64;
        Self { actors: screened.len() as u64, hits, waiting }
    }

    fn add(&mut self, more: &Self) {
        self.actors += more.actors;
        self.hits += more.hits;
        self.waiting += more.waiting;
    }
}

impl Inner {
    /// Providers of whom all actors are asked about. Where there is no list, the first one that is imported screens all actors itself.
    fn batch_providers(&self) -> Vec<Arc<Provider>> {
        let providers = self.screening.of_actors(&self.settings.screening.actors);
        providers.into_iter().filter(|provider| !self.is_without_lists(provider)).collect()
    }

    /// Waits until this instance searches the versions of the lists that count now.
    async fn await_lists(&self) -> Result<()> {
        let Some(lists) = self.screening.lists() else { return Ok(()) };
        while !self.searches_what_counts(lists).await? {
            tokio::time::sleep(LOADING).await;
        }
        Ok(())
    }

    /// Screens some actors of a job.
    async fn screen_recorded_actors(&self, job: &str, rows: Vec<RecordedActorRow>) -> Result<ScreenedActors> {
        let providers = self.batch_providers();
        let actors: Vec<Recorded> = rows.into_iter().filter_map(|row| self.recorded(job, row)).collect();
        let ids: Vec<String> = actors.iter().flat_map(|one| providers.iter().map(|provider| screening_id(&one.submission, provider))).collect();
        let known = if ids.is_empty() { HashMap::new() } else { self.screening_results(ids).await? };
        let (mut asked, mut facts) = (Vec::with_capacity(actors.len()), Vec::new());
        for Recorded { actor, submission, facts: changed } in actors {
            facts.extend(changed);
            let id = actor.id.clone();
            let pending = PendingScreening { id: id.clone(), actor_id: id, submission, tries: 0 };
            asked.push(self.screen_pending_actor(pending, Some(actor), &providers, &known));
        }
        // Beside each other, as far as their turns let them.
        let screened: Vec<ScreenedPending> = stream::iter(asked).buffer_unordered(IN_BACKGROUND).collect().await;
        let totals = ScreenedActors::of(&screened, &providers, &known);
        self.keep_batch(screened, facts).await?;
        Ok(totals)
    }

    /// An actor by its record, whatever was kept of that before: it may be of another record, that came when actors were screened. Nothing where it can't be read.
    fn recorded(&self, job: &str, row: RecordedActorRow) -> Option<Recorded> {
        let facts = ActorFacts::of(&serde_json::from_str(&row.record).ok()?, &self.settings.placeholders);
        let submission = digest_id("batch-screening", &[job, &row.id]);
        let text = facts.text();
        let changed = (row.facts.as_ref() != Some(&text)).then(|| {
            map([
                ("id", row.id.as_str().into()),
                ("submission", submission.as_str().into()),
                ("logicalTime", row.logical_time.into()),
                ("facts", text.into()),
            ])
        });
        let actor = Arc::new(ScreenedActor { id: row.id, facts, record: Arc::from(row.record) });
        Some(Recorded { actor, submission, facts: changed })
    }

    /// Keeps what was said, and with it what actors were screened by: one whose screening is not kept is screened when its record comes again, and one of whom
    /// a provider has said nothing, which waits to be screened, is so by the same.
    async fn keep_batch(&self, screened: Vec<ScreenedPending>, facts: Vec<Value>) -> Result<()> {
        let due_at = self.clock.now().millis().saturating_add(millis(wait_after(0)));
        let (mut results, mut settled) = (Vec::with_capacity(screened.len()), Settled { facts, ..Settled::default() });
        for ScreenedPending { pending, actor, said, is_silent } in screened {
            let Some(actor) = actor else { continue };
            if is_silent {
                settled.awaited.push(map([
                    ("id", actor.id.as_str().into()),
                    ("name", actor.facts.name().unwrap_or(&actor.id).into()),
                    ("submission", pending.submission.into()),
                    ("tries", 1.into()),
                    ("dueAt", due_at.into()),
                ]));
            }
            if !said.is_empty() {
                results.push(ActorResults { actor, screened: said });
            }
        }
        // Locks are taken in one order everywhere.
        settled.awaited.sort_by(|one, other| one.get("id").as_text().cmp(&other.get("id").as_text()));
        self.record_screened_actors(&results, settled).await
    }
}
