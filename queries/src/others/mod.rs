//! Other processes before the same store: what they have written, and what they are told.
//!
//! A process that writes has a node and says in short intervals that it is there ([`tell`]), and what it has written. A process that answers from its cache
//! reads that ([`follow`]), and works out up to which moment it knows all that others had committed ([`writers`]). From the cache it answers while that
//! moment is younger than answers may be. docs/mechanisms.md, "Other instances", says why that is enough.

mod follow;
mod shared;
mod standing;
mod tell;
mod writers;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use cypher::{Engine, Stamps};

use follow::Follower;
use shared::Shared;
use tell::Teller;

/// How long the end of a process waits until others know of it.
const TO_CLOSE: Duration = Duration::from_secs(3);
const BETWEEN_LOOKS_AT_CLOSE: Duration = Duration::from_millis(10);
/// Connections for renewals and looks, which wait for nobody else's statements.
const CONNECTIONS: usize = 2;
/// A writer may begin to write for ten seconds after its last renewal, and nothing that it begins takes longer than a minute. What it has sent last may come
/// about for as long as anything in doubt.
const AFTER_LAST_RENEWAL: Duration = Duration::from_secs(90);
/// More positions in one request than processes anybody has are not looked at.
const MOST_POSITIONS: usize = 64;

/// The other processes. When this is closed or dropped the follower ends, and the teller as soon as it has told them that this process writes nothing any more.
/// Their connections end with them. What is written behind that is refused, as nobody would be told.
pub(crate) struct Others {
    shared: Arc<Shared>,
}

impl Drop for Others {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl Others {
    /// Begins to tell others and to follow them; nothing where a store can have none. Needs a running tokio runtime. `process`: the id of this one.
    pub fn of(engine: &Engine, stamps: &Arc<Stamps>, process: &str, staleness: Duration, in_doubt_for: Duration) -> Option<Self> {
        let (engine, journal) = (engine.apart(CONNECTIONS)?, Arc::clone(stamps.journal()?));
        let shared = Arc::new(Shared::new(engine, Arc::clone(stamps), journal, process.to_owned(), staleness));
        tokio::spawn(Teller::new(Arc::clone(&shared)).run());
        tokio::spawn(Follower::new(Arc::clone(&shared), in_doubt_for + AFTER_LAST_RENEWAL).run());
        Some(Self { shared })
    }

    /// Whether all that others have written is known, but for what is younger than answers may be old.
    pub fn are_known(&self) -> bool {
        let is_followed = self.shared.is_followed();
        let are_known = self.shared.ask();
        if !are_known {
            let reason = if is_followed { "late" } else { "start" };
            metrics::counter!("amlgraph_cache_bypasses_total", "reason" => reason).increment(1);
        }
        are_known
    }

    /// Whether the writes are known that positions name, each `writer.number`. What is no position is none that is known.
    pub fn have_told<'a>(&self, positions: impl Iterator<Item = &'a str>) -> bool {
        let is_known = |position: &str| {
            let (writer, number) = position.trim().rsplit_once('.')?;
            Some(self.shared.has_seen(writer, number.parse().ok()?))
        };
        let have_told = positions.enumerate().all(|(at, position)| at < MOST_POSITIONS && is_known(position).unwrap_or_default());
        if !have_told {
            // Somebody asks: a process that nobody else asks would know of no position for ever.
            self.shared.ask();
            metrics::counter!("amlgraph_cache_bypasses_total", "reason" => "position").increment(1);
        }
        have_told
    }

    /// Whether a write would begin, as far as others have to be told before it.
    pub fn take_writes(&self) -> bool {
        self.shared.journal.gives_passes()
    }

    /// How many writes of this process are over.
    pub fn written(&self) -> u64 {
        self.shared.journal.written()
    }

    /// The position of all writes of this process that are over.
    pub fn position(&self) -> String {
        format!("{}.{}", self.shared.id(), self.written())
    }

    /// The id of this process, by which others know it.
    pub fn process(&self) -> &str {
        &self.shared.process
    }

    /// Whether a process writes and tells nobody, as far as is known now.
    pub fn is_strange(&self, process: &str) -> bool {
        self.shared.is_followed() && !self.shared.knows(process)
    }

    /// Returns when others know that this process writes nothing any more, or can't be told in time.
    pub async fn close(&self) {
        self.shared.close();
        let quiet = async {
            while !self.shared.is_quiet.load(Ordering::SeqCst) {
                tokio::time::sleep(BETWEEN_LOOKS_AT_CLOSE).await;
            }
        };
        if tokio::time::timeout(TO_CLOSE, quiet).await.is_err() {
            tracing::warn!("other processes were not told that this one ends: they go past their read caches for some minutes");
        }
    }
}

#[cfg(test)]
mod tests;
