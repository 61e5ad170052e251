//! Asking systems for data on cases.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::id::CaseId;
use graph_schema::json_object::JsonObject;
use graphql_api::case::{CaseNode, RequestNode};
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, with_key};
use resolvers::RequestData;
use resolvers::explore::nodes;

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
    /// The case as it is now; null where there is none.
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
        let request_for_data = match id {
            Some(id) => {
                let fields = selected(context.field(), "requestForData");
                At::find_for(context, fields, &nodes::REQUEST_FOR_DATA, id.as_str()).await?.map(RequestNode::new).transpose()?
            }
            None => None,
        };
        Ok(RequestDataPayload { request_for_data, case: case_of(context, &case).await?, user_errors })
    }
}
