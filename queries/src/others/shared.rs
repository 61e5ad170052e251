//! What questions, the teller and the follower of a process share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use cypher::{Engine, Journal, Stamps};
use tokio::sync::{Notify, watch};

/// So long after the last question nobody is followed any more.
const FOLLOW_FOR: Duration = Duration::from_secs(5);
/// No renewal and no look comes later than this after the one before, however stale answers may be.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);
/// What stands between the id of a process and the number of its node, where it has had more than one.
const NUMBERED: char = '~';

pub(super) struct Shared {
    /// By connections of its own. What is written here is in no journal.
    pub engine: Engine,
    pub stamps: Arc<Stamps>,
    pub journal: Arc<Journal>,
    /// The id of this process.
    pub process: String,
    /// How old an answer may be.
    pub staleness: Duration,
    /// Moments below are microseconds since then; 0 is never.
    began: Instant,
    /// Until then answers are young enough.
    good_until: AtomicU64,
    /// When somebody has asked last.
    asked_at: AtomicU64,
    asked: Notify,
    /// When the last look began.
    looked_at: AtomicU64,
    /// Of the writers that were there at the last look: up to which number their writes are known.
    seen: RwLock<HashMap<String, u64>>,
    /// The id of the node of this process.
    id: RwLock<Arc<str>>,
    /// Whether others know that this process writes nothing.
    pub is_quiet: AtomicBool,
    /// Whether it is to say so as soon as it can, after which nobody tells or follows any more.
    closing: watch::Sender<bool>,
}

impl Shared {
    pub fn new(engine: Engine, stamps: Arc<Stamps>, journal: Arc<Journal>, process: String, staleness: Duration) -> Self {
        let id = RwLock::new(Arc::from(process.as_str()));
        let (good_until, asked_at, looked_at) = Default::default();
        let (asked, seen, closing) = Default::default();
        let (began, is_quiet) = (Instant::now(), AtomicBool::new(true));
        Self { engine, stamps, journal, process, staleness, began, good_until, asked_at, asked, looked_at, seen, id, is_quiet, closing }
    }

    /// This process is to write nothing any more.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    pub fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }

    /// Returns when this process is to write nothing any more.
    pub async fn closed(&self) {
        drop(self.closing.subscribe().wait_for(|is_closing| *is_closing).await);
    }

    /// How long after a renewal comes the next. What is certain is as old as one such pause and two between looks, and what four statements take.
    pub fn between_renewals(&self) -> Duration {
        (self.staleness / 6).min(LONGEST_PAUSE)
    }

    pub fn between_looks(&self) -> Duration {
        (self.staleness / 10).min(LONGEST_PAUSE)
    }

    fn micros(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.began).as_micros()).unwrap_or(u64::MAX).max(1)
    }

    /// Somebody asks: whether answers are young enough. If not, that is looked for.
    pub fn ask(&self) -> bool {
        let now = self.micros(Instant::now());
        let before = self.asked_at.swap(now, Ordering::SeqCst);
        let is_good = now < self.good_until.load(Ordering::SeqCst);
        // Answers may be good for longer than others are followed.
        if !is_good || !is_recent(before, now) {
            self.asked.notify_one();
        }
        is_good
    }

    /// Returns when somebody has asked not long ago.
    pub async fn asked(&self) {
        let is_asked = || is_recent(self.asked_at.load(Ordering::SeqCst), self.micros(Instant::now()));
        while !is_asked() {
            self.asked.notified().await;
        }
    }

    /// Whether others are followed now, be it late.
    pub fn is_followed(&self) -> bool {
        is_recent(self.looked_at.load(Ordering::SeqCst), self.micros(Instant::now()))
    }

    /// A look that began at a moment is done, and all that its notes say is stamped.
    pub fn looked(&self, begun: Instant, certain: Option<Instant>, seen: HashMap<String, u64>) {
        *self.seen.write().unwrap_or_else(PoisonError::into_inner) = seen;
        self.good_until.store(certain.map_or(0, |certain| self.micros(certain + self.staleness)), Ordering::SeqCst);
        self.looked_at.store(self.micros(begun), Ordering::SeqCst);
    }

    /// Whether the writes of a writer are known up to a number.
    pub fn has_seen(&self, id: &str, number: u64) -> bool {
        self.is_own(id) || self.seen.read().unwrap_or_else(PoisonError::into_inner).get(id).is_some_and(|up_to| *up_to >= number)
    }

    /// Whether a process is one of those that tell others what they write, as far as the last look has shown.
    pub fn knows(&self, process: &str) -> bool {
        self.process == process || self.seen.read().unwrap_or_else(PoisonError::into_inner).keys().any(|id| process_of(id) == process)
    }

    pub fn is_own(&self, id: &str) -> bool {
        process_of(id) == self.process
    }

    pub fn id(&self) -> Arc<str> {
        Arc::clone(&self.id.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The process has lost its node: it gets the one of a number.
    pub fn renumber(&self, number: u64) {
        *self.id.write().unwrap_or_else(PoisonError::into_inner) = Arc::from(format!("{}{NUMBERED}{number}", self.process));
    }
}

/// Whether something happened so short before a moment that others are still followed for it.
fn is_recent(at: u64, now: u64) -> bool {
    at > 0 && now.saturating_sub(at) < FOLLOW_FOR.as_micros() as u64
}

/// The process whose node has an id.
fn process_of(id: &str) -> &str {
    id.split(NUMBERED).next().unwrap_or(id)
}
