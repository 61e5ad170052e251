//! Pages of all nodes of a kind.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, Object, Result};
use graph_schema::custom_property::PropertyEntity;
use graphql_service::filtering::SortDirection;
use graphql_service::orders::{
    ActorOrder, AuditEntryOrder, CaseOrder, ClearedMatchOrder, ObservationFeedbackOrder, ObservationOrder, RequestForDataOrder, ScoredActorOrder,
    SuppressedSignalOrder, TransactionListOrder,
};
use graphql_service::risk::ActorRiskFilterInput;
use resolvers::explore::lists;

use crate::account::AccountNode;
use crate::actor::{ActorFilterInput, ActorNode};
use crate::audit::{AuditEntryConnection, AuditEntryFilterInput, audit_entries};
use crate::bulk::{BulkItemConnection, BulkItemFilterInput, BulkRequestConnection};
use crate::case::request::{RequestFilterInput, RequestSchemaNode};
use crate::case::workflow::PropertyNode;
use crate::case::{CaseConnection, CaseFilterInput, RequestNode};
use crate::channel_location::ChannelLocationNode;
use crate::connection::{
    Accounts, Actors, ChannelLocations, ClearedMatches, CustomPropertyList, Devices, Feedback, NodeConnection, RequestForDataSchemas,
    RequestsForData, SegmentationCategories, SuppressedSignals, list,
};
use crate::device::DeviceNode;
use crate::observation::{FeedbackFilterInput, FeedbackNode, ObservationConnection, ObservationFilterInput, SignalFilterInput, SignalNode};
use crate::page::{PageArguments, cost, cost_of_filter};
use crate::screening::{ClearedMatchFilterInput, ClearedMatchNode};
use crate::segmentation::CategoryNode;
use crate::transaction::{TransactionConnection, TransactionFilterInput};
use crate::webhook::WebhookConnection;

#[derive(Default)]
pub struct ListQuery;

#[Object]
impl ListQuery {
    /// All actors by id, unless `orderBy` says otherwise. Other orders than that of ids have those alone whose record has arrived.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&known).max(cost_of_filter(&filter))")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn actors(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        #[graphql(desc = "Record has arrived, or not: `filter.known`.", deprecation = "Use `filter`.")] known: Option<bool>,
        filter: Option<ActorFilterInput>,
        order_by: Option<ActorOrder>,
    ) -> Result<NodeConnection<ActorNode, EmptyFields, Actors>> {
        list(context, &lists::ACTORS).await
    }

    /// Actors that have a risk score, the highest first unless `orderBy` says otherwise.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn scored_actors(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<ActorRiskFilterInput>,
        order_by: Option<ScoredActorOrder>,
        #[graphql(deprecation = "Use `orderBy`.")] order: Option<SortDirection>,
    ) -> Result<NodeConnection<ActorNode, EmptyFields, Actors>> {
        list(context, &lists::SCORED_ACTORS).await
    }

    /// All accounts by id; `known` keeps those whose record has arrived, or the others.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&known)")]
    #[allow(unused_variables)]
    async fn accounts(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        known: Option<bool>,
    ) -> Result<NodeConnection<AccountNode, EmptyFields, Accounts>> {
        list(context, &lists::ACCOUNTS).await
    }

    /// All transactions, newest first unless `orderBy` says otherwise.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn transactions(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<TransactionFilterInput>,
        order_by: Option<TransactionListOrder>,
        #[graphql(deprecation = "Use `orderBy`.")] order: Option<SortDirection>,
    ) -> Result<TransactionConnection> {
        list(context, &lists::TRANSACTIONS).await
    }

    /// All cases, newest first unless `orderBy` says otherwise.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn cases(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<CaseFilterInput>,
        order_by: Option<CaseOrder>,
    ) -> Result<CaseConnection> {
        list(context, &lists::CASES).await
    }

    /// All observations that are known, newest first unless `orderBy` says otherwise: the alerts queue is those with `handled: false`.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn observations(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<ObservationFilterInput>,
        order_by: Option<ObservationOrder>,
        #[graphql(desc = "The direction of the order by date; without `orderBy` only.", deprecation = "Use `orderBy`.")] order: Option<SortDirection>,
    ) -> Result<ObservationConnection> {
        list(context, &lists::OBSERVATIONS).await
    }

    /// All feedback on observations of cases, the latest first unless `orderBy` says otherwise.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn observation_feedback(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<FeedbackFilterInput>,
        order_by: Option<ObservationFeedbackOrder>,
        #[graphql(deprecation = "Use `orderBy`.")] order: Option<SortDirection>,
    ) -> Result<NodeConnection<FeedbackNode, EmptyFields, Feedback>> {
        list(context, &lists::OBSERVATION_FEEDBACK_GIVEN).await
    }

    /// All signals that were suppressed, the latest first unless `orderBy` says otherwise.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn suppressed_signals(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<SignalFilterInput>,
        order_by: Option<SuppressedSignalOrder>,
        #[graphql(deprecation = "Use `orderBy`.")] order: Option<SortDirection>,
    ) -> Result<NodeConnection<SignalNode, EmptyFields, SuppressedSignals>> {
        list(context, &lists::SUPPRESSED_SIGNALS).await
    }

    /// Matches that somebody has cleared, the latest first unless `orderBy` says otherwise.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn cleared_matches(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<ClearedMatchFilterInput>,
        order_by: Option<ClearedMatchOrder>,
        #[graphql(deprecation = "Use `orderBy`.")] order: Option<SortDirection>,
    ) -> Result<NodeConnection<ClearedMatchNode, EmptyFields, ClearedMatches>> {
        list(context, &lists::CLEARED_MATCHES).await
    }

    /// All channel locations by id.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(unused_variables)]
    async fn channel_locations(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<NodeConnection<ChannelLocationNode, EmptyFields, ChannelLocations>> {
        list(context, &lists::CHANNEL_LOCATIONS).await
    }

    /// Bulk requests of the last 30 days, newest first; `requestId` keeps those that their senders have named so.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&request_id)")]
    #[allow(unused_variables)]
    async fn bulk_requests(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        request_id: Option<String>,
    ) -> Result<BulkRequestConnection> {
        list(context, &lists::BULK_REQUESTS).await
    }

    /// Items of bulk requests of the last 30 days that wait, that have failed, and cases; newest first.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables)]
    async fn bulk_items(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<BulkItemFilterInput>,
    ) -> Result<BulkItemConnection> {
        list(context, &lists::BULK_ITEMS).await
    }

    /// All devices by id.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(unused_variables)]
    async fn devices(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<NodeConnection<DeviceNode, EmptyFields, Devices>> {
        list(context, &lists::DEVICES).await
    }

    /// All categories of segmentation, newest first.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(unused_variables)]
    async fn segmentation_categories(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<NodeConnection<CategoryNode, EmptyFields, SegmentationCategories>> {
        list(context, &lists::SEGMENTATION_CATEGORIES).await
    }

    /// The shapes of requests for data, the newest first.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(unused_variables)]
    async fn request_for_data_schemas(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<NodeConnection<RequestSchemaNode, EmptyFields, RequestForDataSchemas>> {
        list(context, &lists::REQUEST_FOR_DATA_SCHEMAS).await
    }

    /// All requests for data, the newest first unless `orderBy` says otherwise. With `filter.overdue` true those that are open and were due already, the longest
    /// overdue first; with false all but those.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn requests_for_data(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        #[graphql(desc = "Open and due already, or not: `filter.overdue`.", deprecation = "Use `filter`.")] overdue: Option<bool>,
        filter: Option<RequestFilterInput>,
        order_by: Option<RequestForDataOrder>,
    ) -> Result<NodeConnection<RequestNode, EmptyFields, RequestsForData>> {
        list(context, &lists::REQUESTS_FOR_DATA).await
    }

    /// The custom properties that are defined, the newest first; `entity` keeps those of one kind.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&entity)")]
    #[allow(unused_variables)]
    async fn custom_properties(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        entity: Option<PropertyEntity>,
    ) -> Result<NodeConnection<PropertyNode, EmptyFields, CustomPropertyList>> {
        list(context, &lists::CUSTOM_PROPERTIES).await
    }

    /// All webhooks, the newest first. For administrators.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(unused_variables)]
    async fn webhooks(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<WebhookConnection> {
        list(context, &lists::WEBHOOKS).await
    }

    /// The audit log: who did what, newest first unless `orderBy` says otherwise. For supervisors, auditors and administrators; analysts have to name cases
    /// (`caseIds`), whose entries they see.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(clippy::too_many_arguments)]
    async fn audit_entries(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<AuditEntryFilterInput>,
        order_by: Option<AuditEntryOrder>,
    ) -> Result<AuditEntryConnection> {
        audit_entries(context, PageArguments { first, after, last, before }, filter, order_by).await
    }
}
