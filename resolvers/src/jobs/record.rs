//! What the graph holds of jobs: one node each.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use cypher::statements::rows::JobState;
use cypher::{Engine, Params, Value, map, statements};
use graph_schema::date::Timestamp;
use queries::ReadCache;

use super::Next;
use super::lease::Renewed;

/// A look that takes longer is given up; the next one is a second later.
const LOOK_LIMIT: Duration = Duration::from_secs(2);
/// When a job is due that waits to be woken: the last millisecond of the year 9999.
pub const NEVER: i64 = 253_402_300_799_999;
/// How long after a first failure a job is tried again; twice as long after each further one in a row ...
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// ... but no longer than this.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// How one job stands, for the workers of all processes. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// How often it was claimed: whoever claims says what he saw, so that what was done meanwhile is not done again.
    pub runs: i64,
    pub due_at: i64,
    /// After a failure it is left alone until then.
    pub rest_until: i64,
    pub lease_until: i64,
    /// In a row.
    pub failures: i64,
    /// The last success, or when it was first known.
    pub succeeded_at: i64,
    /// Something waits for it in the graph.
    pub work_waits: bool,
}

/// Whether something is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// It can be claimed now.
    Now,
    /// Somebody is at it, or it rests after a failure.
    Later,
    /// There is nothing to do.
    Not,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Done(Next),
    Failed,
    /// This process stops.
    BrokenOff,
}

impl Standing {
    /// Whether it is due; `woken` says so whatever the graph says.
    pub fn due(&self, now: Timestamp, woken: Woken) -> Due {
        let now = now.millis();
        if self.lease_until > now {
            return Due::Later;
        }
        if woken == Woken::No && !self.work_waits && self.due_at > now {
            return Due::Not;
        }
        if self.rest_until > now { Due::Later } else { Due::Now }
    }

    /// The same for a job that needs no lease: it is due while something waits for it.
    pub fn waits(&self, woken: Woken) -> Due {
        if woken == Woken::Yes || self.work_waits { Due::Now } else { Due::Not }
    }

    fn of(state: JobState) -> Self {
        let JobState { runs, due_at, rest_until, lease_until, holder: _, failures, succeeded_at } = state;
        Self { runs, due_at, rest_until, lease_until, failures, succeeded_at, work_waits: false }
    }

    /// What is noted when a run that began from here has ended.
    fn after(&self, outcome: Outcome, now: Timestamp) -> Value {
        let now = now.millis();
        match outcome {
            Outcome::Done(next) => {
                let due_at = match next {
                    Next::AtOnce | Next::InAMoment(_) => now,
                    Next::WhenWoken => NEVER,
                    Next::After(wait) => now + millis(wait),
                };
                map([("dueAt", due_at.into()), ("restUntil", 0.into()), ("failures", 0.into()), ("succeededAt", now.into())])
            }
            Outcome::Failed => {
                let failures = self.failures + 1;
                map([("dueAt", now.into()), ("restUntil", (now + millis(wait_after(failures))).into()), ("failures", failures.into())])
            }
            Outcome::BrokenOff => map([("dueAt", now.into()), ("failures", self.failures.into())]),
        }
    }
}

/// Whether a job was woken in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Woken {
    Yes,
    No,
}

/// How long after so many failures in a row it is tried again.
pub fn wait_after(failures: i64) -> Duration {
    let doublings = u32::try_from((failures - 1).clamp(0, 20)).unwrap_or_default();
    (FIRST_WAIT * 2u32.pow(doublings)).min(LONGEST_WAIT)
}

/// A span of time as the graph has it.
pub(super) fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(NEVER)
}

/// The nodes of jobs, for one worker.
pub(super) struct Records {
    pub engine: Engine,
    /// What stands in a lease: nobody else's.
    pub holder: String,
    /// Where it matters whether other workers are at work.
    pub others: Option<Others>,
}

/// So many looks in a row find a worker strange before that is told: one that has just come may not have been seen yet by who follows it.
const STRANGE_LOOKS: usize = 5;

/// The workers of other processes that do not tell the read cache what they write.
pub(super) struct Others {
    cache: ReadCache,
    /// Until when the leases of others were at the first look: those of a process that has died are never longer.
    first_until: OnceLock<i64>,
    /// Looks in a row that have found one.
    looks: AtomicUsize,
    are_told: AtomicBool,
}

impl Others {
    pub fn seen_by(cache: ReadCache) -> Self {
        Self { cache, first_until: OnceLock::new(), looks: AtomicUsize::new(0), are_told: AtomicBool::new(false) }
    }

    /// Logs that there is one, once. `leases`: holders, and until when.
    fn note(&self, leases: &[(&str, i64)]) {
        let first_until = *self.first_until.get_or_init(|| leases.iter().map(|(_, until)| *until).max().unwrap_or_default());
        if !leases.iter().any(|(holder, until)| *until > first_until && self.cache.is_strange(holder)) {
            return self.looks.store(0, Ordering::Relaxed);
        }
        let looks = self.looks.fetch_add(1, Ordering::Relaxed) + 1;
        if looks >= STRANGE_LOOKS && !self.are_told.swap(true, Ordering::Relaxed) {
            tracing::error!("another process works on this store without `cache.bytes`: what it writes shows up to a minute late here");
        }
    }
}

/// Who has the lease of a job, or had the last, and until when.
fn lease_of(state: &JobState) -> Option<(&str, i64)> {
    let holder = state.holder.as_deref().filter(|holder| !holder.is_empty())?;
    Some((holder, state.lease_until))
}

type Answer<T> = Result<T, cypher::Error>;

impl Records {
    /// How jobs stand, those that have a node.
    pub async fn look(&self, names: &[&'static str], now: Timestamp) -> Answer<Vec<(&'static str, Standing)>> {
        let params = Params::none().with("ids", names.to_vec()).with("now", now.millis());
        let rows = self.engine.read_as(statements::job::LOOK, params, LOOK_LIMIT).await?;
        let mut found: Vec<(&'static str, Standing)> = Vec::new();
        let mut waiting = Vec::new();
        if let Some(others) = &self.others {
            let leases = rows.iter().filter_map(|row| lease_of(row.state.as_ref()?)).filter(|(holder, _)| *holder != self.holder);
            others.note(&leases.collect::<Vec<_>>());
        }
        for row in rows {
            let Some(name) = names.iter().find(|name| **name == row.id) else { continue };
            match row.state {
                None => waiting.push(*name),
                Some(state) => found.push((*name, Standing::of(state))),
            }
        }
        for (name, standing) in &mut found {
            standing.work_waits = waiting.contains(name);
        }
        Ok(found)
    }

    /// Gives jobs their nodes; they are due at once.
    pub async fn enlist(&self, names: &[&'static str], now: Timestamp) -> Answer<()> {
        let row = |name: &&'static str| {
            let now = Value::from(now.millis());
            let props = map([
                ("name", (*name).into()),
                ("createdAt", now.clone()),
                ("dueAt", now),
                ("restUntil", 0.into()),
                ("leaseUntil", 0.into()),
                ("runs", 0.into()),
                ("failures", 0.into()),
            ]);
            map([("id", (*name).into()), ("props", props)])
        };
        self.engine.write(statements::job::ENLIST, Params::rows(names.iter().map(row).collect())).await.map(drop)
    }

    /// Takes a lease; false when somebody else was first.
    pub async fn claim(&self, name: &str, standing: &Standing, now: Timestamp, lease: Duration) -> Answer<bool> {
        let params = self.of(name).with("runs", standing.runs).with("now", now.millis()).with("until", now.millis() + millis(lease));
        match self.engine.write_as(statements::job::CLAIM, params).await {
            Err(error) if error.is_conflict() => Ok(false),
            outcome => outcome.map(|rows| !rows.is_empty()),
        }
    }

    /// Makes a lease longer.
    pub async fn renew(&self, name: &str, now: Timestamp, lease: Duration) -> Answer<Renewed> {
        let params = self.of(name).with("until", now.millis() + millis(lease));
        let rows = self.engine.write_as(statements::job::RENEW, params).await?;
        Ok(if rows.is_empty() { Renewed::Lost } else { Renewed::Yes })
    }

    /// Lets go of a job that was claimed from `standing`; false when the lease was lost before.
    pub async fn release(&self, name: &str, standing: &Standing, outcome: Outcome, now: Timestamp) -> Answer<bool> {
        let params = self.of(name).with("props", standing.after(outcome, now));
        self.engine.write_as(statements::job::RELEASE, params).await.map(|rows| !rows.is_empty())
    }

    fn of(&self, name: &str) -> Params {
        Params::none().with("id", name).with("holder", self.holder.as_str())
    }
}
