//! The job that imports a list. It reads the file twice: once to see whether it is right, so that a wrong one stages nothing, and once for its entries.

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cypher::statements::rows::{BegunImport, WatchlistUpload};
use cypher::{Params, statements};
use screening::list::{Entry, Format, Problem, Problems, Survey};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::content::content;
use super::delta::Delta;
use super::publish::Published;
use super::upload::content_of;
use crate::jobs::{JobKind, Progress, Running, Stopped};
use crate::policy::Permit;
use crate::{Error, Inner};

/// How many entries are compared and staged together, and about how many bytes they may have.
const PORTION: usize = 500;
const PORTION_BYTES: usize = 1 << 20;
/// Portions that are read ahead.
const AHEAD: usize = 2;
/// How long is waited where the store of files has failed.
const AFTER_A_FAILURE: Duration = Duration::from_secs(2);

/// A list that is to be imported.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportWatchlist {
    /// The list's id.
    pub list: String,
    pub name: String,
    /// What the content must be, by its name.
    pub format: Option<String>,
    pub upload: String,
    /// The upload of OFAC's `alt.csv`.
    pub aliases: Option<String>,
    /// Who has asked for it.
    pub by: String,
    pub by_name: String,
}

/// An import keeps nothing of how far it is: what it has staged, it finds again.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Reached {}

/// What it has come to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedList {
    list: String,
    /// The version that counts now.
    version: i64,
    /// Whether this import has brought it; not where the file says what the list says already.
    published: bool,
    entries: u64,
    added: u64,
    changed: u64,
    ended: u64,
    unchanged: u64,
    /// How many values were not used.
    notes: u64,
    /// The first of them.
    noted: Vec<String>,
}

/// The files of an import.
struct Files {
    list: WatchlistUpload,
    aliases: Option<WatchlistUpload>,
    /// What is in them.
    sha256: String,
}

impl JobKind for ImportWatchlist {
    const KIND: &'static str = "watchlist-import";
    type Checkpoint = Reached;
    type Result = ImportedList;

    async fn run(&self, reached: Reached, running: &Running) -> Result<ImportedList, Stopped> {
        let inner = &running.context().resolvers().inner;
        let permit = Permit::of_service();
        let begun = inner.begin_import(self, running.id()).await?;
        if begun.published_by.as_deref() == Some(running.id()) {
            return self.as_it_stands(inner, &permit, begun.version, true).await;
        }
        let files = self.files(inner, &permit).await?;
        if begun.version > 0 && begun.sha256.as_deref() == Some(files.sha256.as_str()) {
            return self.as_it_stands(inner, &permit, begun.version, false).await;
        }
        let survey = Arc::new(self.survey(inner, &files).await?);
        let mut delta = Delta::of(inner, &self.list, running.id(), begun.version);
        self.stage(inner, &files, &survey, &mut delta, (&reached, running)).await?;
        delta.end_what_is_gone(&survey).await?;
        self.publish(inner, &permit, (&begun, running.id()), (&files, &*survey), &delta).await
    }
}

impl ImportWatchlist {
    /// The ids of its files.
    pub fn uploads(&self) -> Vec<&str> {
        std::iter::once(self.upload.as_str()).chain(self.aliases.as_deref()).collect()
    }

    async fn files(&self, inner: &Inner, permit: &Permit<'_>) -> Result<Files, Stopped> {
        let known = inner.read(permit, statements::watchlist::READ_UPLOAD, Params::none().with("ids", self.uploads())).await?;
        let find = |id: &str| {
            let gone = || Stopped::ForEver("its file is there no more: upload it again, and import that".to_owned());
            known.iter().find(|upload| upload.id == id).cloned().ok_or_else(gone)
        };
        let sha256 = content_of(self, &known);
        Ok(Files { list: find(&self.upload)?, aliases: self.aliases.as_deref().map(find).transpose()?, sha256 })
    }

    /// What is in the files; all that is wrong with them ends the import.
    async fn survey(&self, inner: &Inner, files: &Files) -> Result<Survey, Stopped> {
        let broke = Arc::new(AtomicBool::new(false));
        let (list, _bringing) = content(inner, &files.list, &broke).await?;
        let (aliases, _bringing_aliases) = match &files.aliases {
            Some(aliases) => {
                let (aliases, bringing) = content(inner, aliases, &broke).await?;
                (Some(aliases), Some(bringing))
            }
            None => (None, None),
        };
        let wanted = self.format.as_deref().and_then(Format::named);
        let surveyed = tokio::task::spawn_blocking(move || surveyed(list, aliases, wanted)).await.map_err(panicked)?;
        is_whole(&broke)?;
        surveyed.map_err(|problems| Stopped::ForEver(problems.to_string()))
    }

    /// Stages what the list has otherwise, portion by portion.
    async fn stage(
        &self,
        inner: &Inner,
        files: &Files,
        survey: &Arc<Survey>,
        delta: &mut Delta<'_>,
        (reached, running): (&Reached, &Running),
    ) -> Result<(), Stopped> {
        let broke = Arc::new(AtomicBool::new(false));
        let (list, _bringing) = content(inner, &files.list, &broke).await?;
        let (sender, mut portions) = mpsc::channel(AHEAD);
        let of_thread = Arc::clone(survey);
        let reading = tokio::task::spawn_blocking(move || give_away(&of_thread, list, &sender));
        let total = Some(survey.entries() as u64);
        while let Some(portion) = portions.recv().await {
            delta.take(&portion).await?;
            running.show(reached, Progress { done: delta.taken, total }).await?;
        }
        let read = reading.await.map_err(panicked)?;
        is_whole(&broke)?;
        if read.is_err() || delta.taken < survey.entries() as u64 {
            // It was right a moment ago.
            return Err(Error::Internal("a list is read otherwise than it was surveyed".to_owned()).into());
        }
        Ok(())
    }

    /// Makes the staged version count, where it says anything new.
    async fn publish(
        &self,
        inner: &Inner,
        permit: &Permit<'_>,
        (begun, job): (&BegunImport, &str),
        (files, survey): (&Files, &Survey),
        delta: &Delta<'_>,
    ) -> Result<ImportedList, Stopped> {
        let entries = survey.entries() as u64;
        let published = !delta.is_nothing();
        if published {
            let counts = Published { entries, added: delta.added, changed: delta.changed, ended: delta.ended, notes: survey.note_count };
            inner.publish_watchlist(permit, self, (begun.version, job), (survey.format().as_str(), &files.sha256), counts).await?;
        }
        Ok(ImportedList {
            list: self.list.clone(),
            version: begun.version + i64::from(published),
            published,
            entries,
            added: delta.added,
            changed: delta.changed,
            ended: delta.ended,
            unchanged: entries - delta.added - delta.changed,
            notes: survey.note_count,
            noted: survey.notes.iter().map(ToString::to_string).collect(),
        })
    }

    /// The version that counts, which is what this import was to bring.
    async fn as_it_stands(&self, inner: &Inner, permit: &Permit<'_>, number: i64, published: bool) -> Result<ImportedList, Stopped> {
        let params = Params::none().with("id", self.list.as_str()).with("behind", number + 1).with("limit", 1i64);
        let rows = inner.read(permit, statements::watchlist::VERSIONS, params).await?;
        let version = statements::watchlist::VERSIONS.first(rows)?;
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        let of_it = |number: i64| if published { count(number) } else { 0 };
        let (added, changed) = (of_it(version.added), of_it(version.changed));
        Ok(ImportedList {
            list: self.list.clone(),
            version: version.number,
            published,
            entries: count(version.entries),
            added,
            changed,
            ended: of_it(version.ended),
            unchanged: count(version.entries).saturating_sub(added + changed),
            notes: count(version.notes),
            noted: Vec::new(),
        })
    }
}

fn panicked(error: tokio::task::JoinError) -> Stopped {
    Stopped::Failed(Error::Internal(error.to_string()))
}

/// What was read is what is in the store, unless that has failed.
fn is_whole(broke: &AtomicBool) -> Result<(), Stopped> {
    if broke.load(Ordering::Relaxed) { Err(Stopped::Failed(Error::Unavailable { retry_after: AFTER_A_FAILURE })) } else { Ok(()) }
}

fn surveyed(list: impl BufRead, aliases: Option<impl BufRead>, wanted: Option<Format>) -> Result<Survey, Problems> {
    let refused = |what: String| Problems(vec![Problem { line: 1, column: String::new(), what }]);
    let (format, list) = Format::of_file(list).map_err(|error: io::Error| refused(format!("cannot be read: {error}")))?;
    let format = format?;
    if let Some(wanted) = wanted.filter(|wanted| *wanted != format) {
        let (wanted, found) = (wanted.as_str(), format.as_str());
        return Err(refused(format!("the file is {found} by its content, not {wanted}; say {found}, or leave the format out")));
    }
    if aliases.is_some() && format != Format::SdnCsv {
        let what = "other names in a file of their own go with OFAC's sdn.csv alone; every other list has them in the same file";
        return Err(refused(what.to_owned()));
    }
    let survey = screening::list::survey(format, list, aliases)?;
    if survey.entries() == 0 {
        // An empty file would end all that is on the list.
        return Err(refused("the list has no entry; nothing is imported".to_owned()));
    }
    Ok(survey)
}

/// About how many bytes an entry has: any of its values may be long.
fn size_of(entry: &Entry) -> usize {
    let texts = [&entry.id, &entry.schema].into_iter().chain(&entry.names).chain(&entry.facts.countries).map(String::len).sum::<usize>();
    let identifiers = entry.facts.identifiers.iter().map(|identifier| identifier.kind.len() + identifier.number.len()).sum::<usize>();
    texts + identifiers + entry.facts.birth_dates.len() * "2000-01-01".len()
}

/// Gives away a list's entries in portions, as long as somebody takes them.
fn give_away(survey: &Survey, list: impl BufRead, portions: &mpsc::Sender<Vec<Entry>>) -> Result<(), Problems> {
    let (mut portion, mut bytes) = (Vec::with_capacity(PORTION), 0);
    screening::list::entries(survey, list, |entry| {
        bytes += size_of(&entry);
        portion.push(entry);
        if portion.len() < PORTION && bytes < PORTION_BYTES {
            return ControlFlow::Continue(());
        }
        bytes = 0;
        if portions.blocking_send(std::mem::take(&mut portion)).is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if !portion.is_empty() {
        // Whoever wants no more has gone.
        let _ = portions.blocking_send(portion);
    }
    Ok(())
}
