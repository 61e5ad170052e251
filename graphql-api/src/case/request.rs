//! Requests for data: what systems are asked for, and the shapes it has.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, Error, ID, InputObject, Result, SelectionField};
use graph_schema::date::Timestamp;
use graph_schema::id::{CaseId, UserId};
use graph_schema::json_object::JsonObject;
use graph_schema::request_for_data::RequestStatus;
use graphql_service::filtering::one_of;
use resolvers::explore::{RequestFilter, RequestSchemaSummary, RequestSummary, lists, nodes};

use super::super::actor::ActorNode;
use super::super::connection::{NodeConnection, NodeEdge, RequestsForData, edge_of_list};
use super::super::object::{graph_node, object_with_links};
use super::super::present;
use super::super::walk::{At, RequestContext, Shown, selected};
use super::filter::assignees;
use super::{CaseNode, CommunicationNode, FileNode};
use crate::boxed;

/// What a system is asked for, on a case.
#[derive(Clone)]
pub struct RequestNode(Shown<RequestSummary>);

graph_node!(RequestNode shows RequestSummary);

/// A page of requests for data.
pub type RequestConnection = NodeConnection<RequestNode, EmptyFields, RequestsForData>;

/// An edge of the list of requests for data.
pub type RequestEdge = NodeEdge<RequestNode, EmptyFields, RequestsForData>;

/// The edge of a request, for a payload; `fields` are those of the document that show it.
#[boxed]
pub async fn request_edge(context: &Context<'_>, fields: &[SelectionField<'_>], id: &str) -> Result<Option<RequestEdge>> {
    let below = fields.iter().flat_map(|field| selected(*field, "node"));
    let Some(at) = At::find_for(context, below, &nodes::REQUEST_FOR_DATA, id).await? else { return Ok(None) };
    let request = RequestNode::new(at)?;
    let made_at = request.0.summary(context).await?.created_at;
    Ok(Some(edge_of_list(&lists::REQUESTS_FOR_DATA, request, made_at)))
}

object_with_links! {
    /// What a system is asked for, on a case.
    RequestNode as "RequestForData" {
        /// By this the system that answers names it.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("RequestForData:{}", self.0.at.id()))
        }

        /// The type of the request and its case, for people.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The schema of its type. Those of a page are read together.
        async fn schema(&self, context: &Context<'_>) -> Result<Option<RequestSchemaNode>> {
            let kind = &self.0.summary(context).await?.kind;
            At::named(context, &nodes::REQUEST_FOR_DATA_SCHEMA, kind).await?.map(RequestSchemaNode::new).transpose()
        }

        /// Whether it is open, and was due already.
        async fn overdue(&self, context: &Context<'_>) -> Result<bool> {
            let now = present(context)?;
            let summary = self.0.summary(context).await?;
            Ok(summary.status == RequestStatus::Requested && summary.due_at < now)
        }
    }
    shown {
        /// By this its schema is known.
        kind as "type": String = |it| it.kind.clone();
        /// Whether the request is open, answered or rejected.
        status: RequestStatus = |it| it.status;
        /// What is asked for, in the shape of that schema.
        request: JsonObject = |it| it.request.clone(), counted;
        /// The time at which it was made.
        created_at: Timestamp = |it| it.created_at;
        /// Until when it is to be answered.
        due_at: Timestamp = |it| it.due_at;
        /// Who asks.
        requested_by: ID = |it| ID(it.requested_by.clone()) => deprecated "Use `requestedByPrincipal`.";
        /// When it was completed or rejected.
        ended_at: Option<Timestamp> = |it| it.ended_at;
        /// Who answered or rejected it.
        ended_by: Option<ID> = |it| it.ended_by.clone().map(ID) => deprecated "Use `endedByPrincipal`.";
        /// Why it was rejected.
        reason: Option<String> = |it| it.reason.clone(), counted;
    }
    principals {
        /// The user, key or client that asks; null where the service does.
        requested_by_principal = |it| Some(&it.requested_by);
        /// The user, key or client that answered or rejected it; null while it is open, and where the service did.
        ended_by_principal = |it| it.ended_by.as_deref();
    }
    leads_to {
        /// The actor whom its answer added to the case, where it was one.
        answering_actor: ActorNode;
        /// The communication that its answer added to the case, where it was one.
        answering_communication: CommunicationNode;
        /// The file that its answer added to the case, where it was one.
        answering_file: FileNode;
        /// What it is about.
        case: CaseNode;
    }
}

/// The shape of requests for data of one type.
#[derive(Clone)]
pub struct RequestSchemaNode(Shown<RequestSchemaSummary>);

graph_node!(RequestSchemaNode shows RequestSchemaSummary);

object_with_links! {
    /// The shape of requests for data of one type.
    RequestSchemaNode as "RequestForDataSchema" {
        /// The type of requests that the schema is for.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("RequestForDataSchema:{}", self.0.at.id()))
        }

        /// The type of requests that the schema is for.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// The type of requests that the schema is for: letters, digits, `_` and `-`.
        #[graphql(name = "type")]
        async fn kind(&self) -> &str {
            self.0.at.id()
        }
    }
    shown {
        /// A JSON Schema.
        schema: JsonObject = |it| it.schema.clone(), counted;
        /// The time at which the schema was stored.
        created_at: Timestamp = |it| it.created_at;
        /// How long a request of this type may wait for its answer, in seconds, where it doesn't say itself; as the settings have it, when null.
        due_within_seconds: Option<i64> = |it| it.due_within;
        /// How long a request of this type may wait for its answer, in seconds, where it doesn't say itself; as the settings have it, when null.
        due_within: Option<i64> = |it| it.due_within => deprecated "Use `dueWithinSeconds`.";
    }
}

/// Which requests for data. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "RequestForDataFilter")]
pub struct RequestFilterInput {
    /// On a case that is assigned to the user behind the request. Refused where there is none. `false` is as if it were left out.
    mine: Option<bool>,
    /// On a case that is assigned to one of these users.
    case_assignee_ids: Option<Vec<UserId>>,
    /// On one of these cases.
    case_ids: Option<Vec<CaseId>>,
    /// Of one of these statuses.
    statuses: Option<Vec<RequestStatus>>,
    /// Of one of these types.
    types: Option<Vec<String>>,
    /// Open and due already, or not.
    overdue: Option<bool>,
    /// Due at this time or later.
    due_from: Option<Timestamp>,
    /// Due before this time.
    due_to: Option<Timestamp>,
    /// One of these.
    #[graphql(deprecation = "Use `statuses`.")]
    status: Option<Vec<RequestStatus>>,
    /// One of these.
    #[graphql(name = "type", deprecation = "Use `types`.")]
    kinds: Option<Vec<String>>,
    /// On this case.
    #[graphql(deprecation = "Use `caseIds`.")]
    case_id: Option<CaseId>,
    /// Due before this time.
    #[graphql(deprecation = "Use `dueTo`.")]
    due_before: Option<Timestamp>,
}

/// No type's name is longer.
const LONGEST_TYPE: usize = 128;

impl RequestFilterInput {
    /// The filter. What can't hold for any request is a mistake, and said to be one.
    pub fn into_filter(self, request: &RequestContext) -> Result<RequestFilter> {
        let wrong = |name: &str, problem: &str| Err(Error::new(format!("filter.{name}: {problem}")));
        for (name, types) in [("types", &self.types), ("type", &self.kinds)] {
            if types.iter().flatten().any(|kind| kind.len() > LONGEST_TYPE) {
                return wrong(name, &format!("must be of at most {LONGEST_TYPE} bytes each"));
            }
        }
        let types = one_of(("types", self.types), ("type", self.kinds))?;
        if self.due_to.is_some() && self.due_before.is_some() {
            return wrong("dueBefore", "give dueTo alone, which is in its place");
        }
        let due_before = self.due_to.or(self.due_before);
        if self.due_from.zip(due_before).is_some_and(|(from, to)| to <= from) {
            return wrong("dueTo", "must be later than dueFrom");
        }
        Ok(RequestFilter {
            overdue: (self.overdue == Some(true)).then_some(request.now),
            not_overdue: (self.overdue == Some(false)).then_some(request.now),
            statuses: one_of(("statuses", self.statuses), ("status", self.status))?,
            types,
            cases: one_of(("caseIds", self.case_ids), ("caseId", self.case_id.map(|id| vec![id])))?,
            assignees: assignees("caseAssigneeIds", self.case_assignee_ids, request.mine(self.mine)?)?,
            due_from: self.due_from,
            due_before,
        })
    }
}
