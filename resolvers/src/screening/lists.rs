//! The index over the watchlists in the store: the version of each that counts, held in memory by each instance.
//!
//! Nobody waits for it. A look at the versions, every few seconds, finds what has changed; that is loaded in pages, behind what people wait for, and takes
//! the place of what was there. Until all lists were loaded once, a search says that it can't be done.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use ::screening::evidence::{Adjustment, Facts, Identifier, PartialDate, Sex};
use ::screening::list::{Entry, Query};
use ::screening::{Index, Reason, Searcher};
use cypher::statements::rows::StreamedEntry;
use cypher::{Params, statements};
use tokio::sync::Semaphore;
use tokio::time::MissedTickBehavior;

use super::party::Party;
use super::result::{Match, MatchReason, ProviderResult, rounded};
use crate::long_reads::{RowStream, Source, StreamedRow};
use crate::policy::Permit;
use crate::watchlist::{ShownWatchlist, identifiers_of, keys_of, values_of, version_id};
use crate::{Error, Inner, Resolvers, Result, boxed};

/// How often it is looked whether a list has another version.
const LOOK: Duration = Duration::from_secs(3);
/// Matches of one search that are told.
pub(super) const TOLD: usize = 5;
/// Matches of one search that are looked at: where somebody has cleared the best ones, the next ones are told.
const LOOKED_AT: usize = 50;
/// About how many bytes the index takes for an entry besides its texts.
const OF_AN_ENTRY: usize = 300;

impl StreamedRow for StreamedEntry {
    fn id(&self) -> &str {
        &self.id
    }
}

/// The lists that are loaded.
pub struct Lists {
    current: RwLock<Standing>,
    /// Bytes that all of them may take.
    memory: usize,
    /// Searches beside each other: each takes a processor.
    searches: Arc<Semaphore>,
    /// Versions that take more: they are not loaded again and again.
    refused: Mutex<Vec<(String, i64)>>,
}

/// How the lists stand.
#[derive(Clone)]
pub enum Standing {
    /// For this reason nothing can be searched.
    Unready(Unready),
    Ready(Arc<[Arc<LoadedList>]>),
}

/// Why nothing can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unready {
    Loading,
    NoList,
    TooLarge,
}

impl Unready {
    fn reason(self) -> &'static str {
        match self {
            Self::Loading => "the watchlists are being loaded",
            Self::NoList => "no watchlist was imported",
            Self::TooLarge => "the watchlists need more memory than the index may take",
        }
    }
}

/// A list in one version, or what a version has brought.
pub struct LoadedList {
    pub id: String,
    pub version: i64,
    pub index: Index,
}

impl Lists {
    pub fn new(memory: usize) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            current: RwLock::new(Standing::Unready(Unready::Loading)),
            memory,
            searches: Arc::new(Semaphore::new(processors)),
            refused: Mutex::default(),
        }
    }

    /// Searches for a party in all lists.
    pub async fn search(&self, party: Option<&Party>) -> ProviderResult {
        let lists = match self.standing() {
            Standing::Unready(unready) => return ProviderResult::error(unready.reason()),
            Standing::Ready(lists) => lists,
        };
        let versions: Vec<String> = lists.iter().map(|list| version_id(&list.id, list.version)).collect();
        // Where nobody is named, nobody is listed.
        let Some(party) = party.cloned() else { return ProviderResult::miss().of_lists(versions) };
        // It is never closed.
        let place = Arc::clone(&self.searches).acquire_owned().await;
        let found = tokio::task::spawn_blocking(move || {
            let _place = place;
            matches(&lists, &party)
        });
        match found.await {
            Ok(found) if found.is_empty() => ProviderResult::miss().of_lists(versions),
            Ok(found) => ProviderResult::hit(found).of_lists(versions),
            Err(_) => ProviderResult::error("the search failed; see the service's log"),
        }
    }

    /// Whether there is no list at all. Whoever is there when the first one is imported is screened against it then.
    pub fn are_none(&self) -> bool {
        matches!(self.standing(), Standing::Unready(Unready::NoList))
    }

    /// Somebody who goes through many parties takes this turn for some of them at a time.
    pub fn turns(&self) -> Arc<Semaphore> {
        Arc::clone(&self.searches)
    }

    fn standing(&self) -> Standing {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn loaded(&self) -> Arc<[Arc<LoadedList>]> {
        match self.standing() {
            Standing::Ready(lists) => lists,
            Standing::Unready(_) => Arc::from([]),
        }
    }

    pub fn set(&self, standing: Standing) {
        if let Standing::Ready(lists) = &standing {
            metrics::gauge!("amlgraph_screening_index_names").set(lists.iter().map(|list| list.index.len()).sum::<usize>() as f64);
            metrics::gauge!("amlgraph_screening_index_bytes").set(lists.iter().map(|list| list.index.bytes()).sum::<usize>() as f64);
        }
        metrics::gauge!("amlgraph_screening_index_ready").set(if matches!(standing, Standing::Ready(_)) { 1.0 } else { 0.0 });
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = standing;
    }
}

/// The best matches of all lists.
fn matches(lists: &[Arc<LoadedList>], party: &Party) -> Vec<Match> {
    best(lists.iter().flat_map(|list| matches_in(list, &mut list.index.searcher(), party)).collect())
}

/// The best matches of one list, by any name of the party; the searcher is the list's.
pub(super) fn matches_in(list: &LoadedList, searcher: &mut Searcher<'_>, party: &Party) -> Vec<Match> {
    let by_name = |name: &str| {
        let query = Query { id: String::new(), name: name.to_owned(), kind: party.kind, facts: party.facts.clone() };
        matches_of(list, searcher, &query)
    };
    best(party.names().flat_map(by_name).collect())
}

/// The best first, each entry once.
fn best(mut found: Vec<Match>) -> Vec<Match> {
    found.sort_by(|one, other| other.score.unwrap_or_default().total_cmp(&one.score.unwrap_or_default()).then_with(|| one.id.cmp(&other.id)));
    let mut met = BTreeSet::new();
    found.retain(|found| met.insert(found.id.clone()));
    found.truncate(LOOKED_AT);
    found
}

fn matches_of(list: &LoadedList, searcher: &mut Searcher<'_>, query: &Query) -> Vec<Match> {
    let hits = searcher.search(query, LOOKED_AT);
    let told = hits.iter().filter(|hit| hit.is_match).map(|hit| {
        let names = list.index.explain(query, hit).reasons.into_iter().map(of_name);
        Match {
            id: format!("{}/{}", list.id, hit.id),
            name: Some(hit.name.to_owned()),
            score: Some(rounded(hit.score)),
            reasons: names.chain(hit.adjustments.iter().map(of_fact)).collect(),
            cleared_before: None,
        }
    });
    told.collect()
}

fn of_name(reason: Reason) -> MatchReason {
    let said = |text: String| Some(text).filter(|text| !text.is_empty());
    MatchReason { what: format!("{:?}", reason.what), party: said(reason.first), listed: said(reason.second), cost: Some(rounded(reason.cost)) }
}

fn of_fact(adjustment: &Adjustment) -> MatchReason {
    let what = format!("{}: {:?}", adjustment.fact, adjustment.finding);
    MatchReason { what, party: None, listed: None, cost: Some(rounded(-adjustment.amount)) }
}

impl Resolvers {
    /// Keeps the watchlists loaded that payments are screened against. Works until it is dropped; ends at once where no provider needs them.
    #[boxed]
    pub async fn keep_watchlists_loaded(&self) {
        let Some(lists) = self.inner.screening.lists() else { return };
        let mut ticks = tokio::time::interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.inner.load_watchlists(lists).await {
                // What is loaded goes on to be searched; that the database is away is told by others.
                tracing::warn!(%error, "the watchlists can't be loaded now");
            }
        }
    }
}

impl Inner {
    /// Whether this instance searches the versions that count now. Where lists can't be searched at all, and not because they are being loaded, it does not
    /// help to wait.
    pub(super) async fn searches_what_counts(&self, lists: &Lists) -> Result<bool> {
        let counting = self.shown_watchlists(&Permit::of_service()).await?;
        Ok(match lists.standing() {
            Standing::Unready(Unready::Loading) => false,
            Standing::Unready(Unready::NoList) => counting.is_empty(),
            Standing::Unready(Unready::TooLarge) => true,
            Standing::Ready(loaded) => {
                let is_loaded = |list: &ShownWatchlist| loaded.iter().any(|loaded| loaded.id == list.id && loaded.version >= list.version);
                counting.iter().all(is_loaded)
            }
        })
    }

    /// Loads what has another version than the one that is loaded.
    async fn load_watchlists(&self, lists: &Lists) -> Result<()> {
        let counting = self.shown_watchlists(&Permit::of_service()).await?;
        if counting.is_empty() {
            lists.set(Standing::Unready(Unready::NoList));
            return Ok(());
        }
        let versions: Vec<(String, i64)> = counting.iter().map(|list| (list.id.clone(), list.version)).collect();
        if *lists.refused.lock().unwrap_or_else(PoisonError::into_inner) == versions {
            return Ok(());
        }
        let loaded = lists.loaded();
        let is_loaded = |list: &ShownWatchlist| loaded.iter().find(|loaded| loaded.id == list.id && loaded.version == list.version);
        if loaded.len() == counting.len() && counting.iter().all(|list| is_loaded(list).is_some()) {
            return Ok(());
        }
        let mut next = Vec::with_capacity(counting.len());
        let mut taken: usize = counting.iter().filter_map(is_loaded).map(|list| list.index.bytes()).sum();
        for list in &counting {
            if let Some(loaded) = is_loaded(list) {
                next.push(Arc::clone(loaded));
                continue;
            }
            let began = Instant::now();
            let Some(loaded) = self.load_watchlist(list, lists.memory.saturating_sub(taken)).await? else {
                // What was loaded before says nothing about what has changed since.
                tracing::error!("the watchlists need more memory than AMLGRAPH_SCREENING__MEMORY allows");
                lists.set(Standing::Unready(Unready::TooLarge));
                *lists.refused.lock().unwrap_or_else(PoisonError::into_inner) = versions;
                return Ok(());
            };
            taken += loaded.index.bytes();
            let (names, seconds) = (loaded.index.len(), began.elapsed().as_secs_f64());
            tracing::info!(version = list.version, names, seconds, "a watchlist is loaded");
            next.push(Arc::new(loaded));
        }
        lists.set(Standing::Ready(next.into()));
        Ok(())
    }

    /// A list in the version that counts; nothing where it takes more than `memory`. Entries of a version stay in the store, whatever is imported meanwhile.
    async fn load_watchlist(&self, list: &ShownWatchlist, memory: usize) -> Result<Option<LoadedList>> {
        let (begin, end) = keys_of(&list.id);
        let params = Params::none().with("end", end).with("position", list.version);
        let source = Source { keys: statements::watchlist::IDS, rows: statements::watchlist::STREAM, params };
        let mut stream = RowStream::new(self.long_reads.clone(), source, Some(&begin));
        let (mut entries, mut bytes) = (Vec::new(), 0);
        while let Some(page) = stream.next_page().await? {
            bytes += page.rows.iter().map(|row| OF_AN_ENTRY + row.names.len()).sum::<usize>();
            if bytes > memory {
                return Ok(None);
            }
            entries.extend(page.rows.into_iter().map(entry));
        }
        let scoring = self.settings.screening.scoring;
        let built = tokio::task::spawn_blocking(move || Index::new(entries).scored_by(scoring)).await;
        let index = built.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Some(LoadedList { id: list.id.clone(), version: list.version, index }))
    }
}

/// An entry as the matcher takes it.
pub fn entry(row: StreamedEntry) -> Entry {
    let facts = Facts {
        birth_dates: values_of(row.birth_dates).iter().filter_map(|date| PartialDate::parse(date)).collect(),
        countries: values_of(row.countries),
        sex: row.sex.as_deref().and_then(Sex::parse),
        identifiers: identifiers_of(row.identifiers).into_iter().map(|(kind, number)| Identifier { kind, number }).collect(),
    };
    Entry { id: row.entry_id, schema: row.schema, names: values_of(Some(row.names)), facts }
}
