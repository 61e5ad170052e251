//! What is to become of a transaction of a case: it is blocked, or released.
//!
//! A case's transactions are those that its observations cite, and those whose owner or counterparty is one of its actors: a case that was made of
//! actors alone has no observations, and what is to be blocked is often the next payment and not the one that was noticed. Of any other transaction
//! nobody can decide in this case, nor of one whose record has not come: that is no payment to anybody yet.

use cypher::{Value, WriteStatement, map, statements};
use graph_schema::event::{CaseTransactionDecisionUpdated, Event, TransactionDecision};
use graph_schema::id::{CaseId, TransactionId};
use serde_json::json;

use super::stored::StoredCase;
use super::work::{CaseWork, LONGEST_COMMENT, Work, may_say};
use crate::queue::{Amended, Decision, LockHint};
use crate::values::word;
use crate::{Caller, Error, IdempotencyKey, Resolvers, Result, boxed};

/// Decides about a transaction of a case.
#[derive(Debug, Clone)]
pub struct DecideTransaction {
    pub case: CaseId,
    pub transaction: TransactionId,
    /// What was decided before is taken back, when absent.
    pub decision: Option<TransactionDecision>,
    /// Why.
    pub comment: Option<String>,
    /// The version of the case by which it was decided; any, when absent.
    pub expected_version: Option<i64>,
}

impl Resolvers {
    /// Decides about a transaction of a case, in place of what was decided before, or takes that back. Told by `case.transaction.decision.updated`, unless
    /// it was so already.
    #[boxed]
    pub async fn decide_transaction(&self, caller: &Caller, decide: DecideTransaction, key: Option<IdempotencyKey>) -> Result<()> {
        let permit = self.work_on(caller, &decide.case)?;
        may_say("comment", decide.comment.as_deref(), LONGEST_COMMENT)?;
        let said = json!({"transactionId": decide.transaction, "decision": decide.decision, "comment": decide.comment});
        let locks = vec![LockHint::of("Transaction", decide.transaction.as_str())];
        let work = Work::of(&permit, decide.case.clone(), decide.expected_version, decide);
        let write = work.written("case.transaction.decision.updated", &said, &self.inner, &permit).locking(locks);
        self.done(&permit, &said, write, key).await
    }
}

impl CaseWork for DecideTransaction {
    const WRITE: WriteStatement = statements::case::DECIDE_TRANSACTION;

    fn transactions(&self) -> Vec<&str> {
        vec![self.transaction.as_str()]
    }

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let DecideTransaction { transaction, decision: decided, comment, .. } = &work.what;
        let Some(before) = stored.transactions.get(transaction) else {
            let problem =
                "must be the id of a transaction that an observation of the case cites, or whose owner or counterparty is an actor of the case";
            return Err(Error::invalid("transactionId", problem));
        };
        if before == decided {
            return Ok(None);
        }
        let event = Event::CaseTransactionDecisionUpdated(CaseTransactionDecisionUpdated {
            id: work.case.clone(),
            transaction_id: transaction.clone(),
            user_id: work.by.clone(),
            decision: *decided,
        });
        let link = |decided: &TransactionDecision| {
            map([
                ("decision", word(decided)),
                ("by", work.by.as_str().into()),
                ("at", decision.now.millis().into()),
                ("comment", comment.as_deref().into()),
            ])
        };
        let links = Value::List(decided.iter().map(link).collect());
        let more = [("transaction", transaction.as_str().into()), ("decisions", links)];
        let said_before = before.map(|before| json!({"transactionId": transaction, "decision": before}).to_string());
        Ok(Some(work.change(stored).telling(event).amended((), decision, more).replacing(said_before)))
    }
}
