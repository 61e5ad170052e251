//! Add Observation: takes an observation, and makes a case from it where one is wanted.

use graph_schema::observation::{MissingReference, ObservationRecord};
use resolvers::{AddObservation, CaseWanted};
use utoipa::ToSchema;

use crate::{
    answer::{Answer, written},
    fault::{Failure, Together},
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{Query, boolean},
    rest_request::{Authenticated, RestRequest},
};

/// What the document says of it.
pub(crate) const OPERATION: Operation = Operation {
    name: "Add Observation",
    method: Method::Post,
    path: "/api/observations",
    success: 200,
    errors: &[400, 422, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// The answer's shape; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
#[schema(rename_all = "camelCase")]
struct TakenObservations {
    /// Cases that were made from it, or had been.
    case_ids: Vec<String>,
    /// Observations of which something is still missing.
    observation_failed_finalization: Vec<UnfinishedObservation>,
}

/// An observation that names what has not come.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
#[schema(rename_all = "camelCase")]
struct UnfinishedObservation {
    observation_id: String,
    missing_references: Vec<MissingReference>,
}

/// Add Observation.
#[utoipa::path(
    post,
    path = OPERATION.path,
    operation_id = "add_observation",
    tag = "observations",
    description = "Takes an observation. An id that is known already is updated. What it names need not be known yet: until all of it is, the observation is not finalized.",
    params(
        ("create_case" = Option<bool>, Query, description = "Deprecated. `true` makes a case from the observation, unless its type is `ALERT_AML` or one was made before", deprecated),
    ),
    request_body = ObservationRecord,
    responses((status = 200, description = "taken", body = TakenObservations)),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, asked: RestRequest) -> Answer {
    let (case, key, given) = (case_wanted(asked.query()), asked.idempotency_key(), asked.object::<ObservationRecord>()).together()?;
    written(asked.resolvers.add_observation(&caller, AddObservation { given, case, key }).await?)
}

fn case_wanted(mut query: Query) -> Result<CaseWanted, Failure> {
    let wanted = query.optional("create_case", boolean).unwrap_or_default();
    query.finish(Some(if wanted { CaseWanted::Yes } else { CaseWanted::No }))
}
