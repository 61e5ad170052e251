//! The acts of the alerts queue: raising cases from observations, dismissing observations and taking that back; of one, or of a list with one result each.

use std::collections::BTreeSet;

use async_graphql::{Context, InputObject, Object, Result, SelectionField, SimpleObject};
use futures::future::try_join_all;
use graph_schema::id::{CaseId, ObservationId, UserId, WorkflowId};
use graphql_api::case::CaseNode;
use graphql_api::case::edges::{CaseEdge, case_edge};
use graphql_api::observation::ObservationNode;
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, boxed, check_items, check_reason, check_said, each_item, each_item_on, key, list_keys, under_key, with_key};
use graphql_http::page::cost_of_items;
use graphql_http::user_error::{begin_at, path_of};
use graphql_service::detection::{DetectionUserError, user_errors as faults};
use resolvers::explore::nodes;
use resolvers::{Action, DismissObservation, Error, IdempotencyKey, ObjectKind, RaiseAlerts, RestoreObservation, feedback_fault};

use crate::case::work::{CaseUserError, below, user_errors};

/// Raises one case from observations.
#[derive(InputObject)]
pub struct RaiseCaseInput {
    /// Observations that become one case, 500 at most. Their records have come, and none of them is in a case.
    observation_ids: Vec<ObservationId>,
    /// The open case to which they are added; a new one is made when null.
    case_id: Option<CaseId>,
    /// The `version` of that case by which this was decided; any, when null. It is left out for a new case.
    expected_version: Option<i32>,
    /// The workflow of a new case, one for cases of the type `ANALYSIS`; the default one when null.
    workflow_id: Option<WorkflowId>,
    /// The `id` of the user to whom a new case is assigned, not the username; nobody when null. An id that nobody has yet is kept.
    assignee_id: Option<UserId>,
    /// A comment on the case; none when null.
    comment: Option<String>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Raises one case for each list of observations.
#[derive(InputObject)]
pub struct RaiseCasesInput {
    /// One new case for each list of observations, 500 at most.
    observation_ids: Vec<Vec<ObservationId>>,
    /// The workflow of the cases, one for cases of the type `ANALYSIS`; the default one when null.
    workflow_id: Option<WorkflowId>,
    /// The `id` of the user to whom the cases are assigned, not the username; nobody when null. An id that nobody has yet is kept.
    assignee_id: Option<UserId>,
    /// A comment on each of the cases; none when null.
    comment: Option<String>,
    /// The same key and input again change nothing more. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// Dismisses an observation without a case.
#[derive(InputObject)]
pub struct DismissObservationInput {
    /// The observation to dismiss.
    observation_id: ObservationId,
    /// Why, for those who look at it later.
    reason: String,
    /// What is thought of it, such as `FALSE_POSITIVE`: it counts for the rule; nothing when null.
    feedback: Option<String>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Dismisses observations with one reason.
#[derive(InputObject)]
pub struct DismissObservationsInput {
    /// Observations, 500 at most.
    observation_ids: Vec<ObservationId>,
    /// Why, for those who look at it later.
    reason: String,
    /// What is thought of it, such as `FALSE_POSITIVE`: it counts for the rule; nothing when null.
    feedback: Option<String>,
    /// The same key and input again change nothing more. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// Takes the dismissal of an observation back.
#[derive(InputObject)]
pub struct RestoreObservationInput {
    /// The observation whose dismissal is taken back.
    observation_id: ObservationId,
    /// Why, for those who look at it later; nothing when null.
    reason: Option<String>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// The result of raising a case.
#[derive(SimpleObject)]
pub struct RaiseCasePayload {
    /// The case that was raised, or to which the observations were added; null where nothing was done.
    case: Option<CaseNode>,
    /// The case in the list `cases`; null where nothing was done.
    case_edge: Option<CaseEdge>,
    /// Observations that are handled now; empty where nothing was done.
    observations: Vec<ObservationNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
}

/// The results of raising several cases.
#[derive(SimpleObject)]
pub struct RaiseCasesPayload {
    /// One for each list of observations, in their order. One that is refused does not stop the others.
    results: Vec<RaiseCasePayload>,
    /// Why nothing was done of the whole; empty when there are results.
    user_errors: Vec<DetectionUserError>,
}

/// The result of an act on an observation.
#[derive(SimpleObject)]
pub struct ObservationPayload {
    /// The observation as it is now; null where there is none.
    observation: Option<ObservationNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<DetectionUserError>,
}

/// The results of acts on several observations.
#[derive(SimpleObject)]
pub struct ObservationsPayload {
    /// One for each observation, in their order. One that is refused does not stop the others.
    results: Vec<ObservationPayload>,
    /// Why nothing was done of the whole; empty when there are results.
    user_errors: Vec<DetectionUserError>,
}

#[derive(Default)]
pub struct AlertMutation;

#[Object]
impl AlertMutation {
    /// Raises one case from one observation or several. It focuses on the actors that they are mainly about, and concerns the others. An observation
    /// that is in a case is not raised again. With `caseId` they are added to that case instead.
    #[graphql(complexity = "cost_of_items(input.observation_ids.len(), child_complexity)")]
    async fn raise_case(&self, context: &Context<'_>, input: RaiseCaseInput) -> Result<RaiseCasePayload> {
        let raise = RaiseAlerts {
            observations: input.observation_ids,
            case: input.case_id,
            expected_version: input.expected_version.map(i64::from),
            workflow: input.workflow_id,
            assignee: input.assignee_id,
            comment: input.comment,
        };
        raised(context, &[context.field()], (None, raise), key(input.idempotency_key)).await
    }

    /// Raises one case for each list of observations, as `raiseCase` does. Of two lists that name one observation the first raises its case.
    #[graphql(complexity = "cost_of_items(input.observation_ids.iter().map(Vec::len).sum(), child_complexity)")]
    async fn raise_cases(&self, context: &Context<'_>, input: RaiseCasesInput) -> Result<RaiseCasesPayload> {
        let by = asking(context)?;
        let begun = async {
            // As many observations in all as there may be lists.
            check_items("observationIds", input.observation_ids.iter().map(|list| list.len().max(1)).sum())?;
            if let Some(comment) = &input.comment {
                RaiseAlerts::check_comment(comment, input.observation_ids.len())?;
            }
            list_keys(by, (Action::WorkOnCase, "Case"), input.idempotency_key.as_ref(), &input).await
        };
        let keys = match begun.await {
            Ok(keys) => keys,
            Err(error) => return Ok(RaiseCasesPayload { results: Vec::new(), user_errors: faults(error)? }),
        };
        let RaiseCasesInput { observation_ids: lists, workflow_id, assignee_id, comment, .. } = input;
        let results = selected(context.field(), "results");
        let names = lists.concat();
        let raises = lists.into_iter().enumerate().map(|(at, observations)| {
            let (workflow, assignee, comment) = (workflow_id.clone(), assignee_id.clone(), comment.clone());
            let raise = RaiseAlerts { observations, case: None, expected_version: None, workflow, assignee, comment };
            raised(context, &results, (Some(at), raise), Ok(keys.of(at)))
        });
        Ok(RaiseCasesPayload { results: each_item_on(&names, raises).await?, user_errors: Vec::new() })
    }

    /// Dismisses an observation without a case. Once it was dismissed, doing it again changes nothing: who did it first, when and why stays.
    async fn dismiss_observation(&self, context: &Context<'_>, input: DismissObservationInput) -> Result<ObservationPayload> {
        let DismissObservationInput { observation_id: observation, reason, feedback, idempotency_key } = input;
        dismissed(context, &[context.field()], (None, DismissObservation { observation, reason, feedback }), key(idempotency_key)).await
    }

    /// Takes the dismissal of an observation back, with the feedback that was given with it: it waits again, unless something else was done with it. One that
    /// is not dismissed, or never was, stays as it is, without an error.
    async fn restore_observation(&self, context: &Context<'_>, input: RestoreObservationInput) -> Result<ObservationPayload> {
        let (resolvers, caller) = asking(context)?;
        let RestoreObservationInput { observation_id: observation, reason, idempotency_key } = input;
        let restore = RestoreObservation { observation: observation.clone(), reason };
        let done = with_key(idempotency_key, |key| resolvers.restore_observation(caller, restore, key)).await;
        handled(context, &[context.field()], (None, observation), done).await
    }

    /// Dismisses observations with one reason, as `dismissObservation` does.
    #[graphql(complexity = "cost_of_items(input.observation_ids.len(), child_complexity)")]
    async fn dismiss_observations(&self, context: &Context<'_>, input: DismissObservationsInput) -> Result<ObservationsPayload> {
        let by = asking(context)?;
        let begun = async {
            check_items("observationIds", input.observation_ids.len())?;
            check_reason(&input.reason)?;
            check_said(input.feedback.as_deref().and_then(feedback_fault))?;
            list_keys(by, (Action::Decide, "Observation"), input.idempotency_key.as_ref(), &input).await
        };
        let keys = match begun.await {
            Ok(keys) => keys,
            Err(error) => return Ok(ObservationsPayload { results: Vec::new(), user_errors: faults(error)? }),
        };
        let DismissObservationsInput { observation_ids, reason, feedback, .. } = input;
        let results = selected(context.field(), "results");
        let dismissals = observation_ids.into_iter().enumerate().map(|(at, observation)| {
            let dismiss = DismissObservation { observation, reason: reason.clone(), feedback: feedback.clone() };
            dismissed(context, &results, (Some(at), dismiss), Ok(keys.of(at)))
        });
        Ok(ObservationsPayload { results: each_item(dismissals).await?, user_errors: Vec::new() })
    }
}

/// Raises a case from a list of observations, of several where it has a place; `results` are the fields of the document that show the payload.
#[boxed]
async fn raised(
    context: &Context<'_>,
    results: &[SelectionField<'_>],
    (at, raise): (Option<usize>, RaiseAlerts),
    key: resolvers::Result<Option<IdempotencyKey>>,
) -> Result<RaiseCasePayload> {
    let (resolvers, caller) = asking(context)?;
    let mut ids = raise.observations.clone();
    let case = match under_key(key, |key| resolvers.raise_alerts(caller, raise, key)).await {
        Ok(case) => case,
        Err(error) => {
            let user_errors = raise_errors(error, at, &ids)?;
            return Ok(RaiseCasePayload { case: None, case_edge: None, observations: Vec::new(), user_errors });
        }
    };
    let mut seen = BTreeSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    let case_edge = case_edge(context, &below(results, "caseEdge"), case.as_str()).await?;
    let case = At::find_for(context, below(results, "case"), &nodes::CASE, case.as_str()).await?.map(CaseNode::new).transpose()?;
    // What nobody asks for is not read.
    let shown = if below(results, "observations").is_empty() { Vec::new() } else { ids };
    let observations = try_join_all(shown.into_iter().map(|id| observation(context, results, "observations", id))).await?;
    Ok(RaiseCasePayload { case, case_edge, observations: observations.into_iter().flatten().collect(), user_errors: Vec::new() })
}

/// Why a list of observations was not raised. One that is not there has its place in the list, and the list its own where it is one of several.
fn raise_errors(error: Error, list: Option<usize>, ids: &[ObservationId]) -> Result<Vec<CaseUserError>> {
    let missing = match &error {
        Error::NotFound { kind: ObjectKind::Observation, id } => ids.iter().position(|named| named.as_str() == id.as_str()),
        _ => None,
    };
    let [list, missing] = [list, missing].map(|at| at.map(|at| format!("[{at}]")).unwrap_or_default());
    let place = format!("observationIds{list}{missing}");
    let mut errors = user_errors(Err(error))?;
    for error in &mut errors {
        if let Some(field) = error.path.get(1).filter(|field| field.starts_with("observationId")).cloned() {
            begin_at(&mut error.message, &field, &place);
            error.path = path_of(&place);
        }
    }
    Ok(errors)
}

/// Dismisses an observation, of several where it has a place; `results` are the fields of the document that show the payload.
#[boxed]
async fn dismissed(
    context: &Context<'_>,
    results: &[SelectionField<'_>],
    (at, dismiss): (Option<usize>, DismissObservation),
    key: resolvers::Result<Option<IdempotencyKey>>,
) -> Result<ObservationPayload> {
    let (resolvers, caller) = asking(context)?;
    let id = dismiss.observation.clone();
    let done = under_key(key, |key| resolvers.dismiss_observation(caller, dismiss, key)).await;
    handled(context, results, (at, id), done).await
}

/// The payload of an act on an observation.
#[boxed]
async fn handled(
    context: &Context<'_>,
    results: &[SelectionField<'_>],
    (at, id): (Option<usize>, ObservationId),
    done: resolvers::Result<()>,
) -> Result<ObservationPayload> {
    let mut user_errors = match done {
        Ok(()) => Vec::new(),
        Err(error) => faults(error)?,
    };
    if let Some(at) = at {
        let place = format!("observationIds[{at}]");
        for error in user_errors.iter_mut().filter(|error| error.path.get(1).is_some_and(|field| field == "observationId")) {
            begin_at(&mut error.message, "observationId", &place);
            error.path = path_of(&place);
        }
    }
    Ok(ObservationPayload { observation: observation(context, results, "observation", id).await?, user_errors })
}

/// An observation as it is now, with what the fields of this name below the payload ask for.
#[boxed]
async fn observation(context: &Context<'_>, results: &[SelectionField<'_>], field: &str, id: ObservationId) -> Result<Option<ObservationNode>> {
    At::find_for(context, below(results, field), &nodes::OBSERVATION, id.as_str()).await?.map(ObservationNode::new).transpose()
}
