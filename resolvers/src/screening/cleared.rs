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
pub(super) struct PartyKey {
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
struct Clearances<'a> {
    key: &'a PartyKey,
    by_pair: HashMap<String, Vec<ClearanceRow>>,
    /// Digests of what entries say, by their keys.
    fingerprints: HashMap<String, String>,
    now: i64,
}

impl Clearances<'_> {
    /// Takes out what is cleared, and marks what was.
    fn apply(&self, result: &mut ProviderResult) {
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

#[cfg(test)]
mod tests {
    use ::screening::Kind;
    use ::screening::evidence::Facts;
    use serde_json::json;

    use super::*;
    use crate::screening::facts::ActorFacts;
    use crate::screening::party::PartyRole;
    use crate::screening::result::Match;
    use crate::screening::{Payment, ScreenedActor};

    fn actor(id: &str, name: &str) -> PartyKey {
        let record = json!({"id": id, "type": "INDIVIDUAL", "asOfDate": "2024-01-01", "name": name}).to_string();
        let facts = ActorFacts::of(&serde_json::from_str(&record).expect("an actor"), &graph_schema::identity::Placeholders::default());
        let actor = ScreenedActor { id: id.to_owned(), facts, record: record.into() };
        PartyKey::of(Subject::Actor(&actor), None).expect("a key")
    }

    fn counterparty(name: &str, country: &str) -> PartyKey {
        let record = json!({"id": "this", "account_id": "own", "account_owner_id": "me", "amount": {"value": 1, "currency": "EUR"},
            "standardized_amount": 1, "counterparty": {"object": "EMPTY"}, "created_at": 1_718_280_000, "direction": "OUTBOUND", "status": "COMPLETED"});
        let payment = Payment::stored(record.to_string().into()).expect("a payment");
        let facts = Facts { countries: vec![country.to_owned()], ..Facts::default() };
        let party = Party { role: PartyRole::Counterparty, name: name.to_owned(), aliases: Vec::new(), kind: Kind::Person, facts };
        PartyKey::of(Subject::Payment(&payment), Some(&party)).expect("a key")
    }

    #[test]
    fn an_actor_is_a_party_by_its_id_and_a_counterparty_by_who_it_is() {
        let first = actor("a", "Ada Quill");
        assert_eq!(first.pair("own/Q1"), actor("a", "Ada Quilla").pair("own/Q1"));
        assert_ne!(first.facts, actor("a", "Ada Quilla").facts);
        assert_ne!(first.pair("own/Q1"), actor("b", "Ada Quill").pair("own/Q1"));
        assert_ne!(first.pair("own/Q1"), first.pair("own/Q2"));
        let other = counterparty("Ada Quill", "mt");
        assert_eq!(other, counterparty(" ADA  Quill", "mt"));
        assert_ne!(other.pair("own/Q1"), counterparty("Ada Quill", "it").pair("own/Q1"));
        assert_ne!(other.pair("own/Q1"), first.pair("own/Q1"));
    }

    #[test]
    fn a_clearance_counts_until_it_is_over_or_either_side_changes() {
        let key = actor("a", "Ada Quill");
        let plain = ClearanceRow {
            id: "c1".to_owned(),
            pair: key.pair("own/Q1"),
            facts: key.facts.clone(),
            fingerprint: "f1".to_owned(),
            until: 100,
            cleared_at: 1,
            ended_at: None,
        };
        for (clearance, now, is_left_out) in [
            (plain.clone(), 99, true),
            (plain.clone(), 100, false),
            (ClearanceRow { ended_at: Some(50), ..plain.clone() }, 99, false),
            (ClearanceRow { facts: "others".to_owned(), ..plain.clone() }, 99, false),
            (ClearanceRow { fingerprint: "f2".to_owned(), ..plain.clone() }, 99, false),
        ] {
            let by_pair = HashMap::from([(
                clearance.pair.clone(),
                vec![ClearanceRow { until: 0, cleared_at: 0, id: "c0".to_owned(), ..plain.clone() }, clearance.clone()],
            )]);
            let fingerprints = HashMap::from([("own/Q1".to_owned(), "f1".to_owned())]);
            let clearances = Clearances { key: &key, by_pair, fingerprints, now };
            let found = |id: &str| Match { id: id.to_owned(), name: None, score: Some(0.9), reasons: Vec::new(), cleared_before: None };
            let mut result = ProviderResult::hit(vec![found("own/Q1")]);
            clearances.apply(&mut result);
            assert_eq!(result.response == ScreeningResponse::Miss, is_left_out, "{clearance:?} {now}");
            assert_eq!(result.cleared.len(), usize::from(is_left_out), "{clearance:?} {now}");
            let before: Vec<Option<&str>> = result.matches.iter().map(|found| found.cleared_before.as_deref()).collect();
            assert_eq!(before, if is_left_out { vec![] } else { vec![Some("c1")] }, "{clearance:?} {now}");
            // Another entry is another pair.
            let mut result = ProviderResult::hit(vec![found("own/Q1"), found("own/Q2")]);
            clearances.apply(&mut result);
            assert_eq!((result.response, result.matches.len()), (ScreeningResponse::Hit, 2 - usize::from(is_left_out)));
        }
    }
}
