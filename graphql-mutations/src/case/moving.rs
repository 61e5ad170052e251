//! Moving cases on their workflows: by an action, by closing them, by opening them again.

use async_graphql::{Context, InputObject, Object, Result};
use graph_schema::id::CaseId;
use graph_schema::json_text::JsonText;
use graphql_http::asking::{asking, boxed, with_key};
use resolvers::{ActOnCase, WantedMove};

use super::work::{CasePayload, payload};

/// Moves a case by an action of its workflow.
#[derive(InputObject)]
pub struct ActOnCaseInput {
    /// The case to move.
    case_id: CaseId,
    /// One of the case's `actions`, such as `CLAIM`.
    action: String,
    /// A remark on the move. The event `case.workflow.actioned` carries it.
    comment: Option<String>,
    /// What came out; this and the next two go only with an action that closes the case.
    resolution: Option<JsonText>,
    /// A text on how the case was disposed of. It becomes the `narrative` of the case.
    disposition_narrative: Option<String>,
    /// The reason for closing, in words or as a code of the institution. It becomes the `closeReason` of the case.
    close_reason: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Closes a case.
#[derive(InputObject)]
pub struct CloseCaseInput {
    /// The case to close.
    case_id: CaseId,
    /// What came out: any JSON value. What was said before stays, when null.
    resolution: Option<JsonText>,
    /// What is to be written of how it was disposed of. What was written before stays, when null.
    disposition_narrative: Option<String>,
    /// The reason for closing, in words or as a code of the institution. It replaces an earlier one, also when null.
    close_reason: Option<String>,
    /// A remark on the move. The event `case.closed` carries it.
    comment: Option<String>,
    /// By which of the case's `actions`; to be said only where several of them close it.
    action: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Opens a case again that was closed.
#[derive(InputObject)]
pub struct ReopenCaseInput {
    /// The case to open again.
    case_id: CaseId,
    /// A remark on the move. The event `case.workflow.actioned` carries it.
    comment: Option<String>,
    /// By which of the case's `actions`; to be said only where several of them open it.
    action: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct MovingMutation;

#[Object]
impl MovingMutation {
    /// Moves a case on its workflow.
    async fn act_on_case(&self, context: &Context<'_>, input: ActOnCaseInput) -> Result<CasePayload> {
        let act = ActOnCase::new(input.case_id, WantedMove::Action(input.action), input.comment, input.expected_version.map(i64::from));
        let act = act.with_outcome(input.resolution, input.disposition_narrative, input.close_reason);
        moved(context, act, input.idempotency_key).await
    }

    /// Closes a case, whatever its workflow calls the action: brings it from an open step to a closed one.
    async fn close_case(&self, context: &Context<'_>, input: CloseCaseInput) -> Result<CasePayload> {
        let act = ActOnCase::new(input.case_id, WantedMove::Close(input.action), input.comment, input.expected_version.map(i64::from));
        let act = act.with_outcome(input.resolution, input.disposition_narrative, input.close_reason);
        moved(context, act, input.idempotency_key).await
    }

    /// Opens a case again, whatever its workflow calls the action: brings it from a closed step to an open one. What was said when it was closed stays.
    async fn reopen_case(&self, context: &Context<'_>, input: ReopenCaseInput) -> Result<CasePayload> {
        let act = ActOnCase::new(input.case_id, WantedMove::Reopen(input.action), input.comment, input.expected_version.map(i64::from));
        moved(context, act, input.idempotency_key).await
    }
}

#[boxed]
async fn moved(context: &Context<'_>, act: ActOnCase, key: Option<String>) -> Result<CasePayload> {
    let (resolvers, caller) = asking(context)?;
    let case = act.case.clone();
    let done = with_key(key, |key| resolvers.act_on_case(caller, act, key)).await;
    payload(context, &case, done).await
}
