//! Where a walk begins: a node by its id, or a page of all nodes of a kind.

mod choices;
mod lists;

use std::borrow::Cow;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::resolver_utils::ContainerType;
use async_graphql::{
    Context, ContextSelectionSet, ID, Interface, MergedObject, Object, ObjectType, OutputType, Positioned, Result, ServerResult, Value,
};
use futures::future::try_join_all;
use graph_schema::id::{self, CaseId, CommunicationId, FileId, Id, IdKind, RequestForDataId, UserId, WebhookId};
use graph_schema::identity;
use graphql_service::query::ServiceQuery;
use resolvers::explore::{self, nodes};

use super::account::AccountNode;
use super::actor::ActorNode;
use super::audit::AuditEntryNode;
use super::balance::BalanceNode;
use super::bulk::{BulkItemNode, BulkRequestNode};
use super::case::request::RequestSchemaNode;
use super::case::workflow::{PropertyNode, WorkflowNode};
use super::case::{CaseNode, CommentNode, CommunicationNode, FileNode, RequestNode, StepNode, TagNode};
use super::channel_location::ChannelLocationNode;
use super::device::DeviceNode;
use super::identity::IdentityNode;
use super::ip_address::IpAddressNode;
use super::observation::{FeedbackNode, ObservationActionNode, ObservationNode, RuleNode, SignalNode};
use super::page::{cost_of_items, describe_sizes};
use super::risk::{ExclusionNode, ExtendedInformationNode, RiskAssessmentNode, RiskScoreNode};
use super::screening::{ClearedMatchNode, ScreeningNode};
use super::segmentation::{CategoryNode, GroupNode};
use super::statistics::StatisticsFields;
use super::transaction::TransactionNode;
use super::user::UserNode;
use super::version::{AccountVersion, ActorVersion, TransactionVersion};
use super::viewer::{Viewer, viewer};
use super::walk::At;
use super::webhook::{DeliveryNode, EventNode, WebhookNode};
use crate::boxed;
use choices::ChoiceQuery;
use lists::ListQuery;

/// The types of nodes: one that is of several kinds, then those of one kind, each with its entry of the table of kinds. `spelled` says how ids are stored that
/// may be written in several ways.
macro_rules! node_types {
    (
        $several:ident: $node_of_several:ident in { $($label:ident: $one_kind:ident;)* }
        $($type:ident: $node:ident in $kind:ident $(spelled $spelled:expr)?;)*
    ) => {
        /// Anything that has an id of its own.
        // Two fields may well be of one type.
        #[allow(clippy::duplicated_attributes)]
        #[derive(Interface)]
        #[graphql(
            field(name = "id", ty = "async_graphql::ID", desc = "The business id, unique among its type."),
            field(name = "node_id", ty = "async_graphql::ID", desc = "An id that `node` takes, unique across all types.")
        )]
        pub enum Node {
            $($type($node),)*
            $several($node_of_several),
        }

        static NODE_TYPES: &[NodeType] = &[$(NodeType {
            name: stringify!($type),
            kind: &nodes::$kind,
            spelled: [$($spelled,)? as_it_is][0],
            node: |at| $node::new(at).map(Node::$type),
        },)* $(NodeType {
            name: stringify!($label),
            kind: &nodes::$one_kind,
            spelled: as_it_is,
            node: |at| $node_of_several::new(at).map(Node::$several),
        },)*];
    };
}

/// A type of nodes: how one comes from a `nodeId` to the node.
struct NodeType {
    name: &'static str,
    kind: &'static explore::Node,
    /// The id as it is stored; nothing where no node can have it.
    spelled: fn(&str) -> Option<String>,
    node: fn(At) -> Result<Node>,
}

fn as_it_is(id: &str) -> Option<String> {
    Some(id.to_owned())
}

fn ip_address(id: &str) -> Option<String> {
    identity::ip(id).map(|canonical| canonical.id)
}

fn uuid<K: IdKind>(id: &str) -> Option<String> {
    Some(Id::<K>::spelled(id).into_owned())
}

node_types! {
    Identity: IdentityNode in {
        Phone: PHONE;
        Email: EMAIL;
        Address: ADDRESS;
        GovernmentId: GOVERNMENT_ID;
        Reference: REFERENCE;
        AccountIdentifier: ACCOUNT_IDENTIFIER;
    }
    Actor: ActorNode in ACTOR;
    Account: AccountNode in ACCOUNT;
    Transaction: TransactionNode in TRANSACTION;
    ChannelLocation: ChannelLocationNode in CHANNEL_LOCATION;
    Device: DeviceNode in DEVICE;
    IpAddress: IpAddressNode in IP_ADDRESS spelled ip_address;
    Case: CaseNode in CASE spelled uuid::<id::Case>;
    Communication: CommunicationNode in COMMUNICATION spelled uuid::<id::Communication>;
    File: FileNode in FILE spelled uuid::<id::File>;
    Observation: ObservationNode in OBSERVATION;
    WorkflowStep: StepNode in WORKFLOW_STEP;
    Workflow: WorkflowNode in WORKFLOW;
    RequestForData: RequestNode in REQUEST_FOR_DATA spelled uuid::<id::RequestForData>;
    User: UserNode in USER spelled uuid::<id::User>;
    SegmentationCategory: CategoryNode in SEGMENTATION_CATEGORY;
    SegmentationGroup: GroupNode in SEGMENTATION_GROUP;
    Webhook: WebhookNode in WEBHOOK spelled uuid::<id::Webhook>;
    Event: EventNode in EVENT;
    Delivery: DeliveryNode in DELIVERY;
    AuditEntry: AuditEntryNode in AUDIT_ENTRY;
    RiskScore: RiskScoreNode in RISK_SCORE;
    RiskAssessment: RiskAssessmentNode in RISK_ASSESSMENT;
    ActorExclusion: ExclusionNode in ACTOR_EXCLUSION;
    ExtendedInformation: ExtendedInformationNode in EXTENDED_INFORMATION;
    AccountBalance: BalanceNode in ACCOUNT_BALANCE;
    ActorVersion: ActorVersion in ACTOR_VERSION;
    AccountVersion: AccountVersion in ACCOUNT_VERSION;
    TransactionVersion: TransactionVersion in TRANSACTION_VERSION;
    CaseComment: CommentNode in CASE_COMMENT;
    CaseTag: TagNode in TAG;
    CustomProperty: PropertyNode in CUSTOM_PROPERTY;
    RequestForDataSchema: RequestSchemaNode in REQUEST_FOR_DATA_SCHEMA;
    ObservationRule: RuleNode in OBSERVATION_RULE;
    ObservationFeedback: FeedbackNode in OBSERVATION_FEEDBACK;
    ObservationAction: ObservationActionNode in OBSERVATION_ACTION;
    SuppressedSignal: SignalNode in SUPPRESSED_SIGNAL;
    Screening: ScreeningNode in SCREENING;
    ClearedMatch: ClearedMatchNode in CLEARED_MATCH;
    BulkRequest: BulkRequestNode in BULK_REQUEST;
    BulkItem: BulkItemNode in BULK_ITEM;
}

/// The labels of the kinds of nodes that `node` finds, each with what their `nodeId` begins with.
pub fn refetchable() -> impl Iterator<Item = (&'static str, &'static str)> {
    NODE_TYPES.iter().map(|of| (of.kind.label, of.name))
}

/// The most nodes that are asked for together.
const MOST_NODES: usize = 100;

/// The nodes of `nodeId`s, each in the place of its id: a question for each type of which there are some.
#[boxed]
async fn nodes_of(context: &Context<'_>, ids: &[ID]) -> Result<Vec<Option<Result<Node>>>> {
    let of_a_type = NODE_TYPES.iter().map(|of| async move {
        let named = ids.iter().enumerate().filter_map(|(place, id)| {
            let (name, id) = id.split_once(':')?;
            if name == of.name { Some((place, (of.spelled)(id)?)) } else { None }
        });
        let (places, ids): (Vec<usize>, Vec<String>) = named.unzip();
        let found = At::find_all(context, of.kind, &ids).await?;
        let node = |at: Result<Option<At>>| at.and_then(|at| at.map(of.node).transpose()).transpose();
        Ok::<_, async_graphql::Error>(places.into_iter().zip(found.into_iter().map(node)).collect::<Vec<_>>())
    });
    let mut nodes: Vec<Option<Result<Node>>> = ids.iter().map(|_| None).collect();
    for (place, node) in try_join_all(of_a_type).await?.into_iter().flatten() {
        nodes[place] = node;
    }
    Ok(nodes)
}

/// Reads of the graph, and the descriptions that all pages have in common: whatever has pages can be come to from here.
#[derive(Default)]
pub struct Query(Reads);

/// Reads of the graph. Each field checks what the caller's role may see.
// The schema has its fields in the order of these parts.
#[derive(Default, MergedObject)]
#[graphql(name = "Query")]
struct Reads(NodeQuery, ServiceQuery, ListQuery, ChoiceQuery, StatisticsFields);

#[async_trait::async_trait]
impl ContainerType for Query {
    async fn resolve_field(&self, context: &Context<'_>) -> ServerResult<Option<Value>> {
        self.0.resolve_field(context).await
    }
}

#[async_trait::async_trait]
impl OutputType for Query {
    fn type_name() -> Cow<'static, str> {
        Reads::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        let qualified_name = Reads::create_type_info(registry);
        describe_sizes(registry);
        qualified_name
    }

    async fn resolve(&self, context: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        self.0.resolve(context, field).await
    }
}

impl ObjectType for Query {}

/// The sender, and nodes by their ids.
#[derive(Default)]
pub struct NodeQuery;

#[Object]
impl NodeQuery {
    /// The sender of the request, and what it may do. For all roles.
    async fn viewer(&self, context: &Context<'_>) -> Result<Viewer> {
        viewer(context)
    }

    /// A node by its `nodeId`, such as `Account:account-1`.
    async fn node(&self, context: &Context<'_>, id: ID) -> Result<Option<Node>> {
        let (kind, id) = id.split_once(':').ok_or("id: must be a nodeId, such as Account:account-1")?;
        let of = NODE_TYPES.iter().find(|of| of.name == kind).ok_or_else(|| {
            let names: Vec<&str> = NODE_TYPES.iter().map(|of| of.name).collect();
            async_graphql::Error::new(format!("id: must begin with a type, one of {}", names.join(", ")))
        })?;
        match (of.spelled)(id) {
            Some(id) => At::find(context, of.kind, &id).await?.map(of.node).transpose(),
            None => Ok(None),
        }
    }

    /// Nodes by their `nodeId`s, 100 at most, in the order of the argument. Null where an id leads to nothing or is no `nodeId`, and, with an error, where the
    /// node is not for the sender. Those of one type are read together.
    #[graphql(complexity = "cost_of_items(ids.len(), child_complexity)")]
    async fn nodes(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "What nodes have as their `nodeId`: 100 at most.")] ids: Vec<ID>,
    ) -> Result<Vec<Option<Result<Node>>>> {
        if ids.len() > MOST_NODES {
            return Err(async_graphql::Error::new(format!("ids: must be at most {MOST_NODES}")));
        }
        nodes_of(context, &ids).await
    }

    /// An actor by its id; placeholders too.
    async fn actor(&self, context: &Context<'_>, id: ID) -> Result<Option<ActorNode>> {
        At::find(context, &nodes::ACTOR, &id).await?.map(ActorNode::new).transpose()
    }

    /// An account by its id; placeholders and external accounts too.
    async fn account(&self, context: &Context<'_>, id: ID) -> Result<Option<AccountNode>> {
        At::find(context, &nodes::ACCOUNT, &id).await?.map(AccountNode::new).transpose()
    }

    /// A transaction by its id.
    async fn transaction(&self, context: &Context<'_>, id: ID) -> Result<Option<TransactionNode>> {
        At::find(context, &nodes::TRANSACTION, &id).await?.map(TransactionNode::new).transpose()
    }

    /// A channel location by its id.
    async fn channel_location(&self, context: &Context<'_>, id: ID) -> Result<Option<ChannelLocationNode>> {
        At::find(context, &nodes::CHANNEL_LOCATION, &id).await?.map(ChannelLocationNode::new).transpose()
    }

    /// A device by its id.
    async fn device(&self, context: &Context<'_>, id: ID) -> Result<Option<DeviceNode>> {
        At::find(context, &nodes::DEVICE, &id).await?.map(DeviceNode::new).transpose()
    }

    /// An IP address, however it is written.
    async fn ip_address(&self, context: &Context<'_>, id: ID) -> Result<Option<IpAddressNode>> {
        let Some(canonical) = identity::ip(&id) else { return Ok(None) };
        At::find(context, &nodes::IP_ADDRESS, &canonical.id).await?.map(IpAddressNode::new).transpose()
    }

    /// A case by its id.
    async fn case(&self, context: &Context<'_>, id: ID) -> Result<Option<CaseNode>> {
        At::find(context, &nodes::CASE, &CaseId::spelled(&id)).await?.map(CaseNode::new).transpose()
    }

    /// A communication by its id; placeholders too.
    async fn communication(&self, context: &Context<'_>, id: ID) -> Result<Option<CommunicationNode>> {
        At::find(context, &nodes::COMMUNICATION, &CommunicationId::spelled(&id)).await?.map(CommunicationNode::new).transpose()
    }

    /// A file of a case by its id.
    async fn file(&self, context: &Context<'_>, id: ID) -> Result<Option<FileNode>> {
        At::find(context, &nodes::FILE, &FileId::spelled(&id)).await?.map(FileNode::new).transpose()
    }

    /// An observation by its id; placeholders too.
    async fn observation(&self, context: &Context<'_>, id: ID) -> Result<Option<ObservationNode>> {
        At::find(context, &nodes::OBSERVATION, &id).await?.map(ObservationNode::new).transpose()
    }

    /// A request for data by its id.
    async fn request_for_data(&self, context: &Context<'_>, id: ID) -> Result<Option<RequestNode>> {
        At::find(context, &nodes::REQUEST_FOR_DATA, &RequestForDataId::spelled(&id)).await?.map(RequestNode::new).transpose()
    }

    /// The schema of requests for data of a type; null where there is none.
    async fn request_for_data_schema(&self, context: &Context<'_>, #[graphql(name = "type")] kind: String) -> Result<Option<RequestSchemaNode>> {
        At::find(context, &nodes::REQUEST_FOR_DATA_SCHEMA, &kind).await?.map(RequestSchemaNode::new).transpose()
    }

    /// A tag of cases by its id.
    async fn case_tag(&self, context: &Context<'_>, id: ID) -> Result<Option<TagNode>> {
        At::find(context, &nodes::TAG, &id).await?.map(TagNode::new).transpose()
    }

    /// A rule of detection by the id, or the name, by which observations name it.
    async fn observation_rule(&self, context: &Context<'_>, id: ID) -> Result<Option<RuleNode>> {
        At::find(context, &nodes::OBSERVATION_RULE, &id).await?.map(RuleNode::new).transpose()
    }

    /// A bulk request by the service's own id.
    async fn bulk_request(&self, context: &Context<'_>, id: ID) -> Result<Option<BulkRequestNode>> {
        At::find(context, &nodes::BULK_REQUEST, &id).await?.map(BulkRequestNode::new).transpose()
    }

    /// An item of a bulk request by the service's own id. Of items that are done, only cases have a node.
    async fn bulk_item(&self, context: &Context<'_>, id: ID) -> Result<Option<BulkItemNode>> {
        At::find(context, &nodes::BULK_ITEM, &id).await?.map(BulkItemNode::new).transpose()
    }

    /// A workflow by its id, such as `default-analysis`.
    async fn workflow(&self, context: &Context<'_>, id: ID) -> Result<Option<WorkflowNode>> {
        At::find(context, &nodes::WORKFLOW, &id).await?.map(WorkflowNode::new).transpose()
    }

    /// A step of a workflow by its id, such as `default-analysis/to-do`.
    async fn workflow_step(&self, context: &Context<'_>, id: ID) -> Result<Option<StepNode>> {
        At::find(context, &nodes::WORKFLOW_STEP, &id).await?.map(StepNode::new).transpose()
    }

    /// A user by their id; placeholders too.
    async fn user(&self, context: &Context<'_>, id: ID) -> Result<Option<UserNode>> {
        At::find(context, &nodes::USER, &UserId::spelled(&id)).await?.map(UserNode::new).transpose()
    }

    /// A category of segmentation by its id.
    async fn segmentation_category(&self, context: &Context<'_>, id: ID) -> Result<Option<CategoryNode>> {
        At::find(context, &nodes::SEGMENTATION_CATEGORY, &id).await?.map(CategoryNode::new).transpose()
    }

    /// A group of segmentation by its id.
    async fn segmentation_group(&self, context: &Context<'_>, id: ID) -> Result<Option<GroupNode>> {
        At::find(context, &nodes::SEGMENTATION_GROUP, &id).await?.map(GroupNode::new).transpose()
    }

    /// A webhook by its id. For administrators.
    async fn webhook(&self, context: &Context<'_>, id: ID) -> Result<Option<WebhookNode>> {
        At::find(context, &nodes::WEBHOOK, &WebhookId::spelled(&id)).await?.map(WebhookNode::new).transpose()
    }

    /// An event by its id.
    async fn event(&self, context: &Context<'_>, id: ID) -> Result<Option<EventNode>> {
        At::find(context, &nodes::EVENT, &id).await?.map(EventNode::new).transpose()
    }

    /// A delivery by its id. For administrators.
    async fn delivery(&self, context: &Context<'_>, id: ID) -> Result<Option<DeliveryNode>> {
        At::find(context, &nodes::DELIVERY, &id).await?.map(DeliveryNode::new).transpose()
    }

    /// An entry of the audit log by its id. For supervisors, auditors and administrators.
    async fn audit_entry(&self, context: &Context<'_>, id: ID) -> Result<Option<AuditEntryNode>> {
        At::find(context, &nodes::AUDIT_ENTRY, &id).await?.map(AuditEntryNode::new).transpose()
    }
}
