//! The teller: says that this process writes, and what it has written.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cypher::statements::read_cache;
use cypher::{Error, Note, Params};

use super::shared::Shared;
use super::standing::Standing;
use super::writers::RING;

/// How long one renewal may take.
const LIMIT: Duration = Duration::from_secs(5);
/// So long after its last write a process says that it writes nothing.
const QUIET_AFTER: Duration = Duration::from_secs(2);
/// Before a renewal is sent again of which nothing was heard.
const AGAIN: Duration = Duration::from_millis(100);

pub(super) struct Teller {
    shared: Arc<Shared>,
    /// How many nodes it has had.
    nodes: u64,
    has_node: bool,
    /// How it stands in the node that it makes.
    first: Standing,
    /// What was said last, whether anything was heard of that or not.
    last: Standing,
    /// When the answer came that is the last.
    answered_at: Instant,
}

impl Teller {
    pub fn new(shared: Arc<Shared>) -> Self {
        Self { shared, nodes: 1, has_node: false, first: Standing::NEW, last: Standing::NEW, answered_at: Instant::now() }
    }

    /// Tells until the process closes and others know that it writes nothing. A write in doubt puts that off, and so does a store that is away.
    pub async fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        loop {
            tokio::select! {
                biased;
                () = shared.journal.wanted() => {}
                () = shared.closed() => return,
            }
            shared.is_quiet.store(false, Ordering::SeqCst);
            self.begin().await;
            loop {
                tokio::time::sleep(shared.between_renewals()).await;
                let idle = if shared.is_closing() { Duration::ZERO } else { QUIET_AFTER };
                if shared.journal.close(idle) {
                    self.end().await;
                    break;
                }
                self.renew().await;
            }
        }
    }

    /// Says that it begins to write. Nothing is written until that is answered: so it names itself as the renewal that was.
    async fn begin(&mut self) {
        loop {
            let (sent, renewal) = (Instant::now(), self.last.renewal + 1);
            let up_to = self.shared.journal.written();
            self.last = Standing { renewal, answered: renewal, waited: 0, is_quiet: false, up_to, ..self.last };
            match self.say(None).await {
                Ok(true) => {
                    self.answered_at = Instant::now();
                    return self.shared.journal.open(sent);
                }
                Ok(false) => self.take_another_node(Standing::NEW),
                Err(error) => self.failed(&error).await,
            }
        }
    }

    /// Says that it goes on, and what it has written.
    async fn renew(&mut self) {
        let sent = Instant::now();
        let waited = u64::try_from(sent.duration_since(self.answered_at).as_micros()).unwrap_or_default();
        let taken = self.shared.journal.take();
        let before = self.last;
        let notes = before.notes + u64::from(!taken.note.is_empty());
        self.last = Standing { renewal: before.renewal + 1, waited, is_quiet: false, notes, up_to: taken.up_to, ..before };
        match self.say((!taken.note.is_empty()).then_some(&taken.note)).await {
            Ok(true) => {
                self.shared.journal.renewed(sent);
                // What is taken from now on is taken after this one was committed.
                (self.last.answered, self.answered_at) = (self.last.renewal, Instant::now());
                metrics::counter!("amlgraph_cache_notes_total").increment(notes - before.notes);
            }
            Ok(false) => {
                self.shared.journal.put_back(taken.note);
                self.shared.journal.forgotten();
                self.take_another_node(Standing::LOST);
                tracing::warn!(node = &*self.shared.id(), "other processes had taken this one for gone, while it writes: it has another node");
            }
            // The note may be there or not. Its number is gone: who has read it would not read it again.
            Err(error) => {
                self.shared.journal.put_back(taken.note);
                self.failed(&error).await;
            }
        }
    }

    /// Says that it writes nothing, unless somebody wants to write before that is heard.
    async fn end(&mut self) {
        loop {
            self.last = Standing { renewal: self.last.renewal + 1, is_quiet: true, ..self.last };
            match self.say(None).await {
                Ok(true) => break,
                Ok(false) => {
                    self.take_another_node(Standing::NEW);
                    break;
                }
                Err(error) => self.failed(&error).await,
            }
            if self.shared.journal.is_wanted() {
                return;
            }
        }
        self.shared.is_quiet.store(true, Ordering::SeqCst);
    }

    /// Says how it stands; false where its node is gone.
    async fn say(&mut self, note: Option<&Note>) -> Result<bool, Error> {
        let (engine, id) = (&self.shared.engine, self.shared.id());
        if !self.has_node {
            let params = Params::none().with("id", &*id).with("standing", self.first.to_text());
            engine.write_within(read_cache::ENLIST, params, LIMIT).await?;
            self.has_node = true;
        }
        let renewal = i64::try_from(self.last.renewal).unwrap_or(i64::MAX);
        let params = Params::none().with("id", &*id).with("renewal", renewal).with("standing", self.last.to_text());
        let said = match note {
            None => engine.write_within_as(read_cache::RENEW, params, LIMIT).await?,
            Some(note) => {
                let number = self.last.notes;
                let params = params.with("note", note_id(&id, number)).with("content", note.to_text(number));
                engine.write_within_as(read_cache::TELL, params, LIMIT).await?
            }
        };
        Ok(!said.is_empty())
    }

    /// Somebody has taken this process for gone, as it has been quiet or silent for long. What it has written meanwhile is told under another id, and for the first time no renewal is named that was
    /// answered: what is taken with it may have been written before it was known.
    fn take_another_node(&mut self, first: Standing) {
        self.nodes += 1;
        self.shared.renumber(self.nodes);
        (self.has_node, self.first, self.last) = (false, first, Standing::NEW);
    }

    async fn failed(&self, error: &Error) {
        tracing::debug!(%error, "other processes are not told what is written here");
        tokio::time::sleep(AGAIN).await;
    }
}

/// The id of a writer's note.
pub(super) fn note_id(writer: &str, number: u64) -> String {
    format!("{writer}/{}", number % RING)
}

/// The ids of all notes that a writer may have.
pub(super) fn note_ids(writer: &str) -> Vec<String> {
    (0..RING).map(|number| note_id(writer, number)).collect()
}
