//! Lists of what may be chosen or administered: people, tags, workflows, groups, rules, and what webhooks were told.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, Error, InputObject, Object, Result};
use graph_schema::case::CaseType;
use graph_schema::id::SegmentationCategoryId;
use graphql_service::filtering::not_too_many;
use graphql_service::orders::{DeliveryOrder, UserOrder};
use graphql_service::segmentation::words;
use resolvers::explore::{GroupFilter, List, ListFilter, UserFilter, UserSort, WorkflowFilter, lists};

use crate::case::TagNode;
use crate::case::workflow::WorkflowNode;
use crate::connection::{CaseTags, NamedRules, NodeConnection, SegmentationGroups, Users, Workflows, list, list_by};
use crate::observation::RuleNode;
use crate::page::{PageArguments, cost, cost_of_filter};
use crate::refused;
use crate::segmentation::GroupNode;
use crate::user::UserNode;
use crate::viewer::{Credential, api_clients, api_keys};
use crate::walk::LinkArguments;
use crate::webhook::{DeliveryConnection, DeliveryFilterInput, cost_of_order};

#[derive(Default)]
pub struct ChoiceQuery;

#[Object]
impl ChoiceQuery {
    /// All users who are known, newest first unless `orderBy` says otherwise.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    #[allow(clippy::too_many_arguments)]
    async fn users(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<UserFilterInput>,
        order_by: Option<UserOrder>,
    ) -> Result<NodeConnection<UserNode, EmptyFields, Users>> {
        let filter = filter.map_or(Ok(ListFilter::All), UserFilterInput::into_filter)?;
        let link = &lists::USERS.link;
        let order = order_by.map(|UserOrder { field, direction }| link.page(UserSort::from(field), direction.into())).transpose();
        let order = order.map_err(|error| refused(error.into()))?.unwrap_or_else(|| link.usual_page());
        list_by(context, &lists::USERS, LinkArguments { page: PageArguments { first, after, last, before }, filter, order }).await
    }

    /// All tags of cases, by their labels.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(unused_variables)]
    async fn case_tags(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<NodeConnection<TagNode, EmptyFields, CaseTags>> {
        list(context, &lists::TAGS).await
    }

    /// All workflows, the newest first.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    async fn workflows(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<WorkflowFilterInput>,
    ) -> Result<NodeConnection<WorkflowNode, EmptyFields, Workflows>> {
        let filter = filter.map_or(Ok(ListFilter::All), WorkflowFilterInput::into_filter)?;
        in_usual_order(context, &lists::WORKFLOWS, PageArguments { first, after, last, before }, filter).await
    }

    /// All groups of segmentation, newest first.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter)")]
    async fn segmentation_groups(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<SegmentationGroupFilterInput>,
    ) -> Result<NodeConnection<GroupNode, EmptyFields, SegmentationGroups>> {
        let filter = filter.map_or(Ok(ListFilter::All), SegmentationGroupFilterInput::into_filter)?;
        in_usual_order(context, &lists::SEGMENTATION_GROUPS, PageArguments { first, after, last, before }, filter).await
    }

    /// All rules of detection that observations have named, by id. Rules of the service's own detection, with their parameters, are `detectionRules`.
    #[graphql(complexity = "cost(first, last, child_complexity)")]
    #[allow(unused_variables)]
    async fn observation_rules(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<NodeConnection<RuleNode, EmptyFields, NamedRules>> {
        list(context, &lists::OBSERVATION_RULES).await
    }

    /// All API keys without their secrets, revoked ones too, the newest first. For administrators.
    #[graphql(complexity = "20 + child_complexity")]
    async fn api_keys(&self, context: &Context<'_>) -> Result<Vec<Credential>> {
        api_keys(context).await
    }

    /// All API clients without their secrets, revoked ones too, the newest first. For administrators.
    #[graphql(complexity = "20 + child_complexity")]
    async fn api_clients(&self, context: &Context<'_>) -> Result<Vec<Credential>> {
        api_clients(context).await
    }

    /// What webhooks were told, and are still to be told, the newest first unless `orderBy` says otherwise. For administrators.
    #[graphql(complexity = "cost(first, last, child_complexity) + cost_of_filter(&filter) + cost_of_order(&filter, &order_by)")]
    #[allow(unused_variables, clippy::too_many_arguments)]
    async fn deliveries(
        &self,
        context: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
        filter: Option<DeliveryFilterInput>,
        order_by: Option<DeliveryOrder>,
    ) -> Result<DeliveryConnection> {
        list(context, &lists::DELIVERIES).await
    }
}

/// A page of a list that has one order.
async fn in_usual_order<N, Name>(
    context: &Context<'_>,
    list: &'static List,
    page: PageArguments,
    filter: ListFilter,
) -> Result<NodeConnection<N, EmptyFields, Name>>
where
    N: crate::connection::GraphNode,
    Name: crate::connection::ConnectionName,
{
    list_by(context, list, LinkArguments { page, filter, order: list.link.usual_page() }).await
}

/// Which users. All that is given must hold.
#[derive(InputObject)]
#[graphql(name = "UserFilter")]
pub struct UserFilterInput {
    /// Words, each of which the name or the username has, in capital or small letters: 10 words and 256 characters at most.
    text: Option<String>,
    /// Whether they may come in.
    enabled: Option<bool>,
    /// In one of these groups.
    groups: Option<Vec<String>>,
}

/// No group's name is longer, in bytes.
const LONGEST_GROUP: usize = 1_024;

impl UserFilterInput {
    fn into_filter(self) -> Result<ListFilter> {
        let Self { text, enabled, groups } = self;
        not_too_many("groups", groups.as_ref().map(Vec::len))?;
        if groups.iter().flatten().any(|group| group.len() > LONGEST_GROUP) {
            return Err(Error::new(format!("filter.groups: must be of at most {LONGEST_GROUP} bytes each")));
        }
        Ok(ListFilter::Users(UserFilter { called: words(text)?, enabled, groups }))
    }
}

/// Which workflows. All that is given must hold.
#[derive(InputObject)]
#[graphql(name = "WorkflowFilter")]
pub struct WorkflowFilterInput {
    /// `false` for those that are offered to people, `true` for the others.
    hidden: Option<bool>,
    /// For cases of one of these types.
    types: Option<Vec<CaseType>>,
}

impl WorkflowFilterInput {
    fn into_filter(self) -> Result<ListFilter> {
        let Self { hidden, types } = self;
        not_too_many("types", types.as_ref().map(Vec::len))?;
        Ok(ListFilter::Workflows(WorkflowFilter { hidden, types }))
    }
}

/// Which groups of segmentation. All that is given must hold.
#[derive(InputObject)]
#[graphql(name = "SegmentationGroupFilter")]
pub struct SegmentationGroupFilterInput {
    /// Words, each of which the name or the description has, in capital or small letters: 10 words and 256 characters at most.
    text: Option<String>,
    /// In one of these categories.
    category_ids: Option<Vec<SegmentationCategoryId>>,
}

impl SegmentationGroupFilterInput {
    fn into_filter(self) -> Result<ListFilter> {
        let Self { text, category_ids: categories } = self;
        not_too_many("categoryIds", categories.as_ref().map(Vec::len))?;
        Ok(ListFilter::Groups(GroupFilter { described: words(text)?, categories }))
    }
}
