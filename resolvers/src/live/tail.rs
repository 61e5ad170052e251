//! The tail of the change feed: one task of the process looks for all who follow, and is there only while somebody does.
//!
//! It looks at once where this process has given positions. Otherwise it looks often while changes come, and once a second while none do; the same statement
//! says which credentials of open connections have ended. What it finds it keeps in memory ([`super::memory`]), bounded; who is further behind reads
//! sets of the store, which all share who are as far behind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cypher::statements::{change_feed, live as statements};
use cypher::{Engine, Error, Params};
use moka::future::Cache;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::Instant;

use super::change::{LOOK, ReadSets, Topic, read_sets};
use super::credentials::Credentials;
use super::memory::{Bounds, Memory};

/// How often is looked while nothing comes, and how long a revoked credential is good here at most.
const IDLE: Duration = Duration::from_secs(1);
/// The same right behind a change.
const BUSY: Duration = Duration::from_millis(50);
/// Looks are never closer than this.
const APART: Duration = Duration::from_millis(20);
/// From so many new sets on the memory begins anew behind them: who follows reads them from the store.
const MOST_NEW: i64 = 5_000;
/// So many sets one look of the task reads at a time.
const AT_A_TIME: i64 = 64;
/// How often sets are looked for that are not in the index yet, and the pause behind each look.
const LOOKS_FOR_SETS: usize = 10;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// How many looks in a row may miss a set before the memory begins anew.
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
    looked: watch::Sender<Looked>,
    present: Mutex<Present>,
    pub(super) credentials: Credentials,
    /// Rung where this process has given positions, and where somebody comes.
    bell: Notify,
    /// Sets that were read for those who are behind, by where they begin and end.
    reads: Cache<(i64, i64), Arc<ReadSets>>,
    reading: Semaphore,
}

/// Who is there.
#[derive(Debug, Default)]
struct Present {
    followers: usize,
    credentials: usize,
    /// Whether the task is there.
    is_served: bool,
}

/// What the task has come to.
#[derive(Debug, Clone, Copy, Default)]
struct Looked {
    /// The last look has failed.
    is_away: bool,
}

/// Why sets can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// They are kept no more; the memory knows by now.
    Forgotten,
    /// The database can't be used now, or does not find them yet.
    Later,
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

impl Default for Tail {
    fn default() -> Self {
        let weight = |_: &(i64, i64), read: &Arc<ReadSets>| u32::try_from(read.changes.len() + 1).unwrap_or(u32::MAX);
        Self(Arc::new(Shared {
            memory: Mutex::new(Memory::new(Bounds::SERVICE)),
            more: Topic::ALL.map(|_| watch::Sender::new(())),
            looked: watch::Sender::new(Looked::default()),
            present: Mutex::default(),
            credentials: Credentials::default(),
            bell: Notify::new(),
            reads: Cache::builder().max_capacity(KEPT_OF_READS).weigher(weight).time_to_idle(KEPT_FOR).build(),
            reading: Semaphore::new(READS),
        }))
    }
}

impl Tail {
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
            self.0.looked.send_replace(Looked::default());
            tokio::spawn(serve(Serving(Arc::clone(&self.0)), engine.clone()));
        }
        if kind == Kind::Follower {
            self.0.bell.notify_one();
        }
        Seat { shared: Arc::clone(&self.0), kind }
    }

    /// Up to which set the feed was looked at: by a look that may still be under way. Nothing where the database can't be asked.
    pub(super) async fn reached(&self) -> Option<i64> {
        let mut looked = self.0.looked.subscribe();
        loop {
            let is_away = looked.borrow_and_update().is_away;
            match self.0.memory().until() {
                Some(until) => return Some(until),
                None if is_away => return None,
                None => {}
            }
            if looked.changed().await.is_err() {
                return None;
            }
        }
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

    /// Looks how far the feed goes and which credentials have ended, and reads on. Says whether there was anything new.
    async fn look(&self, engine: &Engine, is_followed: bool, misses: &mut usize) -> Result<bool, Error> {
        let (keys, tokens) = self.credentials.ids();
        let rows = engine.read_as(statements::LOOK, Params::none().with("keys", keys).with("tokens", tokens), LOOK).await?;
        let mut state = None;
        for row in rows {
            if row.shut_out.is_empty() {
                state = Some((row.position, row.forgotten));
            } else {
                self.credentials.end(&row.shut_out);
            }
        }
        let Some((last, forgotten)) = state else { return Err(Error::rejected(statements::LOOK.label(), "no row of the feed")) };
        let until = {
            let mut memory = self.memory();
            memory.forget(forgotten);
            memory.until()
        };
        match until {
            Some(until) if is_followed && until <= last && last - until <= MOST_NEW && *misses < MISSES => {
                self.read_on(engine, (until, last), forgotten, misses).await
            }
            _ => {
                if *misses >= MISSES {
                    tracing::error!(last, "the change feed has a gap: who follows it reads behind it");
                }
                self.begin(last, misses);
                Ok(is_followed && until != Some(last))
            }
        }
    }

    /// Reads the sets that are new, some at a time.
    async fn read_on(&self, engine: &Engine, (mut until, last): (i64, i64), forgotten: i64, misses: &mut usize) -> Result<bool, Error> {
        let is_new = until < last;
        while until < last {
            let end = last.min(until + AT_A_TIME);
            let Some(sets) = read_sets(engine, (until, end)).await? else {
                if forgotten > until {
                    self.begin(last, misses);
                } else {
                    // They are found a moment later.
                    *misses += 1;
                }
                return Ok(true);
            };
            *misses = 0;
            until = end;
            let more = self.memory().extend(sets);
            for (more, topic) in more.into_iter().zip(&self.more) {
                if more {
                    topic.send_replace(());
                }
            }
        }
        Ok(is_new)
    }

    /// The memory begins behind a set, and all who follow see where they are.
    fn begin(&self, last: i64, misses: &mut usize) {
        *misses = 0;
        self.memory().begin(last);
        for topic in &self.more {
            topic.send_replace(());
        }
    }

    async fn read(&self, engine: &Engine, (after, until): (i64, i64)) -> Result<Arc<ReadSets>, Unread> {
        let later = |error: Error| {
            tracing::debug!(%error, "changes can't be read");
            Unread::Later
        };
        let _place = self.reading.acquire().await.map_err(|_| Unread::Later)?;
        for _ in 0..LOOKS_FOR_SETS {
            if let Some(sets) = read_sets(engine, (after, until)).await.map_err(later)? {
                return Ok(Arc::new(sets));
            }
            let state = engine.read_as(change_feed::STATE, Params::none(), LOOK).await.map_err(later)?;
            let forgotten = change_feed::STATE.first(state).map_err(later)?.forgotten;
            if forgotten > after {
                self.memory().forget(forgotten);
                return Err(Unread::Forgotten);
            }
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        tracing::error!(after, until, "the change feed has a gap");
        Err(Unread::Later)
    }
}

/// The task's hold on what it serves. A task that panics leaves its place to another.
struct Serving(Arc<Shared>);

impl Drop for Serving {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.present().is_served = false;
        }
    }
}

/// Looks while somebody is there.
async fn serve(serving: Serving, engine: Engine) {
    let shared = &serving.0;
    let (mut pace, mut misses) = (IDLE, 0);
    while let Some(is_followed) = shared.who_is_there() {
        let begun = Instant::now();
        let looked = shared.look(&engine, is_followed, &mut misses).await;
        pace = if looked.as_ref().is_ok_and(|is_new| *is_new) { BUSY } else { (pace * 2).min(IDLE) };
        let is_away = looked.inspect_err(|error| tracing::debug!(%error, "changes can't be looked for")).is_err();
        shared.looked.send_replace(Looked { is_away });
        if is_followed {
            // Rung or not, it is time to look again.
            let _ = tokio::time::timeout_at(begun + pace, shared.bell.notified()).await;
        } else {
            let _ = tokio::time::timeout_at(begun + IDLE, shared.somebody_follows()).await;
        }
        tokio::time::sleep_until(begun + APART).await;
    }
}

impl Shared {
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
