//! What people do with several cases at once: assign, tag and close them. Each case has its own result, as the mutation of one case gives it.

use async_graphql::{Context, InputObject, InputType, Object, Result, SelectionField, SimpleObject};
use graph_schema::case::CaseTagRecord;
use graph_schema::id::{CaseId, TagId, UserId};
use graph_schema::json_text::JsonText;
use graphql_api::walk::selected;
use graphql_http::asking::{asking, boxed, each_item, list_keys};
use graphql_http::page::cost_of_items;
use resolvers::{ActOnCase, Action, AssignCase, IdempotencyKey, ListKeys, TagCase, WantedMove};

use super::describing::CaseTagInput;
use super::work::{CasePayload, CaseUserError, payload_below, refused_cases, user_errors};

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
    /// The `id` of the user, not the username; nobody, when null. An id that nobody has yet is kept.
    user_id: Option<UserId>,
    /// The same key and input again change nothing more. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// Gives cases tags, and takes tags from them.
#[derive(InputObject)]
pub struct TagCasesInput {
    /// The cases to tag, each once, 500 at most.
    cases: Vec<CaseVersionInput>,
    /// Tags that the cases get, 100 at most. Those that a case has already change nothing.
    #[graphql(default)]
    add: Vec<CaseTagInput>,
    /// Ids of tags that the cases lose, 100 at most. Those that a case does not have change nothing.
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

impl TagCasesInput {
    fn of(&self, case: &CaseVersionInput) -> TagCase {
        let add: Vec<CaseTagRecord> = self.add.iter().cloned().map(CaseTagInput::into_record).collect();
        TagCase { case: case.case_id.clone(), add, remove: self.remove.clone(), expected_version: case.expected_version.map(i64::from) }
    }
}

impl CloseCasesInput {
    fn of(&self, case: &CaseVersionInput) -> ActOnCase {
        let by = WantedMove::Close(self.action.clone());
        ActOnCase::new(case.case_id.clone(), by, self.comment.clone(), case.expected_version.map(i64::from)).with_outcome(
            self.resolution.clone(),
            self.disposition_narrative.clone(),
            self.close_reason.clone(),
        )
    }
}

/// The results of what was done with several cases.
#[derive(SimpleObject)]
pub struct CasesPayload {
    /// One for each case, in their order. One that is refused does not stop the others.
    results: Vec<CasePayload>,
    /// Why nothing was done of the whole; empty when there are results.
    user_errors: Vec<CaseUserError>,
}

impl CasesPayload {
    fn refused(user_errors: Vec<CaseUserError>) -> Self {
        Self { results: Vec::new(), user_errors }
    }
}

#[derive(Default)]
pub struct CaseListMutation;

#[Object]
impl CaseListMutation {
    /// Gives cases to a user, or takes them from those who have them, as `assignCase` does.
    #[graphql(complexity = "cost_of_items(input.cases.len(), child_complexity)")]
    async fn assign_cases(&self, context: &Context<'_>, input: AssignCasesInput) -> Result<CasesPayload> {
        let keys = match begun(context, (&input.cases, input.idempotency_key.as_ref()), (&input, Ok(()))).await? {
            Ok(keys) => keys,
            Err(refused) => return Ok(refused),
        };
        let AssignCasesInput { cases, user_id, .. } = input;
        let results = selected(context.field(), "results");
        let acts = cases.into_iter().enumerate().map(|(at, CaseVersionInput { case_id: case, expected_version })| {
            let assign = AssignCase { case, to: user_id.clone(), expected_version: expected_version.map(i64::from) };
            assigned(context, &results, (at, assign), keys.of(at))
        });
        Ok(CasesPayload { results: each_item(acts).await?, user_errors: Vec::new() })
    }

    /// Gives cases tags, and takes tags from them, as `tagCase` does.
    #[graphql(complexity = "cost_of_items(input.cases.len(), child_complexity)")]
    async fn tag_cases(&self, context: &Context<'_>, input: TagCasesInput) -> Result<CasesPayload> {
        let checked = input.cases.first().map_or(Ok(()), |first| input.of(first).check(input.cases.len()));
        let keys = match begun(context, (&input.cases, input.idempotency_key.as_ref()), (&input, checked)).await? {
            Ok(keys) => keys,
            Err(refused) => return Ok(refused),
        };
        let (mut input, results) = (input, selected(context.field(), "results"));
        let tags = std::mem::take(&mut input.cases).into_iter().map(|case| input.of(&case));
        let acts = tags.enumerate().map(|(at, tag)| tagged(context, &results, (at, tag), keys.of(at)));
        Ok(CasesPayload { results: each_item(acts).await?, user_errors: Vec::new() })
    }

    /// Closes cases, whatever their workflows call the action, as `closeCase` does.
    #[graphql(complexity = "cost_of_items(input.cases.len(), child_complexity)")]
    async fn close_cases(&self, context: &Context<'_>, input: CloseCasesInput) -> Result<CasesPayload> {
        let checked = input.cases.first().map_or(Ok(()), |first| input.of(first).check(input.cases.len()));
        let keys = match begun(context, (&input.cases, input.idempotency_key.as_ref()), (&input, checked)).await? {
            Ok(keys) => keys,
            Err(refused) => return Ok(refused),
        };
        let (mut input, results) = (input, selected(context.field(), "results"));
        let closings = std::mem::take(&mut input.cases).into_iter().map(|case| input.of(&case));
        let acts = closings.enumerate().map(|(at, act)| closed(context, &results, (at, act), keys.of(at)));
        Ok(CasesPayload { results: each_item(acts).await?, user_errors: Vec::new() })
    }
}

/// The keys of the cases of a list, each of which is a request of its own; or the payload that says why nothing is done of the list. `checked` is whether
/// the same can be said of each of so many cases: a list that is refused as a whole leaves its key free.
async fn begun<I: InputType>(
    context: &Context<'_>,
    (cases, key): (&[CaseVersionInput], Option<&String>),
    (input, checked): (&I, resolvers::Result<()>),
) -> Result<std::result::Result<ListKeys, CasesPayload>> {
    let by = asking(context)?;
    let refused = refused_cases(cases.iter().map(|case| &case.case_id));
    if !refused.is_empty() {
        return Ok(Err(CasesPayload::refused(refused)));
    }
    let keys = match checked {
        Ok(()) => list_keys(by, (Action::WorkOnCase, "Case"), key, input).await,
        Err(error) => Err(error),
    };
    match keys {
        Ok(keys) => Ok(Ok(keys)),
        Err(error) => Ok(Err(CasesPayload::refused(user_errors(Err(error))?))),
    }
}

/// Assigns a case at a place of the list; `results` are the fields of the document that show the payload.
#[boxed]
async fn assigned(
    context: &Context<'_>,
    results: &[SelectionField<'_>],
    (at, assign): (usize, AssignCase),
    key: Option<IdempotencyKey>,
) -> Result<CasePayload> {
    let (resolvers, caller) = asking(context)?;
    let case = assign.case.clone();
    let done = resolvers.assign_case(caller, assign, key).await;
    payload_below(context, results, (at, &case), done).await
}

/// Tags a case, in the same way.
#[boxed]
async fn tagged(
    context: &Context<'_>,
    results: &[SelectionField<'_>],
    (at, tag): (usize, TagCase),
    key: Option<IdempotencyKey>,
) -> Result<CasePayload> {
    let (resolvers, caller) = asking(context)?;
    let case = tag.case.clone();
    let done = resolvers.tag_case(caller, tag, key).await;
    payload_below(context, results, (at, &case), done).await
}

/// Closes a case, in the same way.
#[boxed]
async fn closed(
    context: &Context<'_>,
    results: &[SelectionField<'_>],
    (at, act): (usize, ActOnCase),
    key: Option<IdempotencyKey>,
) -> Result<CasePayload> {
    let (resolvers, caller) = asking(context)?;
    let case = act.case.clone();
    let done = resolvers.act_on_case(caller, act, key).await;
    payload_below(context, results, (at, &case), done).await
}
