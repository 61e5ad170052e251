//! A stream of rows in the order of their keys.
//!
//! Keys are read by the ten thousand, rows by pages of them. On Neo4j a statement for keys reads along an index; the embedded engine goes through the
//! keys of all the label for it (0.2 to 0.35 s of a million), which so many at a time make bearable, whereas rows are found by their ids on both.

use std::collections::{HashMap, VecDeque};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cypher::statements::rows::{IdRow, PaymentRow, SenderTransfers};
use cypher::{Params, Reading, Value};
use serde::de::DeserializeOwned;
use tokio::task::JoinHandle;

use super::LongReads;
use super::pace::{Company, Pace};
use crate::{Error, Result};

/// As many keys as a statement for keys answers with; fewer are the last.
const KEYS: usize = 10_000;
/// What such a statement may take, on the embedded engine with a large store.
const KEYS_LIMIT: Duration = Duration::from_secs(20);
/// What a page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(10);

/// What a stream has in its rows.
pub trait StreamedRow: DeserializeOwned + Send + 'static {
    /// Its key.
    fn id(&self) -> &str;
}

impl StreamedRow for PaymentRow {
    fn id(&self) -> &str {
        &self.id
    }
}

impl StreamedRow for SenderTransfers {
    fn id(&self) -> &str {
        &self.id
    }
}

/// Two statements: one takes `$after` and answers with the keys behind it, in order; one takes `$ids` and answers with a row for each that is there.
pub(crate) struct Source<R> {
    pub keys: Reading<IdRow>,
    pub rows: Reading<R>,
    /// What both take besides.
    pub params: Params,
}

/// Rows, in the order of their keys.
#[derive(Debug)]
pub struct Page<R> {
    pub rows: Vec<R>,
    /// Up to this key, which is included, all is read: where to go on from.
    pub until: String,
}

/// All rows behind a key, a page at a time.
pub struct RowStream<R: StreamedRow> {
    state: State<R>,
    asked: Arc<AtomicUsize>,
}

enum State<R: StreamedRow> {
    /// Nothing is read.
    Idle(Reader<R>),
    /// The next page is read, or waits to be taken.
    Ahead(Ahead<Fetched<R>>),
    /// All of it was read.
    Ended,
}

/// A page, and who reads the next one.
type Fetched<R> = (Reader<R>, std::result::Result<Option<Page<R>>, cypher::Error>);

/// A task that ends when nobody waits for it any more.
struct Ahead<T>(JoinHandle<T>);

impl<T> Drop for Ahead<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<R: StreamedRow> RowStream<R> {
    /// All that comes behind a key; nothing is read yet.
    pub(crate) fn new(reads: LongReads, source: Source<R>, after: Option<&str>) -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let after = after.unwrap_or_default().to_owned();
        let reader = Reader { reads, source, after, waiting: VecDeque::new(), at_end: false, pace: Pace::default(), asked: Arc::clone(&asked) };
        Self { state: State::Idle(reader), asked }
    }

    /// The next page; nothing at the end. It may be without rows, where what the keys named is gone. After an error the same page can be asked for again.
    pub async fn next_page(&mut self) -> Result<Option<Page<R>>> {
        if let State::Idle(_) = self.state {
            self.read_ahead();
        }
        // Until it is there the task stays in its place, so that a caller who is cut off loses nothing.
        let (reader, page) = match &mut self.state {
            State::Ahead(ahead) => match (&mut ahead.0).await {
                Ok(fetched) => fetched,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => resume_unwind(panic),
                    Err(error) => return Err(Error::Internal(error.to_string())),
                },
            },
            State::Idle(_) | State::Ended => return Ok(None),
        };
        match page {
            Ok(None) => self.state = State::Ended,
            Ok(Some(_)) => {
                self.state = State::Idle(reader);
                self.read_ahead();
            }
            Err(_) => self.state = State::Idle(reader),
        }
        Ok(page?)
    }

    /// How many pages were asked for, with the one that is read ahead.
    pub fn pages_asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn read_ahead(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Ended) {
            State::Idle(mut reader) => State::Ahead(Ahead(tokio::spawn(async move {
                let page = reader.page().await;
                (reader, page)
            }))),
            state => state,
        };
    }
}

struct Reader<R> {
    reads: LongReads,
    source: Source<R>,
    /// The last key that was read.
    after: String,
    /// Keys whose rows are still to be read.
    waiting: VecDeque<String>,
    at_end: bool,
    pace: Pace,
    asked: Arc<AtomicUsize>,
}

impl<R: StreamedRow> Reader<R> {
    async fn page(&mut self) -> std::result::Result<Option<Page<R>>, cypher::Error> {
        if self.waiting.is_empty() && !self.at_end {
            let params = self.source.params.clone().with("after", self.after.as_str());
            let (keys, _) = self.reads.read(self.source.keys, params, KEYS_LIMIT).await?;
            self.at_end = keys.len() < KEYS;
            self.waiting = keys.into_iter().map(|key| key.id).collect();
            self.after = self.waiting.back().cloned().unwrap_or_default();
        }
        let count = self.pace.size().min(self.waiting.len());
        let Some(until) = count.checked_sub(1).and_then(|last| self.waiting.get(last)).cloned() else { return Ok(None) };
        self.asked.fetch_add(1, Ordering::Relaxed);
        let ids: Vec<Value> = self.waiting.iter().take(count).map(|id| Value::from(id.as_str())).collect();
        let params = self.source.params.clone().with("ids", Value::List(ids));
        let (mut rows, took) =
            self.reads.read(self.source.rows, params, PAGE_LIMIT).await.inspect_err(|_| self.pace.took(count, PAGE_LIMIT, Company::Others))?;
        self.pace.took(count, took, self.reads.company());
        let keys: Vec<String> = self.waiting.drain(..count).collect();
        let places: HashMap<&str, usize> = keys.iter().enumerate().map(|(place, key)| (key.as_str(), place)).collect();
        rows.sort_by_key(|row| places.get(row.id()).copied());
        Ok(Some(Page { rows, until }))
    }
}
