//! Asking systems for data on cases.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::given;
use graph_schema::id::{ActorId, CaseId, CommunicationId, FileId, RequestForDataId};
use graph_schema::json_object::JsonObject;
use graph_schema::request_for_data::{RejectRequestForData, RequestForDataRecord};
use graphql_api::case::request::{RequestEdge, request_edge};
use graphql_api::case::{CaseNode, RequestNode};
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, boxed, key, with_key};
use resolvers::explore::nodes;
use resolvers::{Error, RequestAnswer, RequestData};
use serde_json::json;

use super::work::{CaseUserError, case_of, user_errors};

/// Asks a system for data on a case.
#[derive(InputObject)]
pub struct RequestDataInput {
    /// The case that the data is for.
    case_id: CaseId,
    /// One of `requestForDataSchemas`.
    #[graphql(name = "type")]
    kind: String,
    /// What is asked for, in the shape of the schema of that type.
    request: JsonObject,
    /// Until when it is to be answered: a time to come. As the schema of that type has it, when null, or else as the settings do.
    due_at: Option<Timestamp>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct RequestDataPayload {
    /// Null where nothing was asked.
    request_for_data: Option<RequestNode>,
    /// The request in the list `requestsForData`; null where nothing was asked.
    request_for_data_edge: Option<RequestEdge>,
    /// The case as it is now; null where there is none.
    case: Option<CaseNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
}

/// Rejects a request for data that nobody will answer.
#[derive(InputObject)]
pub struct RejectRequestForDataInput {
    /// The request to reject.
    request_for_data_id: RequestForDataId,
    /// Why it will not be answered: 1 to 4,000 characters.
    reason: String,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Fulfils a request for data by hand. Exactly one of `actorId`, `communicationId` and `fileId` is given, and the case has it already.
#[derive(InputObject)]
pub struct FulfilRequestForDataInput {
    /// The request to fulfil.
    request_for_data_id: RequestForDataId,
    /// An actor of the case, whose record has come.
    actor_id: Option<ActorId>,
    /// A communication of the case, whose record has come.
    communication_id: Option<CommunicationId>,
    /// A file of the case.
    file_id: Option<FileId>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

impl FulfilRequestForDataInput {
    /// What the request is answered by.
    fn answer(&self) -> resolvers::Result<RequestAnswer> {
        match (self.actor_id.clone(), self.communication_id.clone(), self.file_id.clone()) {
            (Some(id), None, None) => Ok(RequestAnswer::Actor(id)),
            (None, Some(id), None) => Ok(RequestAnswer::Communication(id)),
            (None, None, Some(id)) => Ok(RequestAnswer::File(id)),
            _ => Err(Error::invalid("input", "must have exactly one of actorId, communicationId and fileId")),
        }
    }
}

/// The result of rejecting or fulfilling a request for data.
#[derive(SimpleObject)]
pub struct RequestForDataPayload {
    /// The request as it is now; null where there is none.
    request_for_data: Option<RequestNode>,
    /// The case of the request as it is now; null where there is none.
    case: Option<CaseNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
}

#[derive(Default)]
pub struct RequestMutation;

#[Object]
impl RequestMutation {
    /// Asks a system for data on a case, which goes to the step where it waits for it.
    async fn request_data(&self, context: &Context<'_>, input: RequestDataInput) -> Result<RequestDataPayload> {
        let (resolvers, caller) = asking(context)?;
        let RequestDataInput { case_id: case, kind, request, due_at, expected_version, idempotency_key } = input;
        let wanted = RequestData { case: case.clone(), kind, request, due_at, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.request_data(caller, wanted, key)).await;
        let id = done.as_ref().ok().cloned();
        let user_errors = user_errors(done.map(drop))?;
        let edges = selected(context.field(), "requestForDataEdge");
        let (request_for_data, request_for_data_edge) = match &id {
            // What nobody asks for is not read.
            Some(id) if edges.is_empty() => (request_of(context, id).await?, None),
            Some(id) => (request_of(context, id).await?, request_edge(context, &edges, id.as_str()).await?),
            None => (None, None),
        };
        Ok(RequestDataPayload { request_for_data, request_for_data_edge, case: case_of(context, &case).await?, user_errors })
    }

    /// Rejects a request for data. A case that waited for it alone goes back to the step on which it was before. A request that is rejected already stays as
    /// it is, with its reason.
    async fn reject_request_for_data(&self, context: &Context<'_>, input: RejectRequestForDataInput) -> Result<RequestForDataPayload> {
        let (resolvers, caller) = asking(context)?;
        let RejectRequestForDataInput { request_for_data_id: id, reason, idempotency_key } = input;
        let body = json!({"reason": reason}).to_string();
        let done = async {
            // Who may reject and not see is to know before.
            resolvers.may_explore(caller)?;
            let given = given::read::<RejectRequestForData>(body.as_bytes())?;
            let answered = resolvers.reject_request_for_data(caller, &id, given, key(idempotency_key)?).await?;
            let rejected: RequestForDataRecord = serde_json::from_str(&answered.text).map_err(|error| Error::Internal(error.to_string()))?;
            Ok::<_, Error>(rejected.case_id)
        };
        ended(context, &id, done.await).await
    }

    /// Fulfils a request for data with something that its case has. The case stays where it stands: `actOnCase` goes on with it. The same again changes
    /// nothing.
    async fn fulfil_request_for_data(&self, context: &Context<'_>, input: FulfilRequestForDataInput) -> Result<RequestForDataPayload> {
        let (resolvers, caller) = asking(context)?;
        let done = async {
            // Who may fulfil and not see is to know before.
            resolvers.may_explore(caller)?;
            let (id, answer) = (&input.request_for_data_id, input.answer()?);
            resolvers.fulfil_request_for_data(caller, id, answer, key(input.idempotency_key.clone())?).await
        };
        ended(context, &input.request_for_data_id, done.await).await
    }
}

/// The request as it is now, as far as the payload's field `requestForData` asks for it.
#[boxed]
async fn request_of(context: &Context<'_>, id: &RequestForDataId) -> Result<Option<RequestNode>> {
    let fields = selected(context.field(), "requestForData");
    At::find_for(context, fields, &nodes::REQUEST_FOR_DATA, id.as_str()).await?.map(RequestNode::new).transpose()
}

/// The operations have the request's id in their address, and what else is said in their body; here both are the input.
fn of_request(error: Error) -> Error {
    match error {
        // A body that can't be read is an input that breaks a rule.
        Error::Unreadable(mut faults) | Error::Invalid(mut faults) => {
            faults.iter_mut().filter(|fault| fault.at == "id").for_each(|fault| "requestForDataId".clone_into(&mut fault.at));
            Error::Invalid(faults)
        }
        error => error,
    }
}

/// The payload of a request that was to end.
#[boxed]
async fn ended(context: &Context<'_>, id: &RequestForDataId, done: resolvers::Result<CaseId>) -> Result<RequestForDataPayload> {
    let case = done.as_ref().ok().cloned();
    let user_errors = user_errors(done.map(drop).map_err(of_request))?;
    let case = match case {
        Some(case) => case_of(context, &case).await?,
        None => None,
    };
    Ok(RequestForDataPayload { request_for_data: request_of(context, id).await?, case, user_errors })
}
