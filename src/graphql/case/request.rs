//! Requests for data: what systems are asked for, and the shapes it has.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::id::CaseId;
use graph_schema::opaque::Opaque;
use graph_schema::request_for_data::RequestStatus;
use resolvers::RequestData;
use resolvers::explore::{RequestSchemaSummary, RequestSummary, nodes};

use super::super::asking;
use super::super::connection::{graph_node, one};
use super::super::walk::{At, Shown, selected};
use super::CaseNode;
use super::work::{CaseUserError, case_of, key, user_errors};

/// What a system is asked for, on a case.
#[derive(Clone)]
pub struct RequestNode(Shown<RequestSummary>);

graph_node!(RequestNode shows RequestSummary);

/// What a system is asked for, on a case.
#[Object(name = "RequestForData")]
impl RequestNode {
    /// By this the system that answers names it.
    pub async fn id(&self) -> ID {
        ID(self.0.at.id().to_owned())
    }

    /// An id that `node` takes, unique across all types.
    pub async fn node_id(&self) -> ID {
        ID(format!("RequestForData:{}", self.0.at.id()))
    }

    async fn name(&self) -> &str {
        self.0.at.name()
    }

    /// By this its schema is known.
    #[graphql(name = "type")]
    async fn kind(&self, context: &Context<'_>) -> Result<String> {
        Ok(self.0.summary(context).await?.kind.clone())
    }

    async fn status(&self, context: &Context<'_>) -> Result<RequestStatus> {
        Ok(self.0.summary(context).await?.status)
    }

    /// What is asked for, in the shape of that schema.
    async fn request(&self, context: &Context<'_>) -> Result<Opaque> {
        Ok(self.0.summary(context).await?.request.clone())
    }

    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.created_at)
    }

    /// Who asks.
    async fn requested_by(&self, context: &Context<'_>) -> Result<ID> {
        Ok(ID(self.0.summary(context).await?.requested_by.clone()))
    }

    /// When it was completed or rejected.
    async fn ended_at(&self, context: &Context<'_>) -> Result<Option<Timestamp>> {
        Ok(self.0.summary(context).await?.ended_at)
    }

    /// Why it was rejected.
    async fn reason(&self, context: &Context<'_>) -> Result<Option<String>> {
        Ok(self.0.summary(context).await?.reason.clone())
    }

    /// What it is about.
    async fn case(&self, context: &Context<'_>) -> Result<Option<CaseNode>> {
        one(context, self).await
    }
}

/// The shape of requests for data of one type.
#[derive(Clone)]
pub struct RequestSchemaNode(Shown<RequestSchemaSummary>);

graph_node!(RequestSchemaNode shows RequestSchemaSummary);

/// The shape of requests for data of one type.
#[Object(name = "RequestForDataSchema")]
impl RequestSchemaNode {
    #[graphql(name = "type")]
    async fn kind(&self) -> &str {
        self.0.at.id()
    }

    /// A JSON Schema.
    async fn schema(&self, context: &Context<'_>) -> Result<Opaque> {
        Ok(self.0.summary(context).await?.schema.clone())
    }

    async fn created_at(&self, context: &Context<'_>) -> Result<Timestamp> {
        Ok(self.0.summary(context).await?.created_at)
    }
}

/// Asks a system for data on a case.
#[derive(InputObject)]
pub struct RequestDataInput {
    case_id: CaseId,
    /// One of `requestForDataSchemas`.
    #[graphql(name = "type")]
    kind: String,
    /// What is asked for, in the shape of the schema of that type.
    request: Opaque,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i64>,
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
        let RequestDataInput { case_id: case, kind, request, expected_version, idempotency_key } = input;
        let done = match key(idempotency_key) {
            Ok(key) => resolvers.request_data(caller, RequestData { case: case.clone(), kind, request, expected_version }, key).await,
            Err(error) => Err(error),
        };
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
