//! Operations on transactions. How they are written is in `record`, what is written in `row`.

mod record;
mod row;

use std::sync::Arc;

use cypher::statements;
use graph_schema::given::Given;
use graph_schema::id::TransactionId;
use graph_schema::transaction::TransactionRecord;

pub(crate) use record::RecordTransactions;
pub(crate) use row::{TransactionWrite, identity_map, word};

use crate::idempotency::{Claim, Claimed};
use crate::policy::{Action, may};
use crate::{Caller, Error, Inner, Resolvers, Result};

/// Whether an answer was given before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replayed {
    Yes,
    No,
}

/// The answer of Add Transaction.
#[derive(Debug, Clone)]
pub struct Ingested {
    /// JSON text: `transaction_id`, `request_id`, `screening_results`.
    pub answer: String,
    pub replayed: Replayed,
}

impl Resolvers {
    /// Add Transaction: stores the transaction, or updates it. With an idempotency key, the same request again within 24 hours gets the
    /// first answer; another body under the same key is invalid, and one that is still under way a conflict.
    pub async fn add_transaction(&self, caller: &Caller, given: Given<TransactionRecord>, key: Option<String>) -> Result<Ingested> {
        may(caller, Action::Ingest)?;
        let inner = &self.inner;
        let claim = match key {
            Some(key) => match Claim::make(inner, caller, &key, &given.record).await? {
                Claimed::Answered(answer) => return Ok(Ingested { answer, replayed: Replayed::Yes }),
                Claimed::Free(claim) => Some(claim),
            },
            None => None,
        };
        inner.location_is_known(&given.value).await?;
        let answer = answer(&given.value, &caller.request_id);
        let mut write = inner.transaction_write(caller, &given)?;
        write.idempotency = claim.as_ref().map(|claim| claim.row(&answer, inner.clock.now()));
        match inner.writers.transactions.try_write(write).await {
            Ok(()) => Ok(Ingested { answer, replayed: Replayed::No }),
            // Another instance was first with this key: its answer is the answer.
            Err(cypher::Error::Constraint { .. }) if let Some(claim) = claim => match claim.again(inner).await? {
                Some(answer) => Ok(Ingested { answer, replayed: Replayed::Yes }),
                None => Err(Error::Conflict("idempotency-key: a request with this key is under way".to_owned())),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Get Transaction: the record as it was given.
    pub async fn transaction(&self, caller: &Caller, id: &TransactionId) -> Result<Arc<str>> {
        may(caller, Action::ReadRecord)?;
        self.inner.record(statements::transaction::READ, id.as_str(), "transaction").await
    }
}

impl Inner {
    pub(crate) fn transaction_write(&self, caller: &Caller, given: &Given<TransactionRecord>) -> Result<TransactionWrite> {
        let trail = self.trail(caller, "Transaction", given.value.id.as_str(), "transaction.recorded");
        TransactionWrite::of(given, self.clock.now().millis(), trail)
    }

    async fn location_is_known(&self, transaction: &TransactionRecord) -> Result<()> {
        let Some(id) = &transaction.channel_location_id else { return Ok(()) };
        if self.knows_location(id).await? {
            Ok(())
        } else {
            Err(Error::invalid("channel_location_id", "must match a channel location that was ingested"))
        }
    }
}

fn answer(transaction: &TransactionRecord, request_id: &str) -> String {
    serde_json::json!({
        "transaction_id": transaction.id.as_str(),
        "request_id": request_id,
        "screening_results": [],
    })
    .to_string()
}
