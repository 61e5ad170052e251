//! Keeping what providers have said: hits as observations, and in cases where the settings say so; then a node for each result.
//!
//! The node comes last. Where it is there, all that follows from it is; where it is not, everything can be done again, and changes nothing the second time.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use cypher::{Key, Params, Transaction, Value, map, statements};
use futures::future::try_join_all;
use graph_schema::screening::ScreeningResponse;

use super::finding::{Found, observation};
use super::run::Screened;
use super::{Payment, ScreenedActor, Subject};
use crate::conflicts::despite_conflicts;
use crate::detection::GatheredFindings;
use crate::observation::RECORD_OBSERVATION;
use crate::policy::Permit;
use crate::values::word;
use crate::{Inner, Result};

/// What the statements about results may take.
const LIMIT: Duration = Duration::from_secs(10);
/// What the metadata of cases name in place of a run of detection.
const RUN: &str = "screening";

/// What providers have said of an actor.
pub(super) struct ActorResults {
    pub actor: Arc<ScreenedActor>,
    pub screened: Vec<Screened>,
}

/// What becomes of actors that have waited to be screened.
#[derive(Default)]
pub(super) struct Settled {
    /// Rows for `screening/drop_pending`.
    pub done: Vec<Value>,
    /// Rows for `screening/delay_pending`.
    pub later: Vec<Value>,
    /// Actors that have not waited before: rows for `screening/await_actors`.
    pub awaited: Vec<Value>,
    /// What actors were screened by that was kept otherwise or not at all: rows for `screening/keep_facts`.
    pub facts: Vec<Value>,
}

impl Inner {
    /// Keeps what providers have said of a payment; answers with what is kept, by the ids of the screenings. Of two who screen the same at once it is the
    /// result that says more, and of two that say the same the first.
    pub(super) async fn record_screened(&self, payment: &Payment, screened: &[Screened]) -> Result<HashMap<String, ScreeningResponse>> {
        self.record_screened_payments(&[(payment, screened)]).await
    }

    /// The same of several payments, in one transaction.
    pub(super) async fn record_screened_payments(&self, payments: &[(&Payment, &[Screened])]) -> Result<HashMap<String, ScreeningResponse>> {
        let mut all: Vec<(Subject<'_>, &Screened)> = Vec::new();
        for &(payment, screened) in payments {
            all.extend(screened.iter().map(|one| (Subject::Payment(payment), one)));
        }
        self.record_hits(&Permit::of_service(), &all).await?;
        // Locks are taken in one order everywhere.
        all.sort_by_key(|(subject, _)| subject.id());
        let params = Params::rows(all.into_iter().map(|(subject, screened)| self.result_row(subject, screened)).collect());
        let kept = despite_conflicts(|| self.engine.write_within_as(statements::screening::RECORD, params.clone(), LIMIT)).await?;
        Ok(kept.into_iter().map(|row| (row.id, row.response)).collect())
    }

    /// Keeps what providers have said of actors, and in the same transaction what becomes of those that have waited for that.
    pub(super) async fn record_screened_actors(&self, actors: &[ActorResults], settled: Settled) -> Result<()> {
        let mut all: Vec<(Subject<'_>, &Screened)> = Vec::new();
        for one in actors {
            all.extend(one.screened.iter().map(|screened| (Subject::Actor(&one.actor), screened)));
        }
        self.record_hits(&Permit::of_service(), &all).await?;
        // Locks are taken in one order everywhere.
        all.sort_by_key(|(subject, _)| subject.id());
        let rows: Vec<Value> = all.into_iter().map(|(subject, screened)| self.result_row(subject, screened)).collect();
        despite_conflicts(|| self.keep_actors(&rows, &settled)).await?;
        Ok(())
    }

    async fn keep_actors(&self, rows: &[Value], settled: &Settled) -> std::result::Result<(), cypher::Error> {
        self.engine.in_transaction(LIMIT, async |transaction| keep_in(transaction, rows, settled).await).await
    }

    /// Makes observations of what was found, and cases where the settings say so. Of a payment it is as the payment is now. What was found of an actor before
    /// stays as it was found, and whatever somebody has done with it.
    async fn record_hits(&self, permit: &Permit<'_>, screened: &[(Subject<'_>, &Screened)]) -> Result<()> {
        let now = self.clock.now().millis();
        let found: Vec<Found<'_>> = screened.iter().flat_map(|(subject, screened)| hits_of(*subject, screened, now)).collect();
        if found.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = found.iter().map(Found::id).collect();
        let mut known = self.observed_of_actors(permit, &found).await?;
        let mut writes = Vec::new();
        for (found, id) in found.iter().zip(&ids) {
            if known.insert(id.clone()) {
                let party = match found.subject {
                    Subject::Payment(payment) => self.identities.identified_actor(&payment.value.counterparty),
                    Subject::Actor(_) => None,
                };
                writes.push(self.observation_write(permit, &observation(found, party.as_ref())?)?);
            }
        }
        try_join_all(writes.into_iter().map(|write| self.queue.write(&RECORD_OBSERVATION, write))).await?;
        let least = 0.0;
        let _turn = self.screening.gathering.lock().await;
        let gathered = GatheredFindings { run: RUN, by: self.settings.screening.cases, least };
        self.gather_findings(permit.caller(), gathered, &ids.into_iter().collect()).await?;
        Ok(())
    }

    /// The ids of observations of actors that are there already.
    async fn observed_of_actors(&self, permit: &Permit<'_>, found: &[Found<'_>]) -> Result<HashSet<String>> {
        let ids: Vec<String> = found.iter().filter(|found| matches!(found.subject, Subject::Actor(_))).map(Found::id).collect();
        if ids.is_empty() {
            return Ok(HashSet::new());
        }
        let known = self.read(permit, statements::screening::OBSERVED, Params::none().with("ids", ids)).await?;
        Ok(known.into_iter().map(|row| row.id).collect())
    }

    fn result_row(&self, subject: Subject<'_>, screened: &Screened) -> Value {
        let Screened { id: screening, provider, result } = screened;
        let (in_row, in_node) = match subject {
            Subject::Payment(_) => ("transaction", "transactionId"),
            Subject::Actor(_) => ("actor", "actorId"),
        };
        let now = self.clock.now().millis();
        let observations: Vec<String> = hits_of(subject, screened, now).map(|found| found.id()).collect();
        let list = |texts: &[String]| Value::List(texts.iter().map(|text| text.as_str().into()).collect());
        let props: Vec<(Key, Value)> = vec![
            ("name".into(), format!("{} {}", provider.name, result.response.as_str()).into()),
            (in_node.into(), subject.id().into()),
            ("operation".into(), word(&provider.operation)),
            ("providerName".into(), provider.name.as_str().into()),
            ("response".into(), word(&result.response)),
            ("screenedAt".into(), now.into()),
            ("score".into(), result.score().into()),
            ("reason".into(), result.reason.as_deref().into()),
            ("listVersions".into(), list(&result.lists)),
            ("cleared".into(), list(&result.cleared)),
        ];
        map([
            ("id", screening.as_str().into()),
            (in_row, subject.id().into()),
            ("replaces", Value::List(said_less(result.response).iter().map(word).collect())),
            ("props", Value::Map(props)),
            ("observations", list(&observations)),
        ])
    }
}

/// The responses in whose place another comes, where the same screening was done twice: a hit is never hidden by what another try has not found, and a try
/// that has come to nothing does not hide what another has come to.
pub fn said_less(than: ScreeningResponse) -> &'static [ScreeningResponse] {
    match than {
        ScreeningResponse::Hit => &[ScreeningResponse::Miss, ScreeningResponse::Error, ScreeningResponse::Timeout],
        ScreeningResponse::Miss => &[ScreeningResponse::Error, ScreeningResponse::Timeout],
        ScreeningResponse::Error | ScreeningResponse::Timeout => &[],
    }
}

/// What was found of a payment or an actor, each entry once.
fn hits_of<'a>(subject: Subject<'a>, screened: &'a Screened, at: i64) -> impl Iterator<Item = Found<'a>> {
    let mut met = BTreeSet::new();
    let is_hit = screened.result.response == ScreeningResponse::Hit;
    let matches = screened.result.matches.iter().filter(move |_| is_hit);
    let matches = matches.filter(move |found| met.insert(found.id.as_str()));
    matches.map(move |found| Found { subject, provider: &screened.provider, found, at })
}

async fn keep_in(transaction: &mut Transaction, rows: &[Value], settled: &Settled) -> std::result::Result<(), cypher::Error> {
    for (statement, rows) in [
        (statements::screening::DROP_PENDING, settled.done.as_slice()),
        (statements::screening::RECORD_ACTORS, rows),
        (statements::screening::DELAY_PENDING, settled.later.as_slice()),
        (statements::screening::AWAIT_ACTORS, settled.awaited.as_slice()),
        (statements::screening::KEEP_FACTS, settled.facts.as_slice()),
    ] {
        if !rows.is_empty() {
            transaction.put(statement, Params::rows(rows.to_vec())).await?;
        }
    }
    Ok(())
}
