//! The job that screens payments nobody waits for: one that was sent so, or those of a part of a bulk request or an import.
//!
//! What a provider has said of a payment is there once, whoever asks again. A provider that says nothing is asked again, after waits that grow; after the
//! last try that it said nothing is the result. Payments of which it says something do not wait for those.

use std::collections::HashMap;
use std::sync::Arc;

use cypher::{Params, statements};
use futures::StreamExt;
use futures::stream;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use serde::{Deserialize, Serialize};

use super::provider::Provider;
use super::run::{Screened, screening_id};
use super::{Payment, Subject};
use crate::derived_id::digest_id;
use crate::jobs::{JobKind, Progress, Running, Stopped, Wanted};
use crate::policy::Permit;
use crate::{Error, Inner, Once, Result};

/// Payments that are read and looked up together, and screened beside each other.
const PORTION: usize = 50;
const BESIDE: usize = 8;
/// How often a provider is asked that says nothing; with the waits between them about ten minutes.
pub(super) const TRIES: u32 = 10;
/// The most payments of one job.
const MOST: usize = 2_000;

/// Payments that are to be screened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ScreenPayments {
    operations: Vec<ScreeningOperation>,
    payments: Vec<SubmittedPayment>,
}

/// A payment, and what brought it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SubmittedPayment {
    pub id: String,
    /// Names the screenings: the same again is not screened again.
    pub submission: String,
}

/// How far it is.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Reached {
    /// Providers were asked about so many payments.
    done: usize,
    /// So often a provider has said nothing of some of them.
    tries: u32,
    /// The places of these.
    #[serde(default)]
    silent: Vec<usize>,
}

/// What it has come to.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScreenedPayments {
    payments: usize,
}

impl JobKind for ScreenPayments {
    const KIND: &'static str = "screening";
    /// Most are about one payment; how many payments are screened at once says [`Screening`](super::Screening).
    const AT_ONCE: usize = 32;
    const FAILURES: i64 = 16;
    type Checkpoint = Reached;
    type Result = ScreenedPayments;

    async fn run(&self, mut reached: Reached, running: &Running) -> std::result::Result<ScreenedPayments, Stopped> {
        let inner = &running.context().resolvers().inner;
        let providers = inner.screening.of(&self.operations);
        if providers.is_empty() {
            return Ok(ScreenedPayments { payments: reached.done });
        }
        if reached.done < self.payments.len() {
            while reached.done < self.payments.len() {
                let end = self.payments.len().min(reached.done + PORTION);
                let places: Vec<usize> = (reached.done..end).collect();
                reached.silent.extend(inner.screen_portion(&self.payments, &places, &providers, Try::OneOfSome).await?);
                reached.done = end;
                running.save(&reached, self.progress(&reached)).await?;
            }
        } else {
            let which = if reached.tries + 1 >= TRIES { Try::TheLast } else { Try::OneOfSome };
            let mut silent = Vec::new();
            for places in reached.silent.chunks(PORTION) {
                silent.extend(inner.screen_portion(&self.payments, places, &providers, which).await?);
            }
            reached.silent = silent;
        }
        if reached.silent.is_empty() {
            return Ok(ScreenedPayments { payments: reached.done });
        }
        reached.tries += 1;
        running.show(&reached, self.progress(&reached)).await?;
        Err(Stopped::Failed(Error::invalid("screening", "a provider could not screen a payment; it is asked again")))
    }
}

/// Whether a provider that says nothing is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Try {
    OneOfSome,
    TheLast,
}

/// A stored payment, with what is left of its screening.
struct Unscreened {
    payment: Payment,
    /// Where the job names it: each time for another submission.
    places: Vec<usize>,
    /// Providers, each with the ids of its screenings. It is asked once.
    left: Vec<(Arc<Provider>, Vec<String>)>,
}

impl ScreenPayments {
    fn progress(&self, reached: &Reached) -> Progress {
        Progress { done: reached.done.saturating_sub(reached.silent.len()) as u64, total: Some(self.payments.len() as u64) }
    }

    pub fn of_one(operations: Vec<ScreeningOperation>, id: &str, submission: String) -> Self {
        Self { operations, payments: vec![SubmittedPayment { id: id.to_owned(), submission }] }
    }
}

impl Inner {
    /// Has payments screened that came in bulk or were imported, where the settings say so. Done again it screens nothing twice.
    pub(crate) async fn screen_later(&self, permit: &Permit<'_>, payments: &[SubmittedPayment]) -> Result<()> {
        let operations = &self.settings.screening.bulk;
        if self.screening.of(operations).is_empty() {
            return Ok(());
        }
        for some in payments.chunks(MOST) {
            let job = ScreenPayments { operations: operations.clone(), payments: some.to_vec() };
            let submissions: Vec<&str> = some.iter().map(|one| one.submission.as_str()).collect();
            let deduplication_key = Some(digest_id("screenings", &submissions));
            let wanted = Wanted { name: format!("Screening of {} payments", some.len()), priority: -1, deduplication_key };
            self.start_job(permit, &job, wanted, Once { key: None, body: "" }).await?;
        }
        Ok(())
    }

    /// Screens the payments at some places; answers with the places of those of which a provider said nothing, and is to be asked again.
    async fn screen_portion(&self, all: &[SubmittedPayment], places: &[usize], providers: &[Arc<Provider>], which: Try) -> Result<Vec<usize>> {
        let submitted: Vec<(usize, &SubmittedPayment)> = places.iter().filter_map(|place| Some((*place, all.get(*place)?))).collect();
        let mut payments = self.stored_payments(submitted.iter().map(|(_, one)| one.id.as_str()).collect()).await?;
        let ids = submitted.iter().flat_map(|(_, one)| providers.iter().map(|provider| screening_id(&one.submission, provider))).collect();
        let known = self.screening_results(ids).await?;
        let mut asked = Vec::with_capacity(submitted.len());
        for (_, one) in &submitted {
            // One that is not there was never stored, or is no payment; or it was named before, and is asked about for both.
            let Some(payment) = payments.remove(&one.id) else { continue };
            let named: Vec<(usize, &SubmittedPayment)> = submitted.iter().filter(|(_, other)| other.id == one.id).copied().collect();
            let left = left_of(&named, providers, &known);
            if !left.is_empty() {
                let places = named.iter().map(|(place, _)| *place).collect();
                asked.push(self.screen_stored(Unscreened { payment, places, left }, which));
            }
        }
        let mut outcomes = stream::iter(asked).buffer_unordered(BESIDE);
        let mut silent = Vec::new();
        while let Some(outcome) = outcomes.next().await {
            silent.extend(outcome?);
        }
        silent.sort_unstable();
        Ok(silent)
    }

    async fn stored_payments(&self, ids: Vec<&str>) -> Result<HashMap<String, Payment>> {
        let rows = self.read(&Permit::of_service(), statements::transaction::READ, Params::none().with("ids", ids)).await?;
        Ok(rows.into_iter().filter_map(|row| Some((row.id, Payment::stored(row.record?)?))).collect())
    }

    /// Asks about one payment, and keeps what was said. Where a provider says nothing and is to be asked again, nothing is kept of that, and the payment's
    /// places are the answer.
    async fn screen_stored(&self, unscreened: Unscreened, which: Try) -> Result<Vec<usize>> {
        // It is never closed.
        let _turn = self.screening.background.acquire().await;
        let Unscreened { payment, places, left } = unscreened;
        let (mut asked, mut others) = (Vec::with_capacity(left.len()), Vec::with_capacity(left.len()));
        for (provider, ids) in left {
            let mut ids = ids.into_iter();
            let Some(first) = ids.next() else { continue };
            asked.push((first, provider));
            others.push(ids);
        }
        let mut said = Vec::with_capacity(asked.len());
        let mut is_silent = false;
        for (one, others) in self.ask_providers(Subject::Payment(&payment), asked, None).await.into_iter().zip(others) {
            if which != Try::TheLast && !one.result.response.is_conclusive() {
                is_silent = true;
                continue;
            }
            said.extend(others.map(|id| Screened { id, provider: Arc::clone(&one.provider), result: one.result.clone() }));
            said.push(one);
        }
        if !said.is_empty() {
            self.record_screened(&payment, &said).await?;
        }
        Ok(if is_silent { places } else { Vec::new() })
    }
}

/// The providers that have not said all yet of a payment, with the ids of the screenings that are left.
fn left_of(
    named: &[(usize, &SubmittedPayment)],
    providers: &[Arc<Provider>],
    known: &HashMap<String, ScreeningResponse>,
) -> Vec<(Arc<Provider>, Vec<String>)> {
    let left = |provider: &Arc<Provider>| {
        let ids: Vec<String> = named.iter().map(|(_, one)| screening_id(&one.submission, provider)).filter(|id| !known.contains_key(id)).collect();
        (Arc::clone(provider), ids)
    };
    providers.iter().map(left).filter(|(_, ids)| !ids.is_empty()).collect()
}
