//! Where a walk begins: a node by its id, or a page of all nodes of a kind.

mod lists;

use async_graphql::{Context, ID, Interface, MergedObject, Object, Result};
use graph_schema::date::Date;
use graph_schema::id::{CaseId, CommunicationId, FileId, RequestForDataId, UserId, WebhookId};
use graph_schema::identity;
use resolvers::explore::nodes;

use super::account::AccountNode;
use super::actor::ActorNode;
use super::audit::AuditEntryNode;
use super::case::workflow::WorkflowNode;
use super::case::{CaseNode, CommunicationNode, FileNode, RequestNode, StepNode};
use super::change_feed::{ChangeFeedPage, changes};
use super::channel_location::ChannelLocationNode;
use super::detection::{
    DetectionPeriod, DetectionPrecision, DetectionRuleNode, DetectionRunConnection, DetectionSnoozeConnection, DetectionSnoozeFilter,
    detection_precision, detection_rules, detection_runs, detection_snoozes,
};
use super::device::DeviceNode;
use super::ip_address::IpAddressNode;
use super::job::{JobConnection, JobFilter, JobNode, job, jobs};
use super::observation::ObservationNode;
use super::page::{cost, cost_of_filter};
use super::risk::{RiskRule, risk_rules};
use super::segmentation::{CategoryNode, GroupNode};
use super::transaction::TransactionNode;
use super::user::UserNode;
use super::walk::At;
use super::watchlist::{WatchlistNode, watchlist, watchlists};
use super::webhook::{DeliveryNode, EventNode, WebhookNode};
use lists::ListQuery;

/// Anything that has an id of its own.
// Two fields may well be of one type.
#[allow(clippy::duplicated_attributes)]
#[derive(Interface)]
#[graphql(
    field(name = "id", ty = "async_graphql::ID", desc = "The business id, unique among its type."),
    field(name = "node_id", ty = "async_graphql::ID", desc = "An id that `node` takes, unique across all types.")
)]
pub enum Node {
    Actor(ActorNode),
    Account(AccountNode),
    Transaction(TransactionNode),
    ChannelLocation(ChannelLocationNode),
    Device(DeviceNode),
    IpAddress(IpAddressNode),
    Case(CaseNode),
    Communication(CommunicationNode),
    File(FileNode),
    Observation(ObservationNode),
    WorkflowStep(StepNode),
    Workflow(WorkflowNode),
    RequestForData(RequestNode),
    User(UserNode),
    SegmentationCategory(CategoryNode),
    SegmentationGroup(GroupNode),
    Webhook(WebhookNode),
    Event(EventNode),
    Delivery(DeliveryNode),
    AuditEntry(AuditEntryNode),
}

/// Reads of the graph. Each field checks what the caller's role may see.
// The schema has its fields in the order of these parts.
#[derive(Default, MergedObject)]
pub struct Query(NodeQuery, ListQuery);

/// Nodes by their ids, and what the service does itself.
#[derive(Default)]
pub struct NodeQuery;

#[Object]
impl NodeQuery {
    /// A node by its `nodeId`, such as `Account:account-1`.
    async fn node(&self, context: &Context<'_>, id: ID) -> Result<Option<Node>> {
        let Some((kind, id)) = id.split_once(':') else {
            return Err(async_graphql::Error::new("id: must be a nodeId, such as Account:account-1"));
        };
        let id = ID(id.to_owned());
        Ok(match kind {
            "Actor" => self.actor(context, id).await?.map(Node::Actor),
            "Account" => self.account(context, id).await?.map(Node::Account),
            "Transaction" => self.transaction(context, id).await?.map(Node::Transaction),
            "ChannelLocation" => self.channel_location(context, id).await?.map(Node::ChannelLocation),
            "Device" => self.device(context, id).await?.map(Node::Device),
            "IpAddress" => self.ip_address(context, id).await?.map(Node::IpAddress),
            "Case" => self.case(context, id).await?.map(Node::Case),
            "Communication" => self.communication(context, id).await?.map(Node::Communication),
            "File" => self.file(context, id).await?.map(Node::File),
            "Observation" => self.observation(context, id).await?.map(Node::Observation),
            "Workflow" => self.workflow(context, id).await?.map(Node::Workflow),
            "RequestForData" => self.request_for_data(context, id).await?.map(Node::RequestForData),
            "WorkflowStep" => self.workflow_step(context, id).await?.map(Node::WorkflowStep),
            "User" => self.user(context, id).await?.map(Node::User),
            "SegmentationCategory" => self.segmentation_category(context, id).await?.map(Node::SegmentationCategory),
            "SegmentationGroup" => self.segmentation_group(context, id).await?.map(Node::SegmentationGroup),
            "Webhook" => self.webhook(context, id).await?.map(Node::Webhook),
            "Event" => self.event(context, id).await?.map(Node::Event),
            "Delivery" => self.delivery(context, id).await?.map(Node::Delivery),
            "AuditEntry" => self.audit_entry(context, id).await?.map(Node::AuditEntry),
            _ => {
                let kinds = "Actor, Account, Transaction, ChannelLocation, Device, IpAddress, Case, Communication, File, Observation, RequestForData, Workflow, WorkflowStep, User, \
                             SegmentationCategory, SegmentationGroup, Webhook, Event, Delivery or AuditEntry";
                return Err(async_graphql::Error::new(format!("id: must begin with a type: {kinds}")));
            }
        })
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

    /// A job by its id. For administrators, supervisors and whoever has started it.
    async fn job(&self, context: &Context<'_>, id: ID) -> Result<Option<JobNode>> {
        job(context, &id).await
    }

    /// Work in the background that somebody has started, the newest first. All of it for administrators and supervisors, else what the caller has started.
    #[graphql(complexity = "cost(first, None, child_complexity)")]
    async fn jobs(&self, context: &Context<'_>, first: Option<i32>, after: Option<String>, filter: Option<JobFilter>) -> Result<JobConnection> {
        jobs(context, first, after, filter).await
    }

    /// Watchlists: lists of names to screen against, in the order of their ids.
    #[graphql(complexity = "20 + child_complexity")]
    async fn watchlists(&self, context: &Context<'_>) -> Result<Vec<WatchlistNode>> {
        watchlists(context).await
    }

    /// A watchlist by its id; null where no import has brought it yet.
    async fn watchlist(&self, context: &Context<'_>, id: ID) -> Result<Option<WatchlistNode>> {
        watchlist(context, &id).await
    }

    /// Detection runs, those asked for last first.
    #[graphql(complexity = "cost(first, None, child_complexity)")]
    async fn detection_runs(&self, context: &Context<'_>, first: Option<i32>, after: Option<String>) -> Result<DetectionRunConnection> {
        detection_runs(context, first, after).await
    }

    /// The rules of detection, as they are tuned: all versions, in the order of their ids, the highest version first.
    #[graphql(complexity = "20 + child_complexity")]
    async fn detection_rules(&self, context: &Context<'_>) -> Result<Vec<DetectionRuleNode>> {
        detection_rules(context).await
    }

    /// All versions of all rules by which actors are scored, as they are tuned: in the order of their ids, the highest version first.
    #[graphql(complexity = "20 + child_complexity")]
    async fn risk_rules(&self, context: &Context<'_>) -> Result<Vec<RiskRule>> {
        risk_rules(context).await
    }

    /// What feedback says of rules: of the findings of business days from the first to the last, 1,830 at most, which share is right. A finding counts once, on the
    /// day of the run that found it last, by the feedback that was given on it last. `by`: months, unless something else is said. Nothing is tuned by it.
    // Up to 262 statements.
    #[graphql(complexity = "2_000 + 20 * child_complexity")]
    async fn detection_precision(
        &self,
        context: &Context<'_>,
        from: Date,
        to: Date,
        by: Option<DetectionPeriod>,
        rule_id: Option<ID>,
        line_of_business: Option<String>,
    ) -> Result<DetectionPrecision> {
        detection_precision(context, (from, to), by, rule_id, line_of_business).await
    }

    /// Rules that are or were to be silent about actors, the newest first.
    #[graphql(complexity = "cost(first, None, child_complexity) + cost_of_filter(&filter)")]
    async fn detection_snoozes(
        &self,
        context: &Context<'_>,
        filter: Option<DetectionSnoozeFilter>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<DetectionSnoozeConnection> {
        detection_snoozes(context, filter, first, after).await
    }

    /// Every change that was committed, once and in order, behind a position; without one from the first that is kept (`changes.keep_for`). Where what comes
    /// behind the position is kept no more, the error's code is `FORGOTTEN`. For administrators.
    #[graphql(complexity = "cost(Some(first), None, child_complexity)")]
    async fn changes(&self, context: &Context<'_>, after: Option<ID>, #[graphql(default = 100)] first: i32) -> Result<ChangeFeedPage> {
        changes(context, after, first).await
    }
}
