//! Watchlists as they are shown: lists, their versions, what a version has and what it has otherwise than the one before.

use std::collections::HashMap;

use cypher::statements::rows::{KeyedEntry, ListedEntry as ListedEntryRow, WatchlistEntryRow, WatchlistRow, WatchlistVersionRow};
use cypher::{Params, statements};
use graph_schema::date::Timestamp;

use super::entry::{identifiers_of, values_of};
use super::{KEYS, WATCHLIST, keys_of, version_id};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Error, Inner, Resolvers, Result, boxed};

/// How many a page has at most; what the statements find at once is one more.
const MOST: usize = 200;
/// As many states of entries as `watchlist/places` finds at once.
const PLACES: usize = 1_000;
/// How often it is looked for one page. A list that has changed as a whole many times has so many states that its former versions may take several pages.
const ROUNDS: usize = 8;

/// A list in the version that counts.
#[derive(Debug, Clone)]
pub struct ShownWatchlist {
    pub id: String,
    pub name: String,
    pub version: i64,
    pub format: String,
    pub entries: i64,
    pub imported_at: Timestamp,
    pub created_at: Timestamp,
}

/// A version of a list, and how it differs from the one before.
#[derive(Debug, Clone)]
pub struct ShownVersion {
    pub id: String,
    /// The list's id.
    pub list: String,
    pub number: i64,
    pub published_at: Timestamp,
    /// Who has asked for the import.
    pub published_by: String,
    pub published_by_name: String,
    pub job_id: String,
    pub format: String,
    pub sha256: String,
    pub entries: i64,
    pub added: i64,
    pub changed: i64,
    pub ended: i64,
    /// How many values were not used.
    pub notes: i64,
}

/// A part of the versions of a list, the newest first.
#[derive(Debug, Clone)]
pub struct VersionPage {
    pub versions: Vec<ShownVersion>,
    /// Whether there are more behind it.
    pub more: bool,
}

/// Somebody or something on a list, as some of its versions have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownEntry {
    pub id: String,
    /// As the list has it.
    pub entry_id: String,
    pub name: String,
    pub schema: String,
    /// The main one first.
    pub names: Vec<String>,
    /// `1952`, `1952-12` or `1952-12-03`.
    pub birth_dates: Vec<String>,
    /// Codes of ISO 3166 in small letters.
    pub countries: Vec<String>,
    /// `FEMALE` or `MALE`.
    pub sex: Option<String>,
    /// Kind (empty where that is not known) and number.
    pub identifiers: Vec<(String, String)>,
    /// The version in which it came as it is here.
    pub since: i64,
    /// The version from which on it is not as it is here.
    pub until: Option<i64>,
}

/// An entry in a page.
#[derive(Debug, Clone)]
pub struct ListedEntry {
    /// Its place.
    pub key: String,
    pub entry: ShownEntry,
    /// What it was before, of one that a version has changed.
    pub former: Option<ShownEntry>,
}

/// A part of a list of entries, in the order of their ids.
#[derive(Debug, Clone, Default)]
pub struct EntryPage {
    pub entries: Vec<ListedEntry>,
    /// Whether there may be more behind it.
    pub more: bool,
    /// The place behind which there may be more, where that is not the last of its entries: then there are fewer of them than were asked for.
    pub reached: Option<String>,
}

/// How a version can differ from the one before in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Changed,
    Ended,
}

impl ShownWatchlist {
    /// Nothing of a list that no import has brought yet.
    fn of(row: WatchlistRow) -> Option<Self> {
        Some(Self {
            id: row.id,
            name: row.name,
            version: Some(row.version).filter(|version| *version > 0)?,
            format: row.format?,
            entries: row.entries?,
            imported_at: Timestamp(row.imported_at?),
            created_at: Timestamp(row.created_at),
        })
    }
}

impl ShownVersion {
    fn of(list: &str, row: WatchlistVersionRow) -> Self {
        Self {
            id: row.id,
            list: list.to_owned(),
            number: row.number,
            published_at: Timestamp(row.published_at),
            published_by: row.published_by,
            published_by_name: row.published_by_name,
            job_id: row.job_id,
            format: row.format,
            sha256: row.sha256,
            entries: row.entries,
            added: row.added,
            changed: row.changed,
            ended: row.ended,
            notes: row.notes,
        }
    }
}

impl From<WatchlistEntryRow> for ShownEntry {
    fn from(row: WatchlistEntryRow) -> Self {
        Self {
            id: row.id,
            entry_id: row.entry_id,
            name: row.name,
            schema: row.schema,
            names: values_of(Some(row.names)),
            birth_dates: values_of(row.birth_dates),
            countries: values_of(row.countries),
            sex: row.sex,
            identifiers: identifiers_of(row.identifiers),
            since: row.since,
            until: row.until,
        }
    }
}

impl From<ListedEntryRow> for ListedEntry {
    fn from(row: ListedEntryRow) -> Self {
        Self { key: row.key, entry: row.entry.into(), former: None }
    }
}

impl EntryPage {
    fn of(rows: Vec<ListedEntryRow>, first: usize) -> Self {
        let first = first.min(MOST);
        let more = rows.len() > first;
        Self { entries: rows.into_iter().take(first).map(ListedEntry::from).collect(), more, reached: None }
    }
}

/// States that a version has, in the order of their keys.
struct Found {
    states: Vec<KeyedEntry>,
    /// The key behind which there may be more, though there are fewer than were looked for.
    reached: Option<String>,
}

impl Resolvers {
    /// All lists that were imported, in the order of their ids.
    #[boxed]
    pub async fn watchlists(&self, caller: &Caller) -> Result<Vec<ShownWatchlist>> {
        let permit = self.inner.enter(caller, Action::ReadWatchlists, Subject::List(WATCHLIST))?;
        self.inner.shown_watchlists(&permit).await
    }

    /// A list by its id; nothing where no import has brought it.
    #[boxed]
    pub async fn watchlist(&self, caller: &Caller, id: &str) -> Result<Option<ShownWatchlist>> {
        let permit = self.inner.enter(caller, Action::ReadWatchlists, Subject::One(WATCHLIST, id))?;
        Ok(self.inner.shown_watchlists(&permit).await?.into_iter().find(|list| list.id == id))
    }

    /// Versions of a list, the newest first: those before a number where one is given.
    #[boxed]
    pub async fn watchlist_versions(&self, caller: &Caller, list: &str, before: Option<i64>, first: usize) -> Result<VersionPage> {
        let permit = self.inner.enter(caller, Action::ReadWatchlists, Subject::One(WATCHLIST, list))?;
        let first = first.min(MOST);
        let params = Params::none().with("id", list).with("behind", before.unwrap_or(i64::MAX)).with("limit", first as i64 + 1);
        let rows = self.inner.read(&permit, statements::watchlist::VERSIONS, params).await?;
        let more = rows.len() > first;
        let versions = rows.into_iter().take(first).map(|row| ShownVersion::of(list, row)).collect();
        Ok(VersionPage { versions, more })
    }

    /// Entries that a list has in a version, or in the one that counts, behind a place. A version that is not there is invalid.
    #[boxed]
    pub async fn watchlist_entries(
        &self,
        caller: &Caller,
        list: &str,
        version: Option<i64>,
        after: Option<String>,
        first: usize,
    ) -> Result<EntryPage> {
        let permit = self.inner.enter(caller, Action::ReadWatchlists, Subject::One(WATCHLIST, list))?;
        let Some(counting) = self.inner.counting_version(&permit, list).await? else { return Ok(EntryPage::default()) };
        let (begin, end) = keys_of(list);
        // What is staged for the next version is nobody's to see.
        let position = version.unwrap_or(counting);
        if !(1..=counting).contains(&position) {
            let there_are = if counting == 1 { "there is version 1 alone".to_owned() } else { format!("there are versions 1 to {counting}") };
            return Err(Error::invalid("version", format!("{position} is no version of this list; {there_are}")));
        }
        let after = after.filter(|after| *after > begin).unwrap_or(begin);
        let first = first.min(MOST);
        let Found { states, reached } = self.inner.states_behind(&permit, (after, &end), position, first + 1).await?;
        let more = states.len() > first || reached.is_some();
        let ids: Vec<&str> = states.iter().take(first).map(|state| state.id.as_str()).collect();
        let rows = if ids.is_empty() {
            Vec::new()
        } else {
            self.inner.read(&permit, statements::watchlist::ENTRIES, Params::none().with("ids", ids.clone())).await?
        };
        let mut entries: HashMap<String, ListedEntryRow> = rows.into_iter().map(|row| (row.entry.id.clone(), row)).collect();
        let entries = ids.into_iter().filter_map(|id| entries.remove(id)).map(ListedEntry::from).collect();
        Ok(EntryPage { entries, more, reached })
    }

    /// Entries in which a version of a list differs from the one before, behind a place.
    #[boxed]
    pub async fn watchlist_changes(
        &self,
        caller: &Caller,
        list: &str,
        (number, kind): (i64, ChangeKind),
        after: Option<String>,
        first: usize,
    ) -> Result<EntryPage> {
        let permit = self.inner.enter(caller, Action::ReadWatchlists, Subject::One(WATCHLIST, list))?;
        let counting = self.inner.counting_version(&permit, list).await?;
        if counting.is_none_or(|counting| number > counting) {
            return Ok(EntryPage::default());
        }
        let params = Params::none().with("id", version_id(list, number)).with("after", after.unwrap_or_default());
        let rows = match kind {
            ChangeKind::Added => self.inner.read(&permit, statements::watchlist::ADDED, params.with("kind", "ADDED")).await?,
            ChangeKind::Changed => self.inner.read(&permit, statements::watchlist::ADDED, params.with("kind", "CHANGED")).await?,
            ChangeKind::Ended => self.inner.read(&permit, statements::watchlist::ENDED, params.with("kind", "ENDED")).await?,
        };
        let mut page = EntryPage::of(rows, first);
        if kind == ChangeKind::Changed && !page.entries.is_empty() {
            let ids: Vec<&str> = page.entries.iter().map(|listed| listed.entry.id.as_str()).collect();
            let rows = self.inner.read(&permit, statements::watchlist::FORMER, Params::none().with("ids", ids)).await?;
            let mut former: HashMap<String, WatchlistEntryRow> = rows.into_iter().filter_map(|row| Some((row.id, row.former?))).collect();
            for listed in &mut page.entries {
                listed.former = former.remove(&listed.entry.id).map(ShownEntry::from);
            }
        }
        Ok(page)
    }
}

impl Inner {
    /// The states that a version has behind a key and before another, so many of them. Only the keys are asked for, as that is what both engines find
    /// quickly; what other versions have is passed over here.
    async fn states_behind(&self, permit: &Permit<'_>, (mut after, end): (String, &str), version: i64, wanted: usize) -> Result<Found> {
        let mut behind = i64::MAX;
        let mut found: Vec<KeyedEntry> = Vec::new();
        let mut round = 0;
        loop {
            let params = Params::none().with("after", after.as_str()).with("behind", behind).with("end", end);
            let (reading, most) = if round == 0 { (statements::watchlist::PLACES, PLACES) } else { (statements::watchlist::KEYS, KEYS) };
            let states = self.read(permit, reading, params).await?;
            round += 1;
            let last = states.last().filter(|_| states.len() >= most).map(|last| (last.key.clone(), last.since));
            // Of the last key there may be more states; the one before it is done with.
            let done = last.as_ref().and_then(|(last, _)| states.iter().rev().find(|state| state.key != *last)).map(|state| state.key.clone());
            found.extend(states.into_iter().filter(|state| state.is_in(version)));
            let Some((key, since)) = last.filter(|_| found.len() < wanted) else { return Ok(Found { states: found, reached: None }) };
            if round >= ROUNDS && done.is_some() {
                found.retain(|state| state.key != key);
                return Ok(Found { states: found, reached: done });
            }
            (after, behind) = (key, since);
        }
    }

    /// All lists that were imported, in the order of their ids.
    pub(crate) async fn shown_watchlists(&self, permit: &Permit<'_>) -> Result<Vec<ShownWatchlist>> {
        let rows = self.read(permit, statements::watchlist::LIST, Params::none()).await?;
        let mut lists: Vec<ShownWatchlist> = rows.into_iter().filter_map(ShownWatchlist::of).collect();
        lists.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(lists)
    }

    /// The version of a list that counts.
    async fn counting_version(&self, permit: &Permit<'_>, list: &str) -> Result<Option<i64>> {
        Ok(self.shown_watchlists(permit).await?.into_iter().find(|shown| shown.id == list).map(|shown| shown.version))
    }
}
