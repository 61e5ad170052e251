//! Decisions about transactions of cases.

use async_graphql::{Context, InputObject, MaybeUndefined, Object, Result};
use graph_schema::event::TransactionDecision;
use graph_schema::id::{CaseId, TransactionId};
use graphql_http::asking::{asking, stated, with_key};
use resolvers::DecideTransaction;

use super::work::{CasePayload, payload};

/// Decides what is to become of a transaction of a case.
#[derive(InputObject)]
pub struct DecideTransactionInput {
    /// The case in which the transaction is decided on.
    case_id: CaseId,
    /// One that an observation of the case cites, or whose owner or counterparty is an actor of the case.
    transaction_id: TransactionId,
    /// It takes the place of what was decided before; null takes that back. Refused where it is left out.
    decision: MaybeUndefined<TransactionDecision>,
    /// Why.
    comment: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct DecisionMutation;

#[Object]
impl DecisionMutation {
    /// Decides what is to become of a transaction of a case. Who has it in hand is told; the transaction itself stays as it is. The same decision
    /// again changes nothing.
    async fn decide_transaction(&self, context: &Context<'_>, input: DecideTransactionInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let DecideTransactionInput { case_id: case, transaction_id: transaction, decision, comment, expected_version, idempotency_key } = input;
        let done = async {
            resolvers.may_work_on(caller, &case)?;
            let decision = stated(context, "decision", decision)?;
            let decide = DecideTransaction { case: case.clone(), transaction, decision, comment, expected_version: expected_version.map(i64::from) };
            with_key(idempotency_key, |key| resolvers.decide_transaction(caller, decide, key)).await
        };
        payload(context, &case, done.await).await
    }
}
