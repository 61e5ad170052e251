//! The follower: reads what other processes have written, while somebody asks.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cypher::statements::read_cache;
use cypher::statements::rows::CacheWriterRow;
use cypher::{Error, Note, Params};

use super::shared::Shared;
use super::standing::Standing;
use super::tell::{note_id, note_ids};
use super::writers::{FoundWriter, Writers};

/// How long one statement of a look may take.
const LIMIT: Duration = Duration::from_secs(2);

pub(super) struct Follower {
    shared: Arc<Shared>,
    writers: Writers,
    /// Whether the last look has failed; only a change is logged.
    fails: bool,
}

impl Follower {
    /// `in_doubt_for`: how long what a writer has sent may still come about once it is silent.
    pub fn new(shared: Arc<Shared>, in_doubt_for: Duration) -> Self {
        Self { shared, writers: Writers::new(in_doubt_for), fails: false }
    }

    /// Follows until the process closes.
    pub async fn run(mut self) {
        let shared = Arc::clone(&self.shared);
        loop {
            tokio::select! {
                biased;
                () = shared.closed() => return,
                () = shared.asked() => {}
            }
            match self.look().await {
                Ok(()) => {
                    if std::mem::take(&mut self.fails) {
                        tracing::info!("what other processes write can be seen again");
                    }
                }
                Err(error) => {
                    if !std::mem::replace(&mut self.fails, true) {
                        tracing::warn!(%error, "what other processes write can't be seen: the store is asked instead of the read cache");
                    }
                }
            }
            tokio::time::sleep(shared.between_looks()).await;
        }
    }

    async fn look(&mut self) -> Result<(), Error> {
        // All below is only known of this moment: what is read may have been there already.
        let begun = Instant::now();
        let found = self.others().await?;
        let plan = self.writers.plan(begun, &found);
        let notes = if plan.is_anything { None } else { self.notes(&plan.notes).await? };
        match notes {
            Some(notes) => notes.iter().for_each(|note| self.shared.stamps.apply(note)),
            None => self.shared.stamps.apply(&Note::anything()),
        }
        let seen: HashMap<String, u64> =
            found.iter().map(|writer| (writer.id.clone(), writer.standing.map_or(0, |standing| standing.up_to))).collect();
        let known = self.writers.know(begun, found);
        self.shared.looked(begun, known.certain, seen);
        metrics::counter!("amlgraph_cache_looks_total").increment(1);
        for writer in known.silent {
            tracing::warn!(
                writer,
                "another process has fallen silent, and has not said that it writes nothing: the store is asked instead of the read cache until that process \
                 itself is heard again, or for six and a half minutes; one that is started in its place has another id, and changes nothing"
            );
        }
        for writer in known.over {
            tracing::info!(writer, "a process that had fallen silent is heard again, or so long ago that nobody waits for it any more");
        }
        for (writer, renewal) in known.gone {
            // What is known is known all the same.
            if let Err(error) = self.remove(&writer, renewal).await {
                tracing::debug!(writer, %error, "the node of a process that is gone is still there");
            }
        }
        Ok(())
    }

    /// The writers of other processes.
    async fn others(&self) -> Result<Vec<FoundWriter>, Error> {
        let rows = self.shared.engine.read_as(read_cache::LOOK, Params::none(), LIMIT).await?;
        let others = rows.into_iter().filter(|row| !self.shared.is_own(&row.id));
        let found = |row: CacheWriterRow| FoundWriter {
            standing: Standing::of_text(&row.standing),
            renewal: u64::try_from(row.renewal).unwrap_or_default(),
            id: row.id,
        };
        Ok(others.map(found).collect())
    }

    /// Notes by writer and number; nothing where one is missing, or can't be read.
    async fn notes(&self, wanted: &[(String, u64)]) -> Result<Option<Vec<Note>>, Error> {
        if wanted.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let ids: Vec<String> = wanted.iter().map(|(writer, number)| note_id(writer, *number)).collect();
        let rows = self.shared.engine.read_as(read_cache::NOTES, Params::none().with("ids", ids), LIMIT).await?;
        let contents: HashMap<String, String> = rows.into_iter().map(|row| (row.id, row.content)).collect();
        let note = |(writer, number): &(String, u64)| Note::of_text(contents.get(&note_id(writer, *number))?, *number);
        Ok(wanted.iter().map(note).collect())
    }

    /// Takes the node from a writer that is gone, its notes first: nobody would find these once it has none.
    async fn remove(&self, writer: &str, renewal: u64) -> Result<(), Error> {
        let engine = &self.shared.engine;
        engine.write_within(read_cache::FORGET_NOTES, Params::none().with("ids", note_ids(writer)), LIMIT).await?;
        let last = i64::try_from(renewal).unwrap_or(i64::MAX);
        let params = Params::none().with("id", writer).with("last", last);
        let removed = engine.write_within_as(read_cache::REMOVE, params, LIMIT).await?;
        if removed.iter().any(|row| row.forgotten > 0) {
            tracing::info!(writer, "a process that is gone is not followed any more");
        }
        Ok(())
    }
}
