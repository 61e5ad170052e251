//! The job that screens payments nobody waits for: one that was sent so, or those of a part of a bulk request or an import.
//!
//! What a provider has said of a payment is there once, whoever asks again. A provider that says nothing is asked again, after waits that grow; after the
//! last try that it said nothing is the result.

use std::collections::HashMap;
use std::sync::Arc;

use cypher::{Params, statements};
use futures::StreamExt;
use futures::stream;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use serde::{Deserialize, Serialize};

use super::Payment;
use super::provider::Provider;
use super::run::{Screened, screening_id};
use crate::derived_id::digest_id;
use crate::jobs::{JobKind, Progress, Running, Stopped, Wanted};
use crate::policy::Permit;
use crate::{Error, Inner, Once, Result};

/// Payments that are read and looked up together, and screened beside each other.
const PORTION: usize = 50;
const BESIDE: usize = 8;
/// How often a provider is asked that says nothing; with the waits between them about ten minutes.
const TRIES: u32 = 10;
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
    /// So many payments are screened.
    done: usize,
    /// So often a provider has said nothing of the next ones.
    tries: u32,
}

/// What it has come to.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ScreenedPayments {
    payments: usize,
}

impl JobKind for ScreenPayments {
    const KIND: &'static str = "screening";
    const AT_ONCE: usize = 4;
    const FAILURES: i64 = 16;
    type Checkpoint = Reached;
    type Result = ScreenedPayments;

    async fn run(&self, mut reached: Reached, running: &Running) -> std::result::Result<ScreenedPayments, Stopped> {
        let inner = &running.context().resolvers().inner;
        let providers = inner.screening.of(&self.operations);
        let total = Some(self.payments.len() as u64);
        while reached.done < self.payments.len() && !providers.is_empty() {
            let end = self.payments.len().min(reached.done + PORTION);
            let is_last = reached.tries + 1 >= TRIES;
            if !inner.screen_portion(&self.payments[reached.done..end], &providers, is_last).await? {
                reached.tries += 1;
                running.show(&reached, Progress { done: reached.done as u64, total }).await?;
                return Err(Stopped::Failed(Error::invalid("screening", "a provider could not screen a payment; it is asked again")));
            }
            reached = Reached { done: end, tries: 0 };
            running.save(&reached, Progress { done: end as u64, total }).await?;
        }
        Ok(ScreenedPayments { payments: reached.done })
    }
}

impl ScreenPayments {
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

    /// Screens payments; false where a provider said nothing of one of them, and is to be asked again.
    async fn screen_portion(&self, submitted: &[SubmittedPayment], providers: &[Arc<Provider>], is_last: bool) -> Result<bool> {
        let mut payments = self.stored_payments(submitted).await?;
        let ids = submitted.iter().flat_map(|one| providers.iter().map(|provider| screening_id(&one.submission, provider))).collect();
        let known = self.screening_results(ids).await?;
        let mut asked = Vec::with_capacity(submitted.len());
        for one in submitted {
            // One that is not there was never stored, or is no payment.
            let Some(payment) = payments.remove(&one.id) else { continue };
            let left: Vec<_> = left_of(one, providers, &known);
            if !left.is_empty() {
                asked.push(self.screen_stored(payment, left, is_last));
            }
        }
        let mut outcomes = stream::iter(asked).buffer_unordered(BESIDE);
        let mut all_said = true;
        while let Some(outcome) = outcomes.next().await {
            all_said &= outcome?;
        }
        Ok(all_said)
    }

    async fn stored_payments(&self, submitted: &[SubmittedPayment]) -> Result<HashMap<String, Payment>> {
        let ids: Vec<&str> = submitted.iter().map(|one| one.id.as_str()).collect();
        let rows = self.read(&Permit::of_service(), statements::transaction::READ, Params::none().with("ids", ids)).await?;
        Ok(rows.into_iter().filter_map(|row| Some((row.id, Payment::stored(row.record?)?))).collect())
    }

    /// Asks about one payment, and keeps what was said. Where a provider says nothing and is to be asked again, nothing is kept of that.
    async fn screen_stored(&self, payment: Payment, left: Vec<(String, Arc<Provider>)>, is_last: bool) -> Result<bool> {
        let screened = self.ask_providers(&payment, left, None).await;
        let (said, silent): (Vec<Screened>, Vec<Screened>) =
            screened.into_iter().partition(|one| is_last || !matches!(one.result.response, ScreeningResponse::Error | ScreeningResponse::Timeout));
        if !said.is_empty() {
            self.record_screened(&payment, &said).await?;
        }
        Ok(silent.is_empty())
    }
}

/// The providers that have said nothing yet, with the ids of their screenings.
fn left_of(one: &SubmittedPayment, providers: &[Arc<Provider>], known: &HashMap<String, ScreeningResponse>) -> Vec<(String, Arc<Provider>)> {
    let all = providers.iter().map(|provider| (screening_id(&one.submission, provider), Arc::clone(provider)));
    all.filter(|(id, _)| !known.contains_key(id)).collect()
}
