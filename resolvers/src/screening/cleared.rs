//! Matches that somebody has cleared: the party is not who the entry means.
//!
//! What is cleared is a pair: an actor, or a counterparty as payments tell of it, and an entry of a watchlist. The clearance keeps digests of both sides. A
//! pair raises nothing as long as a clearance counts: nobody has ended it, its time is not over, and both sides are who they were. What is left out is told
//! in the screening.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use cypher::statements::rows::{ClearanceRow, ClearedEntry};
use cypher::{Params, Reading, statements};
use graph_schema::screening::ScreeningResponse;
use serde::de::DeserializeOwned;

use super::Subject;
use super::lists::TOLD;
use super::party::{Party, ToldParty};
use super::result::ProviderResult;
use super::run::Screened;
use crate::derived_id::digest_id;
use crate::{Inner, Result};

/// How long looking for clearances may take where nobody waits.
pub(super) const PATIENT_LOOK: Duration = Duration::from_secs(5);

/// One side of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartyKey {
    /// Which party: an actor by its id, anybody else by who that is.
    party: [String; 2],
    /// Digest of who that is.
    pub facts: String,
}

impl PartyKey {
    /// Nothing where nobody is named.
    pub fn of(subject: Subject<'_>, party: Option<&Party>) -> Option<Self> {
        match subject {
            Subject::Actor(actor) => {
                let facts = digest_id("facts", &[&actor.facts.text()]);
                Some(Self { party: ["actor".to_owned(), actor.id.clone()], facts })
            }
            Subject::Payment(_) => {
                let party = party?;
                let name = party.name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
                let party = Party { name, ..party.clone() };
                // They are texts and lists of texts.
                let told = serde_json::to_string(&ToldParty::from(&party)).unwrap_or_default();
                let facts = digest_id("facts", &[&told]);
                Some(Self { party: ["counterparty".to_owned(), facts.clone()], facts })
            }
        }
    }

    /// What tells the pair with an entry (`LIST/ENTRY`) from all others.
    pub fn pair(&self, entry: &str) -> String {
        let [kind, party] = &self.party;
        digest_id("pair", &[kind, party, entry])
    }
}

/// Clearances of the pairs of one party.
pub struct Clearances<'a> {
    pub key: &'a PartyKey,
    pub by_pair: HashMap<String, Vec<ClearanceRow>>,
    /// Digests of what entries say, by their keys.
    pub fingerprints: HashMap<String, String>,
    pub now: i64,
}

impl Clearances<'_> {
    /// Takes out what is cleared, and marks what was.
    pub fn apply(&self, result: &mut ProviderResult) {
        let (mut left, mut cleared) = (Vec::with_capacity(result.matches.len()), Vec::new());
        for mut found in std::mem::take(&mut result.matches) {
            let clearances = self.by_pair.get(&self.key.pair(&found.id)).map(Vec::as_slice).unwrap_or_default();
            let fingerprint = self.fingerprints.get(&found.id).map(String::as_str);
            if clearances.iter().any(|clearance| self.counts(clearance, fingerprint)) {
                cleared.push(found.id);
            } else {
                let last = clearances.iter().max_by_key(|clearance| (clearance.cleared_at, &clearance.id));
                found.cleared_before = last.map(|clearance| clearance.id.clone());
                left.push(found);
            }
        }
        if left.is_empty() {
            result.response = ScreeningResponse::Miss;
        }
        (result.matches, result.cleared) = (left, cleared);
    }

    fn counts(&self, clearance: &ClearanceRow, fingerprint: Option<&str>) -> bool {
        let is_over = clearance.ended_at.is_some() || clearance.until <= self.now;
        !is_over && clearance.facts == self.key.facts && fingerprint == Some(clearance.fingerprint.as_str())
    }
}

impl Inner {
    /// Leaves out of what was found what somebody has cleared. Where that can't be known in time nothing is left out: a match too many is looked at, one too
    /// few by nobody. Of what is left the best are told.
    pub(super) async fn leave_out_cleared(&self, key: Option<&PartyKey>, screened: &mut [Screened], limit: Duration) {
        self.take_out_cleared(key, screened, limit).await;
        for one in screened.iter_mut().filter(|one| is_hit_of_lists(one)) {
            one.result.matches.truncate(TOLD);
        }
    }

    async fn take_out_cleared(&self, key: Option<&PartyKey>, screened: &mut [Screened], limit: Duration) {
        let hits = screened.iter().filter(|one| is_hit_of_lists(one)).flat_map(|one| &one.result.matches);
        let entries: HashSet<String> = hits.map(|found| found.id.clone()).collect();
        let Some(key) = key.filter(|_| !entries.is_empty()) else { return };
        match tokio::time::timeout(limit, self.clearances(key, entries.into_iter().collect())).await {
            Ok(Ok(clearances)) => {
                for one in screened.iter_mut().filter(|one| is_hit_of_lists(one)) {
                    clearances.apply(&mut one.result);
                }
            }
            Ok(Err(error)) => tracing::warn!(%error, "which matches were cleared could not be seen; all are told"),
            Err(_) => tracing::warn!("which matches were cleared could not be seen in time; all are told"),
        }
    }

    async fn clearances<'a>(&self, key: &'a PartyKey, entries: Vec<String>) -> Result<Clearances<'a>> {
        let pairs = entries.iter().map(|entry| key.pair(entry)).collect();
        let rows = self.look_up(statements::screening::CLEARED, pairs).await?;
        // Of most matches nobody has cleared any.
        let listed = if rows.is_empty() { Vec::new() } else { self.listed_entries(entries).await? };
        let mut by_pair: HashMap<String, Vec<ClearanceRow>> = HashMap::new();
        for row in rows {
            by_pair.entry(row.pair.clone()).or_default().push(row);
        }
        let fingerprints = listed.into_iter().map(|entry| (entry.key, entry.fingerprint)).collect();
        Ok(Clearances { key, by_pair, fingerprints, now: self.clock.now().millis() })
    }

    /// Entries by their keys (`LIST/ENTRY`), as they are in the versions that count.
    pub(super) async fn listed_entries(&self, keys: Vec<String>) -> Result<Vec<ClearedEntry>> {
        self.look_up(statements::screening::ENTRIES, keys).await
    }

    async fn look_up<R: DeserializeOwned + 'static>(&self, reading: Reading<R>, ids: Vec<String>) -> Result<Vec<R>> {
        Ok(self.engine.read_as(reading, Params::none().with("ids", ids), PATIENT_LOOK).await?)
    }
}

/// Whether entries of watchlists were found.
fn is_hit_of_lists(screened: &Screened) -> bool {
    screened.provider.searches_watchlists() && screened.result.response == ScreeningResponse::Hit
}
