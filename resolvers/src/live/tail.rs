//! The tail of the change feed: one task of the process looks for all who follow, and is there only while somebody does.
//!
//! It looks at once where this process has given positions. Otherwise it looks often while changes come, and once a second while none do; the same statement
//! says which credentials of open connections have ended. What it finds it keeps in memory ([`super::memory`]), bounded; who is further behind reads
//! sets of the store, which all share who are as far behind.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cypher::statements::live as statements;
use cypher::{Engine, Error, Params};
use futures::FutureExt;
use moka::future::Cache;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::Instant;

use super::change::{ReadSets, Topic, read_sets};
use super::credentials::{CredentialIds, Credentials, RolesByGroups, Standing};
use super::memory::{Bounds, Memory};
use crate::change_feed::{BETWEEN_LOOKS, LOOK, LOOKS_FOR_SETS, state};

/// How often is looked while nothing comes, and how long a revoked credential is good here at most.
const IDLE: Duration = Duration::from_secs(1);
/// The same right behind a change.
const BUSY: Duration = Duration::from_millis(50);
/// Looks are never closer than this.
const APART: Duration = Duration::from_millis(20);
/// Credentials are left out of looks that come sooner than this behind the last one that had them: there may be thousands.
const CREDENTIALS_APART: Duration = Duration::from_millis(700);
/// From so many new sets on the memory begins anew behind them: who follows reads them from the store.
const MOST_NEW: i64 = 5_000;
/// So many sets one look of the task reads at a time.
const AT_A_TIME: i64 = 64;
/// How many looks in a row may come to nothing, the database being there, before the memory begins anew.
const MISSES: usize = 50;
/// How many reads of the store are under way for those who are behind.
const READS: usize = 4;
/// How many changes of sets that were read are kept for others who are as far behind.
const KEPT_OF_READS: u64 = 50_000;
/// How long nobody needs to ask for them.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// The tail. Cheap to clone; all clones share.
#[derive(Clone)]
pub(crate) struct Tail(Arc<Shared>);

pub(super) struct Shared {
    memory: Mutex<Memory>,
    /// For each topic: there is more in memory, or the memory has begun anew.
    more: [watch::Sender<()>; Topic::ALL.len()],
    present: Mutex<Present>,
    credentials: Credentials,
    roles_of: RolesByGroups,
    /// Rung where this process has given positions, and where somebody comes.
    bell: Notify,
    /// Sets that were read for those who are behind, by where they begin and end.
    reads: Cache<(i64, i64), Arc<ReadSets>>,
    reading: Semaphore,
    /// How often it was asked for the last set, and what came of the last time. Only who holds this asks.
    asked: AtomicU64,
    last: tokio::sync::Mutex<(u64, Result<i64, Error>)>,
}

/// Who is there.
#[derive(Debug, Default)]
struct Present {
    followers: usize,
    credentials: usize,
    /// Whether the task is there.
    is_served: bool,
}

/// Why sets can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// They are kept no more; the memory knows by now.
    Forgotten,
    /// The database can't be used now.
    Away,
    /// The database does not find them yet, or what it has is not understood.
    Missing,
}

/// For whom the task is there, until this is dropped.
pub(super) struct Seat {
    shared: Arc<Shared>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Follower,
    Credential,
}

impl Tail {
    pub(super) fn new(roles_of: RolesByGroups) -> Self {
        let weight = |_: &(i64, i64), read: &Arc<ReadSets>| u32::try_from(read.changes.len() + 1).unwrap_or(u32::MAX);
        Self(Arc::new(Shared {
            memory: Mutex::new(Memory::new(Bounds::SERVICE)),
            more: Topic::ALL.map(|_| watch::Sender::new(())),
            present: Mutex::default(),
            credentials: Credentials::default(),
            roles_of,
            bell: Notify::new(),
            reads: Cache::builder().max_capacity(KEPT_OF_READS).weigher(weight).time_to_idle(KEPT_FOR).build(),
            reading: Semaphore::new(READS),
            asked: AtomicU64::new(0),
            last: tokio::sync::Mutex::new((0, Ok(0))),
        }))
    }

    /// Says that sets have got their positions.
    pub(crate) fn ring(&self) {
        self.0.bell.notify_one();
    }

    /// Somebody follows. The first one starts the task.
    pub(super) fn follow(&self, engine: &Engine) -> Seat {
        self.sit(engine, Kind::Follower)
    }

    /// Somebody's credential is watched. The first one starts the task.
    pub(super) fn watch(&self, engine: &Engine) -> Seat {
        self.sit(engine, Kind::Credential)
    }

    fn sit(&self, engine: &Engine, kind: Kind) -> Seat {
        let mut present = self.0.present();
        *present.of(kind) += 1;
        if !present.is_served {
            present.is_served = true;
            tokio::spawn(serve(Task::new(Arc::clone(&self.0), engine.clone())));
        }
        if kind == Kind::Follower {
            self.0.bell.notify_one();
        }
        Seat { shared: Arc::clone(&self.0), kind }
    }

    /// The last set that there is, by a look that begins after this is called. One looks for all who have called before.
    pub(super) async fn last(&self, engine: &Engine) -> Result<i64, Error> {
        let shared = &self.0;
        let wanted = shared.asked.load(Ordering::Acquire) + 1;
        let mut last = shared.last.lock().await;
        if last.0 < wanted {
            let number = shared.asked.fetch_add(1, Ordering::AcqRel) + 1;
            *last = (number, state(engine).await.map(|state| state.position));
        }
        last.1.clone()
    }

    /// Tells when there is more of a topic in memory.
    pub(super) fn more(&self, topic: Topic) -> watch::Receiver<()> {
        self.0.more[topic.index()].subscribe()
    }

    pub(super) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.memory()
    }

    /// The credentials that are watched.
    pub(super) fn credentials(&self) -> &Credentials {
        &self.0.credentials
    }

    /// Reads sets for somebody who is behind: once for all who ask for the same ones.
    pub(super) async fn read(&self, engine: &Engine, (after, until): (i64, i64)) -> Result<Arc<ReadSets>, Unread> {
        let read = self.0.reads.try_get_with((after, until), self.0.read(engine, (after, until))).await;
        read.map_err(|unread| *unread)
    }
}

impl Present {
    fn of(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Follower => &mut self.followers,
            Kind::Credential => &mut self.credentials,
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        *self.shared.present().of(self.kind) -= 1;
    }
}

impl Shared {
    /// Nothing panics while these are held; a poisoned lock is as good as any.
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the task is to go on, and whether anybody follows changes. Where it is not, the next one who comes starts another, with an empty memory.
    fn who_is_there(&self) -> Option<bool> {
        let mut present = self.present();
        present.is_served = present.followers + present.credentials > 0;
        if !present.is_served {
            self.memory().clear();
            return None;
        }
        Some(present.followers > 0)
    }

    async fn read(&self, engine: &Engine, (after, until): (i64, i64)) -> Result<Arc<ReadSets>, Unread> {
        let unread = |error: Error| {
            if is_of_the_moment(&error) {
                tracing::debug!(%error, "changes can't be read");
                return Unread::Away;
            }
            tracing::error!(%error, after, until, "changes can't be read");
            Unread::Missing
        };
        let _place = self.reading.acquire().await.map_err(|_| Unread::Away)?;
        for _ in 0..LOOKS_FOR_SETS {
            if let Some(sets) = read_sets(engine, (after, until)).await.map_err(unread)? {
                return Ok(Arc::new(sets));
            }
            let forgotten = state(engine).await.map_err(unread)?.forgotten;
            if forgotten > after {
                self.memory().forget(forgotten);
                return Err(Unread::Forgotten);
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        tracing::error!(after, until, "the change feed has a gap");
        Err(Unread::Missing)
    }

    /// Waits until somebody follows: who only watches a credential needs no look for each change.
    async fn somebody_follows(&self) {
        loop {
            self.bell.notified().await;
            if self.present().followers > 0 {
                return;
            }
        }
    }
}

/// Whether the same may succeed later, as nothing is wrong with what was asked or answered.
fn is_of_the_moment(error: &Error) -> bool {
    error.is_outage() || error.is_conflict() || matches!(error, Error::TimeLimit { .. })
}

/// The task that looks.
struct Task {
    shared: Arc<Shared>,
    engine: Engine,
    /// How many looks in a row have come to nothing.
    misses: usize,
    /// When credentials were looked at last.
    credentials_at: Option<Instant>,
}

/// A task that is broken off leaves its place to another.
impl Drop for Task {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.shared.present().is_served = false;
        }
    }
}

/// Looks while somebody is there.
async fn serve(mut task: Task) {
    let mut pace = IDLE;
    while let Some(is_followed) = task.shared.who_is_there() {
        let begun = Instant::now();
        let is_new = task.look_well(is_followed, begun).await;
        pace = if is_new { BUSY } else { (pace * 2).min(IDLE) };
        if is_followed {
            // Rung or not, it is time to look again; and at credentials in any case.
            let due = (begun + pace).min(task.credentials_at.unwrap_or(begun) + IDLE);
            let _ = tokio::time::timeout_at(due, task.shared.bell.notified()).await;
        } else {
            let _ = tokio::time::timeout_at(begun + IDLE, task.shared.somebody_follows()).await;
        }
        tokio::time::sleep_until(begun + APART).await;
    }
}

impl Task {
    fn new(shared: Arc<Shared>, engine: Engine) -> Self {
        Self { shared, engine, misses: 0, credentials_at: None }
    }

    /// Looks, whatever comes of it. Says whether there was anything new.
    ///
    /// A set that can't be read, or on which this panics, is a miss, so that those who follow are not kept from all that comes behind it.
    async fn look_well(&mut self, is_followed: bool, begun: Instant) -> bool {
        match AssertUnwindSafe(self.look(is_followed, begun)).catch_unwind().await {
            Ok(Ok(is_new)) => is_new,
            Ok(Err(error)) => {
                if is_of_the_moment(&error) {
                    tracing::debug!(%error, "changes can't be looked for");
                } else {
                    tracing::warn!(%error, "changes can't be looked for");
                    self.misses += 1;
                }
                false
            }
            Err(_) => {
                tracing::error!("looking for changes has panicked");
                self.misses += 1;
                false
            }
        }
    }

    /// Looks how far the feed goes and which credentials have ended, and reads on. Says whether there was anything new.
    async fn look(&mut self, is_followed: bool, begun: Instant) -> Result<bool, Error> {
        let (last, forgotten) = self.look_around(begun).await?;
        let until = {
            let mut memory = self.shared.memory();
            memory.forget(forgotten);
            memory.until()
        };
        match until {
            Some(until) if is_followed && until <= last && last - until <= MOST_NEW && self.misses < MISSES => {
                self.read_on((until, last), forgotten).await
            }
            _ => {
                if self.misses >= MISSES {
                    tracing::error!(last, "changes could not be read: who follows reads them, or is told that they can't be read");
                }
                self.begin(last);
                Ok(is_followed && until != Some(last))
            }
        }
    }

    /// How far the feed goes, and up to where it is forgotten. Credentials that have ended are told so.
    async fn look_around(&mut self, begun: Instant) -> Result<(i64, i64), Error> {
        let shared = &self.shared;
        let is_time = self.credentials_at.is_none_or(|at| begun >= at + CREDENTIALS_APART);
        let CredentialIds { keys, tokens, users, arrivals } = if is_time { shared.credentials.ids() } else { CredentialIds::default() };
        if is_time {
            self.credentials_at = Some(begun);
        }
        let params = Params::none().with("keys", keys).with("tokens", tokens).with("users", users);
        let rows = self.engine.read_as(statements::LOOK, params, LOOK).await?;
        let mut state = None;
        for row in rows {
            if !row.shut_out.is_empty() {
                shared.credentials.set(&row.shut_out, Standing::Ended);
            } else if !row.user.is_empty() {
                let roles = (shared.roles_of)(&row.groups);
                shared.credentials.set(&row.user, Standing::Gives { roles, arrivals });
            } else {
                state = Some((row.position, row.forgotten));
            }
        }
        state.ok_or_else(|| Error::rejected(statements::LOOK.label(), "no row of the feed"))
    }

    /// Reads the sets that are new, some at a time.
    async fn read_on(&mut self, (mut until, last): (i64, i64), forgotten: i64) -> Result<bool, Error> {
        let is_new = until < last;
        while until < last {
            let end = last.min(until + AT_A_TIME);
            let Some(sets) = read_sets(&self.engine, (until, end)).await? else {
                if forgotten > until {
                    self.begin(last);
                } else {
                    // They are found a moment later.
                    self.misses += 1;
                }
                return Ok(true);
            };
            self.misses = 0;
            until = end;
            let more = self.shared.memory().extend(sets);
            for (more, topic) in more.into_iter().zip(&self.shared.more) {
                if more {
                    topic.send_replace(());
                }
            }
        }
        Ok(is_new)
    }

    /// The memory begins behind a set, and all who follow see where they are.
    fn begin(&mut self, last: i64) {
        self.misses = 0;
        self.shared.memory().begin(last);
        for topic in &self.shared.more {
            topic.send_replace(());
        }
    }
}
