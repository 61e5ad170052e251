//! What this process writes, for those who tell other processes of it.
//!
//! A write is under way from its mark to its stamp, and then over. What is taken out of the journal is all that was under way at any time since the journal
//! was taken last: so a write is in the first of these that is taken after its commit, whether this process has heard of the commit or not.
//!
//! A process writes only while others know that it may. So each write needs a [`Pass`] first; while there is one, nobody says that the process is quiet.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::time::timeout_at;

use super::note::{Change, Note};

/// How long a write waits until others know that this process writes: as long as a write may take.
const WAIT_FOR_PASS: Duration = Duration::from_secs(6);
/// No write begins where others were told for the last time before this: they may be about to take the process for dead.
const LONGEST_SILENCE: Duration = Duration::from_secs(10);

/// What is written, and whether anything may be.
#[derive(Default)]
pub struct Journal {
    state: Mutex<State>,
    /// How many writes are over. Changed with the state locked.
    written: AtomicU64,
    /// Somebody waits for a pass.
    wanted: Notify,
    /// Others were told that this process writes.
    told: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    /// Whether others know that this process may write.
    is_open: bool,
    /// When that was begun to be sent which others were told last.
    told_at: Option<Instant>,
    passes: usize,
    waiting: usize,
    /// Somebody has waited in vain, and nobody was told since. Until then it is tried, though nobody may wait any more: nobody would come again to a process
    /// that is not known to take writes.
    is_refused: bool,
    used_at: Option<Instant>,
    /// The number of the last write that has begun.
    begun: u64,
    under_way: HashMap<u64, Arc<Change>>,
    over: Vec<Arc<Change>>,
    /// What was taken and not told.
    left: Note,
}

/// What was taken out of a journal.
#[derive(Debug)]
pub struct Taken {
    pub note: Note,
    /// All writes up to this number that are over are in this note, or in one before it.
    pub up_to: u64,
}

/// That this process may write, as long as it is held.
pub(crate) struct Pass {
    journal: Arc<Journal>,
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut state = self.journal.locked();
        state.passes -= 1;
        state.used_at = Some(Instant::now());
    }
}

/// Somebody who waits for a pass, however that ends.
struct Waiting<'a>(&'a Journal);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.locked().waiting -= 1;
    }
}

impl State {
    fn is_told(&mut self, sent: Instant) {
        self.told_at = Some(sent);
        self.is_refused = false;
    }

    /// Whether others were told not long ago.
    fn was_told(&self) -> bool {
        self.told_at.is_some_and(|at| at.elapsed() < LONGEST_SILENCE)
    }
}

impl Journal {
    /// Waits until this process may write; nothing where others can't be told in time.
    pub(crate) async fn pass(self: &Arc<Self>) -> Option<Pass> {
        if let Some(pass) = self.pass_at_once() {
            return Some(pass);
        }
        let mut told = self.told.subscribe();
        let _waiting = self.wait();
        let until = tokio::time::Instant::now() + WAIT_FOR_PASS;
        loop {
            drop(told.borrow_and_update());
            if let Some(pass) = self.pass_at_once() {
                return Some(pass);
            }
            if !timeout_at(until, told.changed()).await.is_ok_and(|told| told.is_ok()) {
                self.refuse();
                return None;
            }
        }
    }

    fn pass_at_once(self: &Arc<Self>) -> Option<Pass> {
        let mut state = self.locked();
        (state.is_open && state.was_told()).then(|| {
            state.passes += 1;
            Pass { journal: Arc::clone(self) }
        })
    }

    /// Somebody has waited in vain.
    fn refuse(&self) {
        self.locked().is_refused = true;
        self.wanted.notify_one();
    }

    /// Whether a write would get its pass, as far as is known: where nobody writes, others are told when somebody begins.
    pub fn gives_passes(&self) -> bool {
        let state = self.locked();
        !state.is_refused && (!state.is_open || state.was_told())
    }

    fn wait(&self) -> Waiting<'_> {
        self.locked().waiting += 1;
        self.wanted.notify_one();
        Waiting(self)
    }

    /// A write begins; gives its number.
    pub(super) fn begin(&self, change: &Arc<Change>) -> u64 {
        let mut state = self.locked();
        state.begun += 1;
        let number = state.begun;
        state.under_way.insert(number, Arc::clone(change));
        number
    }

    /// It is over.
    pub(super) fn end(&self, number: u64) {
        let mut state = self.locked();
        let ended = state.under_way.remove(&number);
        state.over.extend(ended);
        state.used_at = Some(Instant::now());
        self.written.fetch_add(1, Ordering::SeqCst);
    }

    /// How many writes of this process are over.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::SeqCst)
    }

    /// Returns when somebody waits to write, or has waited in vain.
    pub async fn wanted(&self) {
        while !self.is_wanted() {
            self.wanted.notified().await;
        }
    }

    /// Whether somebody waits to write, or has waited in vain and nobody was told since.
    pub fn is_wanted(&self) -> bool {
        let state = self.locked();
        state.waiting > 0 || state.is_refused
    }

    /// Others know now that this process may write. `sent`: when that was begun to be sent.
    pub fn open(&self, sent: Instant) {
        {
            let mut state = self.locked();
            state.is_open = true;
            state.is_told(sent);
            state.used_at = Some(Instant::now());
        }
        self.told.send_replace(());
    }

    /// They were told once more.
    pub fn renewed(&self, sent: Instant) {
        self.locked().is_told(sent);
        self.told.send_replace(());
    }

    /// Others have taken this process for gone: nothing is written before they are told again.
    pub fn forgotten(&self) {
        self.locked().told_at = None;
    }

    /// Lets nobody write any more, unless somebody does, has done so in the last `idle`, has not been told of, or has waited in vain; answers whether it is so
    /// now.
    pub fn close(&self, idle: Duration) -> bool {
        let mut state = self.locked();
        let is_used = state.passes + state.waiting + state.under_way.len() + state.over.len() > 0 || !state.left.is_empty();
        if is_used || state.is_refused || state.used_at.is_some_and(|at| at.elapsed() < idle) {
            return false;
        }
        state.is_open = false;
        true
    }

    /// Takes what was under way since it was taken last.
    pub fn take(&self) -> Taken {
        let (left, over, under_way, up_to) = {
            let mut state = self.locked();
            let under_way: Vec<Arc<Change>> = state.under_way.values().cloned().collect();
            (std::mem::take(&mut state.left), std::mem::take(&mut state.over), under_way, self.written())
        };
        Taken { note: Note::of(left, over.iter().chain(&under_way)), up_to }
    }

    /// Puts back what was taken and nobody may have been told.
    pub fn put_back(&self, note: Note) {
        let mut state = self.locked();
        state.left = std::mem::take(&mut state.left).and(note);
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
