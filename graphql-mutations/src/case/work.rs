//! What people do with cases: assign them, comment on them; and how all such work is answered. What can't be done with a case as it stands is told as a `userError`
//! that says how it stands, so that a client can show it and ask again.

use std::collections::BTreeSet;

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SelectionField, SimpleObject};
use graph_schema::fault::Fault;
use graph_schema::id::{CaseId, UserId};
use graph_schema::workflow::StepState;
use graphql_api::case::edges::{CommentEdge, comment_edge};
use graphql_api::case::{CaseNode, CommentNode};
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, boxed, check_items, with_key};
use graphql_http::refused::{message, refused};
use graphql_http::user_error::{field_of, in_list, path_of};
use resolvers::explore::nodes;
use resolvers::wording;
use resolvers::{AssignCase, CaseConflictKind, CommentOnCase, CurrentCase, Error};

/// Gives a case to a user.
#[derive(InputObject)]
pub struct AssignCaseInput {
    /// The case to assign.
    case_id: CaseId,
    /// The `id` of the user, not the username; nobody, when null. An id that nobody has yet is kept.
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

/// The result of commenting on a case.
#[derive(SimpleObject)]
pub struct CommentOnCasePayload {
    /// The case as it is now; null where there is none.
    case: Option<CaseNode>,
    /// The comment that was made; null where none was.
    comment: Option<CommentNode>,
    /// The comment among those of the case; null where none was made.
    comment_edge: Option<CommentEdge>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
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
    /// The place in the input, from `input` on, with positions in lists as digits. Empty where no one field is to blame.
    pub path: Vec<String>,
    /// The kind of error, for programs.
    pub code: CaseErrorCode,
    /// The error in a sentence, with the path of the input field where one is wrong.
    pub message: String,
    /// How the case stands, where that is why.
    pub current: Option<CaseState>,
}

impl CaseUserError {
    fn of_fault(fault: &Fault) -> Self {
        Self { path: path_of(&fault.at), code: CaseErrorCode::Invalid, message: fault.to_string(), current: None }
    }

    fn at(code: CaseErrorCode, place: &str, error: &Error) -> Self {
        Self { path: path_of(place), code, message: message(error), current: None }
    }
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
    async fn comment_on_case(&self, context: &Context<'_>, input: CommentOnCaseInput) -> Result<CommentOnCasePayload> {
        let (resolvers, caller) = asking(context)?;
        let CommentOnCaseInput { case_id: case, text, expected_version, idempotency_key } = input;
        let comment = CommentOnCase { case: case.clone(), text, expected_version: expected_version.map(i64::from) };
        let (id, user_errors) = match with_key(idempotency_key, |key| resolvers.comment_on_case(caller, comment, key)).await {
            Ok(id) => (Some(id), Vec::new()),
            Err(error) => (None, user_errors(Err(error))?),
        };
        let (comment, comment_edge) = match id {
            Some(id) => {
                let edges = selected(context.field(), "commentEdge");
                (comment_of(context, &id).await?, comment_edge(context, &edges, &id).await?)
            }
            None => (None, None),
        };
        Ok(CommentOnCasePayload { case: case_of(context, &case).await?, comment, comment_edge, user_errors })
    }
}

/// What the one who asked can do something about is a `userError`; all else is an error of the field.
#[boxed]
pub async fn payload(context: &Context<'_>, id: &CaseId, done: resolvers::Result<()>) -> Result<CasePayload> {
    let user_errors = user_errors(done)?;
    let case = case_of(context, id).await?;
    Ok(CasePayload { case, user_errors })
}

/// The same of one of several cases, by its place in the list; `results` are the fields of the document that show the payload.
#[boxed]
pub async fn payload_below(
    context: &Context<'_>,
    results: &[SelectionField<'_>],
    (at, id): (usize, &CaseId),
    done: resolvers::Result<()>,
) -> Result<CasePayload> {
    let mut user_errors = user_errors(done)?;
    user_errors.iter_mut().for_each(|error| in_list((&mut error.path, &mut error.message), "cases", at, &["caseId", "expectedVersion"]));
    let case = At::find_for(context, below(results, "case"), &nodes::CASE, id.as_str()).await?.map(CaseNode::new).transpose()?;
    Ok(CasePayload { case, user_errors })
}

/// Fields of this name that fields select directly.
pub fn below<'a>(fields: &[SelectionField<'a>], name: &str) -> Vec<SelectionField<'a>> {
    fields.iter().flat_map(|field| selected(*field, name)).collect()
}

/// Why nothing is done of a list of cases, where that is so: there are none or too many, or one comes twice.
pub fn refused_cases<'a>(cases: impl ExactSizeIterator<Item = &'a CaseId>) -> Vec<CaseUserError> {
    let invalid = |fault: Fault| CaseUserError::of_fault(&fault);
    if let Err(Error::Invalid(faults)) = check_items("cases", cases.len()) {
        return faults.into_iter().map(invalid).collect();
    }
    let mut seen = BTreeSet::new();
    let again = cases.enumerate().filter(|(_, case)| !seen.insert(*case));
    again.map(|(at, _)| invalid(Fault::new(format!("cases[{at}].caseId"), "must not come twice"))).collect()
}

/// The comment, as far as the payload's field `comment` asks for it.
#[boxed]
async fn comment_of(context: &Context<'_>, id: &str) -> Result<Option<CommentNode>> {
    let fields = selected(context.field(), "comment");
    At::find_for(context, fields, &nodes::CASE_COMMENT, id).await?.map(CommentNode::new).transpose()
}

/// The case as it is now, as far as the payload's field `case` asks for it.
#[boxed]
pub async fn case_of(context: &Context<'_>, id: &CaseId) -> Result<Option<CaseNode>> {
    At::find_for(context, selected(context.field(), "case"), &nodes::CASE, id.as_str()).await?.map(CaseNode::new).transpose()
}

/// Why nothing was done, as far as the one who asked can do something about it.
pub fn user_errors(done: resolvers::Result<()>) -> Result<Vec<CaseUserError>> {
    let error = match done {
        Ok(()) => return Ok(Vec::new()),
        Err(error) => error,
    };
    match error {
        Error::NotFound { kind, .. } => Ok(vec![CaseUserError::at(CaseErrorCode::NotFound, field_of(kind), &error)]),
        Error::Invalid(faults) => Ok(faults.iter().map(CaseUserError::of_fault).collect()),
        Error::CaseConflict(conflict) => {
            let (code, place) = match conflict.kind {
                CaseConflictKind::Stale => (CaseErrorCode::Stale, "expectedVersion"),
                CaseConflictKind::NotAllowed => (CaseErrorCode::NotAllowed, ""),
            };
            let message = wording::case_conflict(&conflict);
            Ok(vec![CaseUserError { path: path_of(place), code, message, current: Some(conflict.current.into()) }])
        }
        error => Err(refused(error)),
    }
}
