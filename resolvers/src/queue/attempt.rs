//! Writing a batch: one transaction, tried again after a conflict, split when one of its rows is bad.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::{Engine, Params, Value, statements};
use rand::Rng;

use super::change::{AnyAnswer, AnyChange, Done};
use super::pace::{self, Pace, Way, likes};
use super::submission::{Part, Submission};
use super::{Trail, UnitOfWork, WriteError};
use crate::audit::Gatherer;
use crate::bulk::Awaited;
use crate::jobs::Waker;
use crate::{Error, Result};

/// How often a conflict is retried. With the waits below that is some four seconds.
const RETRIES: u32 = 10;
/// Into so many parts goes a batch that took too long.
const PARTS: usize = 8;
/// How long a part of a transaction that could not be made may take: as long as that took, within these bounds.
const LEAST_IN_PARTS: Duration = Duration::from_millis(500);
const MOST_IN_PARTS: Duration = Duration::from_secs(1);
/// One row that takes too long makes that its transaction does, then its part, then it alone. Where more do, the database is slow or plans statements, and a
/// plan is begun anew whenever it is broken off: then what is left has time.
const BY_ONE_ROW: usize = 3;
/// How long a write may take that has its transaction for itself.
const ALONE: Duration = Duration::from_secs(6);
/// How long it may take to find out whether something was written after all.
const LOOKING: Duration = Duration::from_secs(5);
/// How long a statement may go on whose connection was closed.
const ENDING: Duration = Duration::from_millis(300);

/// Writes batches.
pub(super) struct Writer {
    pub engine: Engine,
    /// Is told what was refused.
    pub gatherer: Gatherer,
    pub waker: Waker,
    /// Is told what was written, for those who wait for it.
    pub awaited: Awaited,
    pub pace: Pace,
}

/// What a transaction answers each submission: its answers, or why it was refused.
type Verdict = Result<Vec<AnyAnswer>>;

/// How an attempt went, for each submission: what it is told, or `None` when it goes again.
type Told = Vec<Option<Verdict>>;

/// Submissions that are written together.
struct Batch {
    submissions: Vec<Submission>,
    time: Time,
}

/// How long they may take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    /// As long as is usual.
    Usual,
    /// They are a part of what took too long, and may take as long again, or less.
    InParts(Duration),
    /// As long as one may take that has its transaction for itself: for one that took too long among others, and for all that is left where the database is slow.
    Alone,
}

/// What could not be written, and why.
struct Failed {
    error: cypher::Error,
    left: Vec<Submission>,
}

impl Writer {
    pub async fn write(&self, submissions: Vec<Submission>) {
        record_sizes(&submissions);
        let mut too_long = 0;
        let mut batches = VecDeque::from([Batch { submissions, time: Time::Usual }]);
        while let Some(mut batch) = batches.pop_front() {
            // What nobody waits for any more must not keep its place and its locks.
            batch.submissions.retain(|submission| !submission.is_given_up());
            let time = match batch.time {
                Time::InParts(_) if too_long > BY_ONE_ROW => Time::Alone,
                time => time,
            };
            let began = Instant::now();
            let Err(Failed { error, left }) = self.write_batch(batch.submissions, time).await else { continue };
            if error.is_outage() {
                self.pace.forget();
            }
            too_long += usize::from(matches!(error, cypher::Error::TimeLimit { .. }));
            match (&error, left.len()) {
                // The others are not to wait for it.
                (cypher::Error::TimeLimit { .. }, 1) if matches!(time, Time::InParts(_)) => {
                    batches.push_back(Batch { submissions: left, time: Time::Alone })
                }
                (error, 2..) if error.is_of_a_row() => {
                    let in_parts = match time {
                        Time::Usual => Time::InParts(began.elapsed().clamp(LEAST_IN_PARTS, MOST_IN_PARTS)),
                        time => time,
                    };
                    for submissions in split(left, error, time) {
                        batches.push_front(Batch { submissions, time: in_parts });
                    }
                }
                _ => left.into_iter().for_each(|submission| submission.tell(Err(WriteError::Database(error.clone())))),
            }
        }
    }

    /// How long writes may take together.
    fn limit(&self, writes: &[Submission], way: Way, time: Time) -> Duration {
        match (time, &self.engine) {
            (Time::Alone, _) => ALONE,
            (Time::InParts(limit), _) => limit,
            (Time::Usual, _) if writes.len() == 1 => ALONE,
            // Nobody else can hold a lock that one of them waits for.
            (Time::Usual, Engine::Embedded(_)) => pace::MOST,
            (Time::Usual, Engine::Bolt(_)) => self.pace.limit(&likes(writes, way)),
        }
    }

    /// Notes how it went with writes that are made together.
    fn note<T>(&self, writes: &[Submission], way: Way, began: Instant, outcome: &std::result::Result<T, cypher::Error>) {
        match outcome {
            _ if writes.len() == 1 => {}
            Ok(_) => self.pace.took(&likes(writes, way), began.elapsed()),
            Err(cypher::Error::TimeLimit { .. }) => self.pace.gave_up(&likes(writes, way), began.elapsed()),
            Err(_) => {}
        }
    }

    /// Tries until all are told; on an error returns those that are not.
    async fn write_batch(&self, submissions: Vec<Submission>, time: Time) -> std::result::Result<(), Failed> {
        let mut left = self.write_at_once(submissions, time).await?;
        let mut tried = 0;
        while !left.is_empty() {
            let began = Instant::now();
            let outcome = self.attempt(&left, self.limit(&left, Way::InSteps, time)).await;
            self.note(&left, Way::InSteps, began, &outcome);
            match outcome {
                Ok(told) => {
                    let mut again = Vec::new();
                    for (submission, told) in left.drain(..).zip(told) {
                        match told {
                            Some(Ok(answers)) => self.tell(submission, answers),
                            Some(Err(error)) => self.refuse(submission, error),
                            None => again.push(submission),
                        }
                    }
                    left = again;
                }
                Err(error) if error.is_conflict() && tried < RETRIES => {
                    tried += 1;
                    pause(tried, &left).await;
                }
                Err(error) => return Err(Failed { error, left }),
            }
        }
        Ok(())
    }

    /// Tells who waits for a write that was made, and the job of those that wait for what it has written.
    fn tell(&self, submission: Submission, answers: Vec<AnyAnswer>) {
        let arrived = submission.parts.iter().flat_map(Part::written).filter(|(label, id)| self.awaited.arrived(label, id));
        if arrived.count() > 0 {
            self.waker.wake(crate::bulk::JOB);
        }
        submission.tell(Ok(answers));
    }

    /// Tells the audit log, then who waits; the transactions to come do not wait for that.
    pub(super) fn refuse(&self, submission: Submission, error: Error) {
        let gatherer = self.gatherer.clone();
        tokio::spawn(async move {
            for part in &submission.parts {
                gatherer.tell(part.entry.refused()).await;
            }
            submission.tell(Err(WriteError::Refused(error)));
        });
    }

    /// What has a faster way takes it; returns what is left.
    async fn write_at_once(&self, batch: Vec<Submission>, time: Time) -> std::result::Result<Vec<Submission>, Failed> {
        let keeps_to_itself = batch.first().filter(|first| first.company().is_some());
        let Some(change) = keeps_to_itself.and_then(|first| first.parts.first()).map(|part| part.change) else { return Ok(batch) };
        let limit = self.limit(&batch, Way::AtOnce, time);
        let mut tried = 0;
        loop {
            // A write without company has one part.
            let items = batch.iter().flat_map(Submission::items).collect();
            let began = Instant::now();
            let outcome = change.at_once(&self.engine, limit, items).await;
            self.note(&batch, Way::AtOnce, began, &outcome);
            match outcome {
                Ok(answers) => {
                    self.waker.wake(crate::change_feed::JOB);
                    let mut unwritten = Vec::new();
                    for (submission, answer) in batch.into_iter().zip(answers) {
                        match answer {
                            Some(answer) => self.tell(submission, vec![answer]),
                            None => unwritten.push(submission),
                        }
                    }
                    return Ok(unwritten);
                }
                Err(error) if error.is_conflict() && tried < RETRIES => {
                    tried += 1;
                    pause(tried, &batch).await;
                }
                // It may be there: the careful way finds that out, if the database answers at all.
                Err(error) if may_be_written(&error) && !self.written(&batch, &error).await.is_empty() => {
                    tracing::warn!(%error, "{FOUND_OUT}");
                    return Ok(batch);
                }
                Err(error) => return Err(Failed { error, left: batch }),
            }
        }
    }

    /// One transaction.
    async fn attempt(&self, batch: &[Submission], limit: Duration) -> std::result::Result<Told, cypher::Error> {
        let mut unit = UnitOfWork::new(self.engine.clone(), self.waker.clone(), limit);
        let outcomes = match apply_all(&mut unit, batch).await {
            Ok(outcomes) => outcomes,
            Err(error) => {
                unit.abandon().await;
                return Err(error);
            }
        };
        if outcomes.iter().any(|parts| parts.iter().any(Result::is_ok) && parts.iter().any(Result::is_err)) {
            // A submission has one part that was refused and one that was written: all is undone, and goes again without those that were refused.
            unit.abandon().await;
            return Ok(outcomes.into_iter().map(|parts| first_refusal(parts).map(Err)).collect());
        }
        let mut trail = Trail::default();
        let mut verdicts = Vec::with_capacity(batch.len());
        for (submission, parts) in batch.iter().zip(outcomes) {
            verdicts.push(leave(submission, parts, &mut trail));
        }
        match unit.finish(trail).await {
            Ok(()) => Ok(verdicts.into_iter().map(Some).collect()),
            // An audit entry of its own is in the way, or the answer was lost: it may have been committed all the same.
            Err(error) if may_be_written(&error) || matches!(error, cypher::Error::Constraint { .. }) => {
                let written = self.written(batch, &error).await;
                if written.is_empty() {
                    return Err(error);
                }
                tracing::warn!(%error, "{FOUND_OUT}");
                Ok(batch.iter().zip(verdicts).map(|(submission, verdict)| told_before(submission, verdict, &written)).collect())
            }
            Err(error) => Err(error),
        }
    }

    /// Which of the batch's audit entries are in the store; none when that can't be found out.
    async fn written(&self, batch: &[Submission], error: &cypher::Error) -> HashSet<String> {
        // What goes again meets what was committed a moment later; of a lone one this is the last that is asked.
        if batch.len() == 1 && matches!(error, cypher::Error::TimeLimit { .. }) {
            tokio::time::sleep(ENDING).await;
        }
        let ids: Vec<&str> = batch.iter().flat_map(|submission| &submission.parts).map(|part| part.entry.id()).collect();
        let found = self.engine.read_as(statements::trail::WRITTEN, Params::none().with("ids", ids), LOOKING).await;
        found.map(|rows| rows.into_iter().map(|row| row.id).collect()).unwrap_or_default()
    }
}

/// What is logged of it.
const FOUND_OUT: &str = "writes had been committed although the database said otherwise";

/// Whether what failed so may have been committed all the same: the answer was lost, or a statement was cut off that is a transaction of its own.
fn may_be_written(error: &cypher::Error) -> bool {
    matches!(error, cypher::Error::OutcomeUnknown { .. } | cypher::Error::TimeLimit { .. })
}

/// What a submission is told when its transaction was not committed: a refusal stands, and so does an answer whose entries are there already.
fn told_before(submission: &Submission, verdict: Verdict, written: &HashSet<String>) -> Option<Verdict> {
    let is_written = submission.parts.iter().all(|part| written.contains(part.entry.id()));
    (verdict.is_err() || is_written).then_some(verdict)
}

/// Applies all parts, kind by kind in the order of their ranks; answers for each submission and part.
async fn apply_all(unit: &mut UnitOfWork, batch: &[Submission]) -> std::result::Result<Vec<Vec<Result<Done<AnyAnswer>>>>, cypher::Error> {
    /// A part's place: of which submission, and which of its parts.
    type Place = (usize, usize);
    /// In the order in which kinds are written.
    type Kind = (super::Rank, &'static str, TypeId);
    let mut kinds: BTreeMap<Kind, (&'static dyn AnyChange, Vec<Place>)> = BTreeMap::new();
    for (at, submission) in batch.iter().enumerate() {
        for (part_at, part) in submission.parts.iter().enumerate() {
            let kind = (part.change.rank(), part.change.name(), part.change.kind());
            kinds.entry(kind).or_insert((part.change, Vec::new())).1.push((at, part_at));
        }
    }
    let mut outcomes: Vec<Vec<Option<Result<Done<AnyAnswer>>>>> =
        batch.iter().map(|submission| submission.parts.iter().map(|_| None).collect()).collect();
    for (change, mut places) in kinds.into_values() {
        // Locks are taken in one order everywhere. The sort is stable: of two writes of one object the later stays the later.
        places.sort_by(|a, b| batch[a.0].parts[a.1].entry.object_id().cmp(batch[b.0].parts[b.1].entry.object_id()));
        let items: Vec<_> = places.iter().map(|(at, part)| batch[*at].item(*part)).collect();
        let applied = change.apply(unit, items).await?;
        for ((at, part), outcome) in places.into_iter().zip(applied) {
            outcomes[at][part] = Some(outcome);
        }
    }
    let answered = |outcome: Option<Result<Done<AnyAnswer>>>| outcome.unwrap_or_else(|| Err(Error::Internal("a row without an answer".into())));
    Ok(outcomes.into_iter().map(|parts| parts.into_iter().map(answered).collect()).collect())
}

/// What a submission leaves behind goes into the trail; its answers, or why it was refused.
fn leave(submission: &Submission, parts: Vec<Result<Done<AnyAnswer>>>, trail: &mut Trail) -> Verdict {
    let done: Vec<Done<AnyAnswer>> = parts.into_iter().collect::<Result<_>>()?;
    let mut answers = Vec::with_capacity(done.len());
    let mut kept = None;
    for (part, done) in submission.parts.iter().zip(done) {
        trail.entries.extend(done.entry.map(|values| part.entry.row(&values)));
        trail.events.extend(done.events);
        answers.push(done.answer);
        kept = done.kept.or(kept);
    }
    trail.keys.extend(submission.key.clone().map(|key| with_answer(key, kept)));
    Ok(answers)
}

/// The row of an idempotency key, with what was decided to be answered in place of what was expected.
fn with_answer(mut key: Value, decided: Option<Arc<str>>) -> Value {
    if let (Value::Map(fields), Some(decided)) = (&mut key, decided) {
        fields.iter_mut().filter(|(name, _)| name == "answer").for_each(|(_, answer)| *answer = decided.as_ref().into());
    }
    key
}

fn first_refusal(parts: Vec<Result<Done<AnyAnswer>>>) -> Option<Error> {
    parts.into_iter().find_map(Result::err)
}

/// Smaller batches, the last of which goes first: the caller puts each in front. Which row breaks a rule is told at once, so that halves find it
/// quickly. Every batch that has a row that takes too long costs as much again, so that there are few such: the parts of the first, and single rows of one of
/// these. What is much larger than all others goes alone and last.
fn split(mut left: Vec<Submission>, error: &cypher::Error, time: Time) -> Vec<Vec<Submission>> {
    if !matches!(error, cypher::Error::TimeLimit { .. }) {
        let second = left.split_off(left.len() / 2);
        return vec![second, left];
    }
    let total: usize = left.iter().map(Submission::size).sum();
    if let Some(heavy) = left.iter().position(|submission| submission.size() * 2 > total) {
        let heavy = left.remove(heavy);
        return vec![vec![heavy], left];
    }
    let each = if time == Time::Usual { left.len().div_ceil(PARTS) } else { 1 };
    let mut parts = Vec::new();
    while !left.is_empty() {
        let rest = left.split_off(each.min(left.len()));
        parts.push(std::mem::replace(&mut left, rest));
    }
    parts.reverse();
    parts
}

/// Waits a little longer each time, and never as long as another.
async fn pause(tried: u32, batch: &[Submission]) {
    let operation = batch.first().and_then(|first| first.parts.first()).map_or("none", |part| part.change.name());
    metrics::counter!("amlgraph_batch_retries_total", "operation" => operation).increment(1);
    let most = 5u64 << tried.min(7);
    let wait = rand::rng().random_range(most / 2..=most);
    tokio::time::sleep(Duration::from_millis(wait)).await;
}

fn record_sizes(batch: &[Submission]) {
    let mut sizes: BTreeMap<&'static str, usize> = BTreeMap::new();
    for part in batch.iter().flat_map(|submission| &submission.parts) {
        *sizes.entry(part.change.name()).or_default() += 1;
    }
    for (operation, rows) in sizes {
        metrics::histogram!("amlgraph_batch_rows", "operation" => operation).record(rows as f64);
    }
}
