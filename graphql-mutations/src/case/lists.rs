//! What people do with several cases at once: assign, tag and close them. Each case has its own result, as the mutation of one case gives it.

use async_graphql::{Context, InputObject, Object, Result, SelectionField, SimpleObject};
use futures::future::try_join_all;
use graph_schema::case::CaseTagRecord;
use graph_schema::id::{CaseId, TagId, UserId};
use graph_schema::json_text::JsonText;
use graphql_api::walk::selected;
use graphql_http::asking::{asking, boxed, item_key, with_key};
use graphql_http::page::cost_of_items;
use resolvers::{ActOnCase, AssignCase, TagCase, WantedMove};

use super::describing::CaseTagInput;
use super::work::{CasePayload, CaseUserError, payload_below, refused_cases};

/// A case, and the version of it by which something was decided.
#[derive(InputObject)]
pub struct CaseVersionInput {
    /// The case.
    case_id: CaseId,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
}

/// Gives cases to one user.
#[derive(InputObject)]
pub struct AssignCasesInput {
    /// The cases to assign, each once, 500 at most.
    cases: Vec<CaseVersionInput>,
    /// Nobody, when null.
    user_id: Option<UserId>,
    /// The same key and input again change nothing more. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// Gives cases tags, and takes tags from them.
#[derive(InputObject)]
pub struct TagCasesInput {
    /// The cases to tag, each once, 500 at most.
    cases: Vec<CaseVersionInput>,
    /// Tags that the cases get. Those that a case has already change nothing.
    #[graphql(default)]
    add: Vec<CaseTagInput>,
    /// Ids of tags that the cases lose. Those that a case does not have change nothing.
    #[graphql(default)]
    remove: Vec<TagId>,
    /// The same key and input again change nothing more. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// Closes cases with one reason.
#[derive(InputObject)]
pub struct CloseCasesInput {
    /// The cases to close, each once, 500 at most.
    cases: Vec<CaseVersionInput>,
    /// What came out: any JSON value. What was said before stays, when null.
    resolution: Option<JsonText>,
    /// What is to be written of how they were disposed of. What was written before stays, when null.
    disposition_narrative: Option<String>,
    /// The reason for closing, in words or as a code of the institution. It replaces an earlier one, also when null.
    close_reason: Option<String>,
    /// A remark on the moves. The events `case.closed` carry it.
    comment: Option<String>,
    /// By which of a case's `actions`; to be said only where several of them close it.
    action: Option<String>,
    /// The same key and input again change nothing more. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// The results of what was done with several cases.
#[derive(SimpleObject)]
pub struct CasesPayload {
    /// One for each case, in their order. One that is refused does not stop the others.
    results: Vec<CasePayload>,
    /// Why nothing was done of the whole; empty when there are results.
    user_errors: Vec<CaseUserError>,
}

/// A case of a list, and the idempotency key of its part.
struct Item {
    case: CaseId,
    expected_version: Option<i64>,
    key: Option<String>,
}

#[derive(Default)]
pub struct CaseListMutation;

#[Object]
impl CaseListMutation {
    /// Gives cases to a user, or takes them from those who have them, as `assignCase` does.
    #[graphql(complexity = "cost_of_items(input.cases.len(), child_complexity)")]
    async fn assign_cases(&self, context: &Context<'_>, input: AssignCasesInput) -> Result<CasesPayload> {
        let AssignCasesInput { cases, user_id, idempotency_key } = input;
        let items = match items(cases, idempotency_key) {
            Ok(items) => items,
            Err(refused) => return Ok(refused),
        };
        let results = selected(context.field(), "results");
        let acts = items
            .into_iter()
            .map(|Item { case, expected_version, key }| assigned(context, &results, AssignCase { case, to: user_id.clone(), expected_version }, key));
        Ok(CasesPayload { results: try_join_all(acts).await?, user_errors: Vec::new() })
    }

    /// Gives cases tags, and takes tags from them, as `tagCase` does.
    #[graphql(complexity = "cost_of_items(input.cases.len(), child_complexity)")]
    async fn tag_cases(&self, context: &Context<'_>, input: TagCasesInput) -> Result<CasesPayload> {
        let TagCasesInput { cases, add, remove, idempotency_key } = input;
        let items = match items(cases, idempotency_key) {
            Ok(items) => items,
            Err(refused) => return Ok(refused),
        };
        let add: Vec<CaseTagRecord> = add.into_iter().map(CaseTagInput::into_record).collect();
        let results = selected(context.field(), "results");
        let acts = items.into_iter().map(|Item { case, expected_version, key }| {
            tagged(context, &results, TagCase { case, add: add.clone(), remove: remove.clone(), expected_version }, key)
        });
        Ok(CasesPayload { results: try_join_all(acts).await?, user_errors: Vec::new() })
    }

    /// Closes cases, whatever their workflows call the action, as `closeCase` does.
    #[graphql(complexity = "cost_of_items(input.cases.len(), child_complexity)")]
    async fn close_cases(&self, context: &Context<'_>, input: CloseCasesInput) -> Result<CasesPayload> {
        let CloseCasesInput { cases, resolution, disposition_narrative, close_reason, comment, action, idempotency_key } = input;
        let items = match items(cases, idempotency_key) {
            Ok(items) => items,
            Err(refused) => return Ok(refused),
        };
        let results = selected(context.field(), "results");
        let acts = items.into_iter().map(|Item { case, expected_version, key }| {
            let act = ActOnCase {
                case,
                by: WantedMove::Close(action.clone()),
                comment: comment.clone(),
                resolution: resolution.clone(),
                disposition_narrative: disposition_narrative.clone(),
                close_reason: close_reason.clone(),
                expected_version,
            };
            closed(context, &results, act, key)
        });
        Ok(CasesPayload { results: try_join_all(acts).await?, user_errors: Vec::new() })
    }
}

/// The cases of a list, each a request of its own; or the payload that says why there is none.
fn items(cases: Vec<CaseVersionInput>, key: Option<String>) -> std::result::Result<Vec<Item>, CasesPayload> {
    let user_errors = refused_cases(cases.iter().map(|case| &case.case_id));
    if !user_errors.is_empty() {
        return Err(CasesPayload { results: Vec::new(), user_errors });
    }
    let item = |(at, case): (usize, CaseVersionInput)| Item {
        case: case.case_id,
        expected_version: case.expected_version.map(i64::from),
        key: item_key(key.as_deref(), at),
    };
    Ok(cases.into_iter().enumerate().map(item).collect())
}

/// Assigns a case; `results` are the fields of the document that show the payload.
#[boxed]
async fn assigned(context: &Context<'_>, results: &[SelectionField<'_>], assign: AssignCase, key: Option<String>) -> Result<CasePayload> {
    let (resolvers, caller) = asking(context)?;
    let case = assign.case.clone();
    let done = with_key(key, |key| resolvers.assign_case(caller, assign, key)).await;
    payload_below(context, results, &case, done).await
}

/// Tags a case, in the same way.
#[boxed]
async fn tagged(context: &Context<'_>, results: &[SelectionField<'_>], tag: TagCase, key: Option<String>) -> Result<CasePayload> {
    let (resolvers, caller) = asking(context)?;
    let case = tag.case.clone();
    let done = with_key(key, |key| resolvers.tag_case(caller, tag, key)).await;
    payload_below(context, results, &case, done).await
}

/// Closes a case, in the same way.
#[boxed]
async fn closed(context: &Context<'_>, results: &[SelectionField<'_>], act: ActOnCase, key: Option<String>) -> Result<CasePayload> {
    let (resolvers, caller) = asking(context)?;
    let case = act.case.clone();
    let done = with_key(key, |key| resolvers.act_on_case(caller, act, key)).await;
    payload_below(context, results, &case, done).await
}
