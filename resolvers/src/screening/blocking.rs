//! Add Transaction with screening. The payment is stored first; what providers do neither delays nor fails that.
//!
//! Where the sender waits, a task of its own screens the stored payment, and goes on where the sender hangs up. The same request again waits for it, or,
//! where its process has died, does what it has left. What was found and can't be kept is told, and the payment is screened again while nobody waits. Where
//! the sender does not wait, the payment waits to be screened ([`pending_payments`](super::pending_payments)) as of the transaction that stores it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use graph_schema::given::Given;
use graph_schema::screening::ScreeningResponse;
use graph_schema::transaction::TransactionRecord;
use tokio::time::timeout;

use super::answer::{KeptProvider, KeptScreening, ToldResult, TransactionAnswer};
use super::pending_payments::{AWAIT_SCREENING, Arrival, SubmittedPayment};
use super::provider::Provider;
use super::run::{screening_id, screening_id_of};
use super::{Payment, ScreeningRequest, Subject};
use crate::clock::millis;
use crate::jobs::{Job, PaymentScreenings};
use crate::policy::Permit;
use crate::queue::Write;
use crate::transaction::{RECORD_TRANSACTION, TransactionRow};
use crate::{Answered, Error, IdempotencyKey, Inner, Once, Replayed, Resolvers, Result, boxed};

/// What of its time a blocking screening leaves for keeping results: a tenth, and no more than this.
const FOR_KEEPING: Duration = Duration::from_millis(100);
/// How long keeping them may take, and letting the payment wait to be screened again where they can't be kept.
const KEEPING: Duration = Duration::from_secs(5);
const QUEUEING: Duration = Duration::from_secs(2);
/// How much longer than its time somebody who screens is waited for by the same request again.
const GRACE: Duration = Duration::from_secs(1);
/// How often it is looked meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// A payment that is to be stored and screened.
pub(crate) struct ToBeScreened {
    pub given: Given<TransactionRecord>,
    pub request: ScreeningRequest,
    pub key: Option<IdempotencyKey>,
    pub write: Write<TransactionRow>,
}

impl Resolvers {
    /// Stores a payment and has it screened.
    #[boxed]
    pub(crate) async fn add_screened_transaction(&self, permit: &Permit<'_>, wanted: ToBeScreened) -> Result<Answered> {
        let inner = &self.inner;
        let ToBeScreened { given, request, key, write } = wanted;
        let providers = inner.screening.of(&request.operations);
        // The same payment with another screening is another request.
        let body = format!("{}\n{}", request.text(), given.record);
        let once = Once { key, body: &body };
        let mut answer = TransactionAnswer::new(given.value.id.as_str(), &permit.caller().request_id);
        let submission = write.entry.id().to_owned();
        if !request.blocking && !providers.is_empty() {
            let payment = SubmittedPayment { id: given.value.id.as_str().to_owned(), submission };
            let waiting = inner.awaiting(permit, &[payment], &request.operations, Arrival::Alone);
            let answered = inner.answer_both_once(permit, once, answer.text(), (&RECORD_TRANSACTION, write), (&AWAIT_SCREENING, waiting)).await?;
            inner.waker.wake(PaymentScreenings::NAME);
            return Ok(answered);
        }
        if !providers.is_empty() {
            answer.screening = Some(inner.kept_screening(submission, &providers));
        }
        let answered = inner.answer_once(permit, once, answer.text(), &RECORD_TRANSACTION, write).await?;
        self.with_results(answered, Payment::of(given)).await
    }

    /// What was answered, with what providers have said.
    async fn with_results(&self, answered: Answered, payment: Payment) -> Result<Answered> {
        let Some(answer) = TransactionAnswer::read(&answered.text) else { return Ok(answered) };
        // There was no provider when the payment was stored.
        let Some(screening) = answer.screening.clone() else { return Ok(answered) };
        let replayed = answered.replayed;
        let known = match replayed {
            Replayed::Yes => self.inner.await_first(&screening).await?,
            // Of what was stored a moment ago there is nothing.
            Replayed::No => HashMap::new(),
        };
        let resolvers = self.clone();
        // It goes on where nobody waits any more: the payment is stored, and the client may have hung up.
        let task = tokio::spawn(async move { resolvers.inner.screen_submitted(&payment, &screening, known).await });
        let results = task.await.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Answered { text: Arc::from(answer.with_results(results).text()), replayed })
    }
}

impl Inner {
    fn kept_screening(&self, submission: String, providers: &[Arc<Provider>]) -> KeptScreening {
        let kept = |provider: &Arc<Provider>| KeptProvider { operation: provider.operation, name: provider.name.clone() };
        KeptScreening { submission, providers: providers.iter().map(kept).collect(), until: self.latest_end() }
    }

    /// When whoever begins now will have come to an end, in epoch milliseconds.
    fn latest_end(&self) -> i64 {
        self.clock.now().millis().saturating_add(millis(self.settings.screening.timeout.saturating_add(GRACE)))
    }

    /// Waits until the first request has its results, as long as it may take; answers with those that there are, by the ids of the screenings.
    async fn await_first(&self, screening: &KeptScreening) -> Result<HashMap<String, ScreeningResponse>> {
        let ids: Vec<String> = screening.ids().collect();
        // What the first one's machine takes for the time may be far ahead.
        let until = screening.until.min(self.latest_end());
        loop {
            let results = self.screening_results(ids.clone()).await?;
            if results.len() >= ids.len() || self.clock.now().millis() >= until {
                return Ok(results);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Asks the providers that have not said anything yet, keeps what they say, and tells what all have said.
    async fn screen_submitted(
        &self,
        payment: &Payment,
        screening: &KeptScreening,
        mut results: HashMap<String, ScreeningResponse>,
    ) -> Vec<ToldResult> {
        let configured = screening.providers.iter().filter_map(|kept| self.screening.provider(kept.operation, &kept.name));
        let left: Vec<(String, Arc<Provider>)> = configured.map(|provider| (screening_id(&screening.submission, &provider), provider)).collect();
        let left: Vec<_> = left.into_iter().filter(|(id, _)| !results.contains_key(id)).collect();
        if !left.is_empty() {
            let limit = self.settings.screening.timeout;
            let screened = self.ask_providers(Subject::Payment(payment), left, Some(limit - FOR_KEEPING.min(limit / 10))).await;
            let kept = timeout(KEEPING, self.record_screened(payment, &screened)).await.unwrap_or(Err(Error::TooLong));
            results.extend(screened.into_iter().map(|screened| (screened.id, screened.result.response)));
            match kept {
                // Somebody else may have been first, or have found more.
                Ok(kept) => results.extend(kept),
                Err(error) => {
                    tracing::warn!(%error, "what providers have said of a payment could not be kept; it is screened again");
                    self.screen_again(payment, screening).await;
                }
            }
        }
        let told = screening.ids().zip(&screening.providers).map(|(id, provider)| {
            // One that was taken out of the configuration meanwhile says nothing any more.
            let response = results.get(&id).copied().unwrap_or(ScreeningResponse::Error);
            ToldResult { provider_name: provider.name.clone(), response }
        });
        told.collect()
    }

    /// Lets a payment wait to be screened, as the same screening.
    async fn screen_again(&self, payment: &Payment, screening: &KeptScreening) {
        // Providers of an operation stand together.
        let mut operations: Vec<_> = screening.providers.iter().map(|provider| provider.operation).collect();
        operations.dedup();
        let payment = SubmittedPayment { id: payment.value.id.as_str().to_owned(), submission: screening.submission.clone() };
        let waiting = self.awaiting(&Permit::of_service(), &[payment], &operations, Arrival::Alone);
        let waits = timeout(QUEUEING, self.queue.write(&AWAIT_SCREENING, waiting)).await;
        match waits.unwrap_or(Err(Error::TooLong)) {
            Ok(()) => self.waker.wake(PaymentScreenings::NAME),
            Err(error) => tracing::error!(%error, "a payment's screening is not kept: its sender was told the results, and nobody else is"),
        }
    }
}

impl KeptScreening {
    /// The ids of its screenings, in the order of the providers.
    fn ids(&self) -> impl Iterator<Item = String> {
        self.providers.iter().map(|provider| screening_id_of(&self.submission, provider.operation, &provider.name))
    }
}
