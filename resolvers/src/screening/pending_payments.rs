//! Payments are screened while nobody waits: those that were sent so, that came in bulk, or that were imported.
//!
//! Each waits in a `(:PendingPaymentScreening)`. One that was sent alone has a node of its own, which comes in the transaction of the payment; of those that
//! come together one node has up to [`TOGETHER`], so that a large import leaves few nodes. The job `payment-screenings` takes some of them at a time, those
//! first that were sent alone, and a node of the others besides. It keeps what was said, and then takes the node away. A screening's id follows from what
//! brought the payment, so that each payment is screened once, whatever dies.
//!
//! A provider that says nothing is asked again, after waits that grow; after the last try that it said nothing is the result. Payments that wait in the same
//! node do not wait for that. A payment of which nothing can be kept waits until it can.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use cypher::statements::rows::PendingPayments;
use cypher::{Params, Value, map, statements};
use futures::StreamExt;
use futures::stream;
use graph_schema::screening::ScreeningOperation;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc;

use super::pending::{Drained, TRIES, wait_after};
use super::provider::Provider;
use super::run::{Screened, screening_id};
use super::{IN_BACKGROUND, Payment, Subject};
use crate::clock::millis;
use crate::conflicts::despite_conflicts;
use crate::derived_id::digest_id;
use crate::jobs::{Job, PaymentScreenings};
use crate::policy::Permit;
use crate::queue::{Along, Priority, Put, Rank, Write};
use crate::{Error, Inner, Result};

/// Payments of one node.
const TOGETHER: usize = 200;
/// About so many are screened in one step. As many nodes `screening/pending_payments` finds at once, of one payment each ...
pub const PORTION: usize = 200;
/// ... and so many `screening/pending_bulk_payments`, which are much larger.
pub const BULK_NODES: usize = 20;
/// Payments whose results are kept in one transaction.
const KEPT_TOGETHER: usize = 50;
/// What a change of those that wait may take.
const LIMIT: Duration = Duration::from_secs(10);
/// The label of the nodes.
const PENDING: &str = "PendingPaymentScreening";

/// A payment, and what brought it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmittedPayment {
    pub id: String,
    /// Names the screenings: the same again is not screened again.
    pub submission: String,
}

/// How payments have come, which says who is screened first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    Alone,
    InBulk,
}

impl Arrival {
    /// The property that says when they are due. Each has one with an index of its own, so that many that came in bulk do not hide one that was sent alone.
    fn due_at(self) -> &'static str {
        match self {
            Self::Alone => "dueAt",
            Self::InBulk => "bulkDueAt",
        }
    }
}

/// Lets payments wait without a question. Whoever has written it wakes the job.
pub(super) static AWAIT_SCREENING: Put = Put::of(statements::screening::AWAIT_PAYMENTS, Rank::Administration);

/// Payments that are due together.
pub struct Due {
    pub arrival: Arrival,
    id: String,
    pub payments: Vec<SubmittedPayment>,
    pub operations: Vec<ScreeningOperation>,
    tries: i64,
}

/// A payment's place: of what is due, and among the payments there.
type Place = (usize, usize);

/// A screening that is to be done.
struct Awaited {
    /// The screening's id.
    id: String,
    provider: Arc<Provider>,
    place: Place,
    /// Whether that a provider says nothing is the result.
    is_last: bool,
}

/// A stored payment, with what is left of its screening.
struct Unscreened {
    payment: Payment,
    left: Vec<Awaited>,
}

/// What was said of a payment.
struct Told {
    payment: Payment,
    said: Vec<Screened>,
    /// Where the payment waits.
    places: BTreeSet<Place>,
    /// Those for which a provider has said nothing, and is to be asked again.
    silent: BTreeSet<Place>,
}

impl Inner {
    /// The write by [`AWAIT_SCREENING`] that lets payments wait together, so few that one node has them. Made again it changes nothing.
    pub(super) fn awaiting(
        &self,
        permit: &Permit<'_>,
        payments: &[SubmittedPayment],
        operations: &[ScreeningOperation],
        arrival: Arrival,
    ) -> Write<Value> {
        let submissions: Vec<&str> = payments.iter().map(|payment| payment.submission.as_str()).collect();
        let id = digest_id("pending-screening", &submissions);
        let name = match payments {
            [payment] => format!("Screening of {}", payment.id),
            several => format!("Screening of {} payments", several.len()),
        };
        let operations = operations.iter().map(|operation| operation.as_str()).collect::<Vec<_>>().join(",");
        let ids: Vec<&str> = payments.iter().map(|payment| payment.id.as_str()).collect();
        let entry = self.entry(permit, PENDING, &id, "screening.requested");
        let entry = entry.with_new_value(json!({"operations": operations, "transactionIds": ids}).to_string());
        let now = self.clock.now().millis();
        let due_at = |of: Arrival| Value::from((arrival == of).then_some(now));
        let props = map([
            ("name", name.into()),
            ("payments", as_text(payments).into()),
            ("operations", operations.into()),
            ("tries", 0.into()),
            (Arrival::Alone.due_at(), due_at(Arrival::Alone)),
            (Arrival::InBulk.due_at(), due_at(Arrival::InBulk)),
        ]);
        Write::new(map([("id", id.as_str().into()), ("props", props)]), entry)
    }

    /// Has payments screened that came in bulk or were imported, where the settings say so. Done again it screens nothing twice.
    pub(crate) async fn screen_later(&self, permit: &Permit<'_>, payments: &[SubmittedPayment]) -> Result<()> {
        self.await_screening(permit, payments, &self.settings.screening.bulk).await
    }

    /// Lets payments that have come together wait to be screened.
    pub(super) async fn await_screening(&self, permit: &Permit<'_>, payments: &[SubmittedPayment], operations: &[ScreeningOperation]) -> Result<()> {
        if payments.is_empty() || self.screening.of(operations).is_empty() {
            return Ok(());
        }
        for some in payments.chunks(TOGETHER) {
            let write = self.awaiting(permit, some, operations, Arrival::InBulk);
            let along = Along { priority: Priority::Bulk, ..Along::default() };
            self.queue.write_along(&AWAIT_SCREENING, write, along).await.map_err(Error::from)?;
        }
        self.waker.wake(PaymentScreenings::NAME);
        Ok(())
    }

    /// Screens some of the payments that wait and are due.
    pub(crate) async fn screen_pending_payments(&self) -> Result<Drained> {
        let (due, drained) = self.due_payments().await?;
        if due.is_empty() {
            return Ok(Drained::All);
        }
        let asked: Vec<_> = self.unscreened(&due).await?.into_iter().map(|one| self.ask_about(one)).collect();
        let (told, mut heard) = mpsc::unbounded_channel::<Told>();
        // Beside each other, as far as their turns let them.
        let asking = async move {
            let mut answers = stream::iter(asked).buffer_unordered(IN_BACKGROUND);
            while let Some(one) = answers.next().await {
                // An error says that nothing can be kept now.
                if told.send(one).is_err() {
                    break;
                }
            }
            Ok::<_, Error>(())
        };
        // What was said is kept as it comes: a payment whose provider takes long holds up no other, and what is kept takes none of the providers' time.
        let keeping = async {
            let (mut silent, mut unkept, mut some) = (BTreeSet::new(), BTreeSet::new(), Vec::<Told>::new());
            while heard.recv_many(&mut some, KEPT_TOGETHER).await > 0 {
                silent.extend(some.iter().flat_map(|one| one.silent.iter().copied()));
                unkept.extend(self.keep_told(&some).await?);
                some.clear();
            }
            Ok::<_, Error>((silent, unkept))
        };
        let ((), (silent, unkept)) = tokio::try_join!(asking, keeping)?;
        self.settle_payments(due, &silent, &unkept).await?;
        Ok(drained)
    }

    async fn due_payments(&self) -> Result<(Vec<Due>, Drained)> {
        let (permit, now) = (Permit::of_service(), self.clock.now().millis());
        let alone = self.read(&permit, statements::screening::PENDING_PAYMENTS, Params::none().with("now", now)).await?;
        let in_bulk = self.read(&permit, statements::screening::PENDING_BULK_PAYMENTS, Params::none().with("now", now)).await?;
        Ok(of_one_step(alone, in_bulk))
    }

    /// The payments that are there, each once, with what no provider has said of them yet.
    async fn unscreened(&self, due: &[Due]) -> Result<Vec<Unscreened>> {
        // In the order in which they are due.
        let mut awaited: Vec<(&str, Vec<Awaited>)> = Vec::new();
        let mut met: HashMap<&str, usize> = HashMap::new();
        for (node, one) in due.iter().enumerate() {
            let is_last = one.is_last();
            let providers = self.screening.of(&one.operations);
            if providers.is_empty() {
                tracing::warn!(
                    payments = one.payments.len(),
                    "payments that waited are not screened: there is no provider any more for what they are to be screened for"
                );
            }
            for (at, payment) in one.payments.iter().enumerate() {
                let of_one = providers.iter().map(|provider| {
                    let id = screening_id(&payment.submission, provider);
                    Awaited { id, provider: Arc::clone(provider), place: (node, at), is_last }
                });
                let id = payment.id.as_str();
                let group = *met.entry(id).or_insert(awaited.len());
                if group == awaited.len() {
                    awaited.push((id, Vec::new()));
                }
                awaited[group].1.extend(of_one);
            }
        }
        let ids: Vec<String> = awaited.iter().flat_map(|(_, of_one)| of_one).map(|one| one.id.clone()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let known = self.screening_results(ids).await?;
        let mut payments = self.stored_payments(awaited.iter().map(|(id, _)| *id).collect()).await?;
        let mut unscreened = Vec::with_capacity(payments.len());
        for (id, awaited) in awaited {
            // One waits from the moment on at which it is stored, or later.
            let Some(payment) = payments.remove(id) else {
                tracing::error!("a payment that waited is not screened: it is not there, or can't be read");
                continue;
            };
            let left: Vec<Awaited> = awaited.into_iter().filter(|one| !known.contains_key(&one.id)).collect();
            if !left.is_empty() {
                unscreened.push(Unscreened { payment, left });
            }
        }
        Ok(unscreened)
    }

    async fn stored_payments(&self, ids: Vec<&str>) -> Result<HashMap<String, Payment>> {
        let rows = self.read(&Permit::of_service(), statements::transaction::READ, Params::none().with("ids", ids)).await?;
        Ok(rows.into_iter().filter_map(|row| Some((row.id, Payment::stored(row.record?)?))).collect())
    }

    /// Asks about one payment, each provider once, for however many submissions the payment waits.
    async fn ask_about(&self, Unscreened { payment, left }: Unscreened) -> Told {
        // It is never closed.
        let _turn = self.screening.background.acquire().await;
        let places = left.iter().map(|one| one.place).collect();
        let mut by_provider: Vec<(Arc<Provider>, Vec<Awaited>)> = Vec::new();
        for one in left {
            match by_provider.iter_mut().find(|(provider, _)| Arc::ptr_eq(provider, &one.provider)) {
                Some((_, others)) => others.push(one),
                None => by_provider.push((Arc::clone(&one.provider), vec![one])),
            }
        }
        // The service knows the screening by the id of the first submission.
        let asked: Vec<(String, Arc<Provider>)> =
            by_provider.iter().filter_map(|(provider, awaited)| Some((awaited.first()?.id.clone(), Arc::clone(provider)))).collect();
        let results = self.ask_providers(Subject::Payment(&payment), asked, None).await;
        let (mut said, mut silent) = (Vec::with_capacity(results.len()), BTreeSet::new());
        for (Screened { provider, result, .. }, (_, awaited)) in results.into_iter().zip(by_provider) {
            for one in awaited {
                if one.is_last || result.response.is_conclusive() {
                    said.push(Screened { id: one.id, provider: Arc::clone(&provider), result: result.clone() });
                } else {
                    silent.insert(one.place);
                }
            }
        }
        Told { payment, said, places, silent }
    }

    /// Keeps what was said of some payments; answers with the places of those of which it can't be kept, whatever is wrong with them. An error says that
    /// nothing can be kept now.
    async fn keep_told(&self, told: &[Told]) -> Result<BTreeSet<Place>> {
        let said: Vec<&Told> = told.iter().filter(|one| !one.said.is_empty()).collect();
        let mut unkept = BTreeSet::new();
        match self.keep_together(&said).await {
            Ok(()) => return Ok(unkept),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => tracing::warn!(%error, "what was said of payments is kept one by one"),
        }
        for one in said {
            match self.keep_together(&[one]).await {
                Ok(()) => {}
                Err(error @ Error::Unavailable { .. }) => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, "what was said of a payment can't be kept");
                    unkept.extend(one.places.iter().copied());
                }
            }
        }
        Ok(unkept)
    }

    async fn keep_together(&self, told: &[&Told]) -> Result<()> {
        if told.is_empty() {
            return Ok(());
        }
        let said: Vec<(&Payment, &[Screened])> = told.iter().map(|one| (&one.payment, one.said.as_slice())).collect();
        self.record_screened_payments(&said).await?;
        Ok(())
    }

    /// Takes what is done from what waits, and leaves the rest for later.
    async fn settle_payments(&self, due: Vec<Due>, silent: &BTreeSet<Place>, unkept: &BTreeSet<Place>) -> Result<()> {
        let now = self.clock.now().millis();
        let (mut done, mut later) = (Vec::with_capacity(due.len()), Vec::new());
        for (node, one) in due.into_iter().enumerate() {
            let is_last = one.is_last();
            let is_left = |at: usize| silent.contains(&(node, at)) || unkept.contains(&(node, at));
            let left: Vec<SubmittedPayment> =
                one.payments.into_iter().enumerate().filter(|(at, _)| is_left(*at)).map(|(_, payment)| payment).collect();
            if left.is_empty() {
                done.push(one.id);
                continue;
            }
            // By then that a provider says nothing is a result, which is kept as any.
            if is_last {
                tracing::error!(payments = left.len(), "what was said of payments can't be kept, however often it is tried; it is tried on");
            }
            let due_at = now.saturating_add(millis(wait_after(one.tries)));
            let tries = one.tries.saturating_add(1).min(TRIES - 1);
            let props = map([("payments", as_text(&left).into()), ("tries", tries.into()), (one.arrival.due_at(), due_at.into())]);
            later.push(map([("id", one.id.into()), ("props", props)]));
        }
        for (statement, params, is_empty) in [
            (statements::screening::DROP_PAYMENTS, Params::none().with("ids", done.clone()), done.is_empty()),
            (statements::screening::DELAY_PAYMENTS, Params::rows(later.clone()), later.is_empty()),
        ] {
            if !is_empty {
                despite_conflicts(|| self.engine.write_within(statement, params.clone(), LIMIT)).await?;
            }
        }
        Ok(())
    }
}

impl Due {
    fn of(arrival: Arrival, row: PendingPayments) -> Self {
        let payments = serde_json::from_str(&row.payments).unwrap_or_else(|error| {
            tracing::error!(category = ?error.classify(), "payments that wait to be screened can't be read");
            Vec::new()
        });
        let operations = row.operations.split(',').filter_map(|name| ScreeningOperation::parse(name).ok()).collect();
        Self { arrival, id: row.id, payments, operations, tries: row.tries }
    }

    fn is_last(&self) -> bool {
        self.tries.saturating_add(1) >= TRIES
    }
}

/// What of that which is due is screened in one step, and whether there may be more: those first that were sent alone; then, while they are fewer than are
/// screened in one step, those that came in bulk, and of these one node in any case, so that they are screened however many are sent alone.
pub fn of_one_step(alone: Vec<PendingPayments>, in_bulk: Vec<PendingPayments>) -> (Vec<Due>, Drained) {
    let mut is_cut_off = alone.len() >= PORTION || in_bulk.len() >= BULK_NODES;
    let mut due: Vec<Due> = alone.into_iter().map(|row| Due::of(Arrival::Alone, row)).collect();
    let mut count: usize = due.iter().map(|one| one.payments.len()).sum();
    for (node, row) in in_bulk.into_iter().enumerate() {
        if node > 0 && count >= PORTION {
            is_cut_off = true;
            break;
        }
        let one = Due::of(Arrival::InBulk, row);
        count += one.payments.len();
        due.push(one);
    }
    (due, if is_cut_off { Drained::Some } else { Drained::All })
}

/// As JSON text.
pub fn as_text(payments: &[SubmittedPayment]) -> String {
    // They are texts.
    serde_json::to_string(payments).unwrap_or_default()
}
