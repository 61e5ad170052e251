//! Operations on transactions. How they are written is in `record`, what is written in `row`, what they are likely to lock in `foresight`.

pub(crate) mod flow_totals;
pub(crate) mod foresight;
mod record;
pub(crate) mod roll_up;
pub(crate) mod row;
mod stream;

use std::sync::Arc;

use cypher::{Params, statements};
use graph_schema::date::Timestamp;
use graph_schema::given::Given;
use graph_schema::id::TransactionId;
use graph_schema::transaction::TransactionRecord;

pub use flow_totals::{CurrencyTotal, FlowTotal, FlowTotals};
pub(crate) use foresight::SeenHolders;
pub(crate) use record::RECORD_TRANSACTION;
pub(crate) use roll_up::{RollUps, Sign, TransferDelta};
pub(crate) use row::TransactionRow;

use crate::policy::{Action, Permit, Subject};
use crate::queue::Write;
use crate::screening::{ToBeScreened, TransactionAnswer};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, Latest, ObjectKind, Once, Resolvers, Result, ScreeningRequest, boxed};

impl Resolvers {
    /// Add Transaction: stores the transaction, or updates it, and has it screened for what is wanted. Answers with JSON text: `transaction_id`,
    /// `request_id`, `screening_results`.
    #[boxed]
    pub async fn add_transaction(
        &self,
        caller: &Caller,
        given: Given<TransactionRecord>,
        screening: ScreeningRequest,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::Ingest, Subject::One("Transaction", given.value.id.as_str()))?;
        let inner = &self.inner;
        inner.location_is_known(&permit, &given.value).await?;
        let write = inner.transaction_write(&permit, &given)?;
        if !screening.operations.is_empty() {
            return self.add_screened_transaction(&permit, ToBeScreened { given, request: screening, key, write }).await;
        }
        let answer = TransactionAnswer::new(given.value.id.as_str(), &caller.request_id).text();
        inner.answer_once(&permit, Once { key, body: &given.record }, answer, &RECORD_TRANSACTION, write).await
    }

    /// Get Transaction: the record as it was given.
    #[boxed]
    pub async fn transaction(&self, caller: &Caller, id: &TransactionId) -> Result<Arc<str>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("Transaction", id.as_str()))?;
        self.inner.record(&permit, statements::transaction::READ, ObjectKind::Transaction, id.as_str()).await
    }

    /// What completed payments of an actor that was come to add up to, of those that were made from a moment on and before another. The error says where they
    /// are too many.
    #[boxed]
    pub async fn flow_totals(&self, caller: &Caller, actor: &str, (from, to): (Timestamp, Timestamp)) -> Result<FlowTotals> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        if from >= to {
            return Err(Error::invalid("to", "must be later than from"));
        }
        // One more tells that they are too many.
        let params = Params::none().with("begin", from.millis()).with("behind", to.millis()).with("most", flow_totals::MOST + 1);
        let rows = self.inner.walks.rows(&permit, statements::transaction::FLOW_TOTALS, params, actor).await?;
        let tallies = rows.first().map(|row| row.tallies.as_slice()).unwrap_or_default();
        let too_many =
            || Error::invalid("from", format!("must be nearer to to: the actor has more than {} payments in this time", flow_totals::MOST));
        FlowTotals::of(tallies).ok_or_else(too_many)
    }
}

impl Inner {
    pub(crate) fn transaction_write(&self, permit: &Permit<'_>, given: &Given<TransactionRecord>) -> Result<Write<TransactionRow>> {
        let value = &given.value;
        self.not_to_come([
            ("created_at", value.created_at.timestamp().date(), Latest::Tomorrow),
            ("counterparty.birth_date", value.counterparty.birth_date, Latest::Today),
        ])?;
        let entry = self.entry(permit, "Transaction", value.id.as_str(), "transaction.recorded");
        let (row, locks) = TransactionRow::of(given, &self.identities, self.clock.now().millis(), entry.id())?;
        Ok(Write::new(row, entry).locking(locks))
    }

    async fn location_is_known(&self, permit: &Permit<'_>, transaction: &TransactionRecord) -> Result<()> {
        let Some(id) = &transaction.channel_location_id else { return Ok(()) };
        if self.knows_location(permit, id).await? {
            Ok(())
        } else {
            Err(Error::invalid("channel_location_id", "must match a channel location that was ingested"))
        }
    }
}
