//! What people do with cases: assign them, comment on them; and how all such work is answered. What can't be done with a case as it stands is told as a `userError`
//! that says how it stands, so that a client can show it and ask again.

use std::collections::BTreeSet;

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SelectionField, SimpleObject};
use graph_schema::fault::Fault;
use graph_schema::id::{CaseId, UserId};
use graph_schema::workflow::StepState;
use graphql_api::case::CaseNode;
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, boxed, check_items, with_key};
use graphql_http::refused::{message, refused};
use resolvers::explore::nodes;
use resolvers::wording;
use resolvers::{AssignCase, CaseConflictKind, CommentOnCase, CurrentCase, Error};

/// Gives a case to a user.
#[derive(InputObject)]
pub struct AssignCaseInput {
    /// The case to assign.
    case_id: CaseId,
    /// Nobody, when null.
    user_id: Option<UserId>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Says something about a case.
#[derive(InputObject)]
pub struct CommentOnCaseInput {
    /// The case to comment on.
    case_id: CaseId,
    /// The comment. It is kept as it is written, and the event `case.commented` carries it.
    text: String,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct CasePayload {
    /// The case as it is now; null where there is none.
    case: Option<CaseNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
}

/// Why something was not done.
#[derive(SimpleObject)]
pub struct CaseUserError {
    /// The kind of error, for programs.
    code: CaseErrorCode,
    /// The error in a sentence, with the path of the input field where one is wrong.
    message: String,
    /// How the case stands, where that is why.
    current: Option<CaseState>,
}

/// Why something was not done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum CaseErrorCode {
    /// There is no such case, or no such thing as the input names.
    NotFound,
    /// The input breaks a rule.
    Invalid,
    /// The case has changed since the version that was expected.
    Stale,
    /// The workflow has no such move from where the case stands.
    NotAllowed,
}

/// How a case stands.
#[derive(SimpleObject)]
pub struct CaseState {
    /// How often the case has changed: the value for `expectedVersion`.
    version: i64,
    /// The step on which the case is, by its name within the workflow.
    step_id: ID,
    /// The status of that step, such as `IN_PROGRESS`.
    status: String,
    /// Whether that step leaves something to do.
    state: StepState,
    /// The user to whom the case is assigned; null when it is nobody's.
    assignee_id: Option<ID>,
    /// What may be done now.
    actions: Vec<String>,
}

impl From<CurrentCase> for CaseState {
    fn from(current: CurrentCase) -> Self {
        Self {
            version: current.version,
            step_id: ID(current.step_id.to_string()),
            status: current.status,
            state: current.state,
            assignee_id: current.assignee.map(|user| ID(user.to_string())),
            actions: current.actions,
        }
    }
}

#[derive(Default)]
pub struct CaseMutation;

#[Object]
impl CaseMutation {
    /// Gives a case to a user, or takes it from the one who has it.
    async fn assign_case(&self, context: &Context<'_>, input: AssignCaseInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let AssignCaseInput { case_id: case, user_id: to, expected_version, idempotency_key } = input;
        let assign = AssignCase { case: case.clone(), to, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.assign_case(caller, assign, key)).await;
        payload(context, &case, done).await
    }

    /// Adds a comment to a case.
    async fn comment_on_case(&self, context: &Context<'_>, input: CommentOnCaseInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let CommentOnCaseInput { case_id: case, text, expected_version, idempotency_key } = input;
        let comment = CommentOnCase { case: case.clone(), text, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.comment_on_case(caller, comment, key)).await;
        payload(context, &case, done).await
    }
}

/// What the one who asked can do something about is a `userError`; all else is an error of the field.
#[boxed]
pub async fn payload(context: &Context<'_>, id: &CaseId, done: resolvers::Result<()>) -> Result<CasePayload> {
    let user_errors = user_errors(done)?;
    let case = case_of(context, id).await?;
    Ok(CasePayload { case, user_errors })
}

/// The same of one of several cases; `results` are the fields of the document that show the payload.
#[boxed]
pub async fn payload_below(context: &Context<'_>, results: &[SelectionField<'_>], id: &CaseId, done: resolvers::Result<()>) -> Result<CasePayload> {
    let user_errors = user_errors(done)?;
    let case = At::find_for(context, below(results, "case"), &nodes::CASE, id.as_str()).await?.map(CaseNode::new).transpose()?;
    Ok(CasePayload { case, user_errors })
}

/// Fields of this name that fields select directly.
pub fn below<'a>(fields: &[SelectionField<'a>], name: &str) -> Vec<SelectionField<'a>> {
    fields.iter().flat_map(|field| selected(*field, name)).collect()
}

/// Why nothing is done of a list of cases, where that is so: there are none or too many, or one comes twice.
pub fn refused_cases<'a>(cases: impl ExactSizeIterator<Item = &'a CaseId>) -> Vec<CaseUserError> {
    let invalid = |fault: Fault| CaseUserError { code: CaseErrorCode::Invalid, message: fault.to_string(), current: None };
    if let Err(Error::Invalid(faults)) = check_items("cases", cases.len()) {
        return faults.into_iter().map(invalid).collect();
    }
    let mut seen = BTreeSet::new();
    let again = cases.enumerate().filter(|(_, case)| !seen.insert(*case));
    again.map(|(at, _)| invalid(Fault::new(format!("cases[{at}].caseId"), "must not come twice"))).collect()
}

/// The case as it is now, as far as the payload's field `case` asks for it.
#[boxed]
pub async fn case_of(context: &Context<'_>, id: &CaseId) -> Result<Option<CaseNode>> {
    At::find_for(context, selected(context.field(), "case"), &nodes::CASE, id.as_str()).await?.map(CaseNode::new).transpose()
}

/// Why nothing was done, as far as the one who asked can do something about it.
pub fn user_errors(done: resolvers::Result<()>) -> Result<Vec<CaseUserError>> {
    let user_error = |code, message, current| Ok(vec![CaseUserError { code, message, current }]);
    match done {
        Ok(()) => Ok(Vec::new()),
        Err(error @ Error::NotFound { .. }) => user_error(CaseErrorCode::NotFound, message(&error), None),
        Err(Error::Invalid(faults)) => {
            let error = |fault: Fault| CaseUserError { code: CaseErrorCode::Invalid, message: fault.to_string(), current: None };
            Ok(faults.into_iter().map(error).collect())
        }
        Err(Error::CaseConflict(conflict)) => {
            let code = match conflict.kind {
                CaseConflictKind::Stale => CaseErrorCode::Stale,
                CaseConflictKind::NotAllowed => CaseErrorCode::NotAllowed,
            };
            user_error(code, wording::case_conflict(&conflict), Some(conflict.current.into()))
        }
        Err(error) => Err(refused(error)),
    }
}
