//! Connections: pages of nodes with what their links say, and a `totalCount` that costs nothing unless it is asked for.

use async_graphql::connection::{Connection, ConnectionNameType, DisableNodesField, Edge, EdgeNameType, EmptyFields};
use async_graphql::{Context, ObjectType, OutputType, Result, SimpleObject};
use futures::future::OptionFuture;
use graph_schema::edge::{
    AssociateFields, CaseActorFields, CaseDecisionFields, CaseObservationFields, MemberFields, MoveFields, ObservationActorFields,
    ObservationRuleFields, RoleFields, SignInFields, TransferFields,
};
use resolvers::explore::{Columns, Found, FoundLink, FoundRow, List, Node, NothingSaid, Reached, link};
use std::sync::Arc;

use super::page::Cursor;
use super::walk::{At, FieldId, Plan, PlannedLink, carry_out, mismatched};
use super::{asking, refused};

/// A page of nodes. `N` node, `E` what the link says, `Name` how the types are called.
pub type NodeConnection<N, E, Name> = Connection<Cursor, N, Total, E, ConnectionNames<Name>, ConnectionNames<Name>, DisableNodesField>;

/// How many there are in all.
#[derive(SimpleObject)]
pub struct Total {
    /// How many there are in all, whatever the page.
    total_count: i64,
}

/// A node of a type.
pub trait GraphNode: OutputType + Sized {
    /// The node that a row of a link leads to.
    fn reached(at: At, row: &FoundRow) -> Result<Self>;

    fn at(&self) -> &At;

    /// Where its id is to be looked for.
    fn node(&self) -> &'static Node {
        self.at().node()
    }
}

/// What an edge shows of its link.
pub trait EdgeFields: ObjectType + Sized {
    /// What the link says.
    type Said: Columns;

    fn of(said: Self::Said) -> Self;
}

macro_rules! shown_as_said {
    ($($edge:ty),*) => {
        $(impl EdgeFields for $edge {
            type Said = Self;

            fn of(said: Self) -> Self {
                said
            }
        })*
    };
}
shown_as_said!(
    AssociateFields,
    CaseActorFields,
    CaseDecisionFields,
    CaseObservationFields,
    MemberFields,
    MoveFields,
    ObservationActorFields,
    ObservationRuleFields,
    RoleFields,
    SignInFields,
    TransferFields
);

/// Nothing is shown of the link.
impl EdgeFields for EmptyFields {
    type Said = NothingSaid;

    fn of(_: NothingSaid) -> Self {
        EmptyFields {}
    }
}

/// The answer for a field that is a link: what was planned for it, and what was found.
struct Answer {
    plan: Arc<Plan>,
    /// Nothing where the node it leads from is gone.
    found: Option<Arc<Found>>,
    /// Which link of both it is.
    place: usize,
}

impl Answer {
    fn planned(&self) -> &PlannedLink {
        &self.plan.links[self.place]
    }

    fn found(&self) -> &FoundLink {
        static NOTHING: FoundLink = FoundLink { rows: Vec::new(), total: None };
        self.found.as_ref().map_or(&NOTHING, |found| &found.links[self.place])
    }
}

/// The answer for the present field: what was read ahead, or a walk of its own.
async fn answer(context: &Context<'_>, from: &impl GraphNode) -> Result<Answer> {
    let at = from.at();
    if let Some(place) = at.plan.at(FieldId::of(context.field())) {
        return Ok(Answer { plan: Arc::clone(&at.plan), found: Some(Arc::clone(&at.found)), place });
    }
    let (field, node) = (context.field(), from.node());
    let link = link(node, field.name()).ok_or_else(|| async_graphql::Error::new(format!("{}.{} is not in the table", node.label, field.name())))?;
    let plan = Plan::for_link(context, node, link)?;
    let (plan, found) = carry_out(context, plan, Plan::of_one_link, at.id(), Reached::ByLink).await?;
    Ok(Answer { plan: Arc::new(plan), found, place: 0 })
}

/// The page of a link that the present field asks for.
pub async fn links<N, E, Name>(context: &Context<'_>, from: &impl GraphNode) -> Result<NodeConnection<N, E, Name>>
where
    N: GraphNode,
    E: EdgeFields,
    Name: ConnectionName,
{
    let answer = answer(context, from).await?;
    connection(answer.planned(), answer.found())
}

/// The one node that the present field leads to, if there is one.
pub async fn one<N: GraphNode>(context: &Context<'_>, from: &impl GraphNode) -> Result<Option<N>> {
    let answer = answer(context, from).await?;
    answer.found().rows.first().map(|row| node(answer.planned(), row)).transpose()
}

/// What the links of the present field say, where there are a few.
pub async fn few<E: Columns>(context: &Context<'_>, from: &impl GraphNode) -> Result<Vec<E>> {
    let answer = answer(context, from).await?;
    answer.found().rows.iter().map(|row| row.edge().map_err(mismatched)).collect()
}

/// The page of all nodes of a kind that the present field asks for.
pub async fn list<N: GraphNode, Name: ConnectionName>(context: &Context<'_>, list: &'static List) -> Result<NodeConnection<N, EmptyFields, Name>> {
    let (resolvers, caller) = asking(context)?;
    // What is behind the list is followed for all of its nodes together, once they are there.
    let (step, planned) = Plan::for_list(context, &list.link)?;
    let rows = OptionFuture::from(step.slice.as_ref().map(|slice| resolvers.list(caller, list, &step, slice)));
    let total = OptionFuture::from(step.counted.then(|| resolvers.list_count(caller, list, &step)));
    let (rows, total) = futures::join!(rows, total);
    let (rows, total) = (rows.transpose().map_err(refused)?, total.transpose().map_err(refused)?);
    connection(&planned, &FoundLink { rows: rows.unwrap_or_default(), total })
}

fn node<N: GraphNode>(planned: &PlannedLink, row: &FoundRow) -> Result<N> {
    N::reached(At { found: Arc::clone(&row.node), plan: Arc::clone(&planned.then) }, row)
}

/// Puts a page together.
fn connection<N, E, Name>(planned: &PlannedLink, found: &FoundLink) -> Result<NodeConnection<N, E, Name>>
where
    N: GraphNode,
    E: EdgeFields,
    Name: ConnectionName,
{
    let request = planned.page.as_ref().ok_or("a link without pages was asked for one")?;
    let (rows, previous, next) = request.page(found.rows.iter().collect());
    // Where it was not asked for, nobody sees it.
    let mut connection = Connection::with_additional_fields(previous, next, Total { total_count: found.total.unwrap_or_default() });
    connection.edges.reserve(rows.len());
    for row in rows {
        let cursor = Cursor { listing: request.listing, place: resolvers::explore::Place::of(row) };
        let said = row.edge::<E::Said>().map_err(mismatched)?;
        connection.edges.push(Edge::with_additional_fields(cursor, node(planned, row)?, E::of(said)));
    }
    Ok(connection)
}

/// Names `XConnection` and `XEdge`.
pub trait ConnectionName: Send + Sync {
    const NAME: &'static str;
}

/// Gives a connection and its edges the names of a [`ConnectionName`].
pub struct ConnectionNames<T>(std::marker::PhantomData<T>);

impl<T: ConnectionName> ConnectionNameType for ConnectionNames<T> {
    fn type_name<N: OutputType>() -> String {
        format!("{}Connection", T::NAME)
    }
}
impl<T: ConnectionName> EdgeNameType for ConnectionNames<T> {
    fn type_name<N: OutputType>() -> String {
        format!("{}Edge", T::NAME)
    }
}

/// A type with a name for its connection.
macro_rules! connection_names {
    ($($type:ident => $name:literal),* $(,)?) => {
        $(
            #[doc = concat!("Names `", $name, "Connection`.")]
            pub struct $type;
            impl ConnectionName for $type {
                const NAME: &'static str = $name;
            }
        )*
    };
}

connection_names! {
    Actors => "Actor",
    Accounts => "Account",
    Transactions => "Transaction",
    ChannelLocations => "ChannelLocation",
    Devices => "Device",
    IpAddresses => "IpAddress",
    RolesOfActor => "ActorAccount",
    RolesOnAccount => "AccountActor",
    Associates => "Associate",
    Identities => "Identity",
    IpAddressAccounts => "IpAddressAccount",
    Sharing => "SharedIdentity",
    Transfers => "Transfer",
    AccountDevices => "AccountDevice",
    AccountIpAddresses => "AccountIpAddress",
    DeviceAccounts => "DeviceAccount",
    ActorVersions => "ActorVersion",
    AccountVersions => "AccountVersion",
    CaseActors => "CaseActor",
    CaseComments => "CaseComment",
    ActorCases => "ActorCase",
    Cases => "Case",
    Observations => "Observation",
    BulkRequests => "BulkRequest",
    BulkItems => "BulkItem",
    Communications => "Communication",
    Files => "File",
    Users => "User",
    SegmentationCategories => "SegmentationCategory",
    SegmentationGroups => "SegmentationGroup",
    SegmentationMembers => "SegmentationMember",
    ActorSegmentationGroups => "ActorSegmentationGroup",
    CaseObservations => "CaseObservation",
    ActorObservations => "ActorObservation",
    ObservationActors => "ObservationActor",
    ObservationRules => "ObservationRule",
    RuleObservations => "RuleObservation",
    Feedback => "ObservationFeedback",
    ObservationActions => "ObservationAction",
    DecidedTransactions => "DecidedTransaction",
    DecidingCases => "DecidingCase",
    SuppressedSignals => "SuppressedSignal",
    RequestsForData => "RequestForData",
    RequestForDataSchemas => "RequestForDataSchema",
    CustomPropertyList => "CustomProperty",
    Workflows => "Workflow",
    WorkflowSteps => "WorkflowStep",
    WorkflowMoves => "WorkflowMove",
    Webhooks => "Webhook",
    Events => "Event",
    Deliveries => "Delivery",
}

/// An object type with fields of its own and links: a link is a line with its name, the connection's name, the node's type and what the edge says.
/// The arguments are read by `walk::arguments`; they stand here for the schema.
macro_rules! object_with_links {
    (
        $(#[$meta:meta])*
        $type:ident as $graphql_name:literal {
            $($field:tt)*
        }
        links { $($(#[doc = $link_doc:literal])+ $link:ident: $link_name:ident, $link_node:ty, $link_edge:ty;)* }
        payments { $($(#[doc = $pay_doc:literal])+ $pay:ident;)* }
        transfers { $($(#[doc = $transfer_doc:literal])+ $transfer:ident;)* }
        $(cases { $($(#[doc = $case_doc:literal])+ $case:ident;)* })?
        $(observations { $($(#[doc = $seen_doc:literal])+ $seen:ident: $seen_name:ident, $seen_edge:ty;)* })?
        $(filtered { $($(#[doc = $some_doc:literal])+ $some:ident: $some_filter:ty, $some_connection:ty;)* })?
    ) => {
        $(#[$meta])*
        #[async_graphql::Object(name = $graphql_name)]
        impl $type {
            $($field)*

            $(
                $(#[doc = $link_doc])+
                #[graphql(complexity = "crate::graphql::page::cost(first, last, child_complexity)")]
                #[allow(unused_variables)]
                async fn $link(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                ) -> async_graphql::Result<crate::graphql::connection::NodeConnection<$link_node, $link_edge, crate::graphql::connection::$link_name>> {
                    crate::graphql::connection::links(context, self).await
                }
            )*

            $(
                $(#[doc = $pay_doc])+
                #[graphql(complexity = "crate::graphql::page::cost(first, last, child_complexity) + crate::graphql::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $pay(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::graphql::transaction::TransactionFilterInput>,
                    order_by: Option<crate::graphql::transaction::TransactionOrder>,
                ) -> async_graphql::Result<crate::graphql::transaction::TransactionConnection> {
                    crate::graphql::connection::links(context, self).await
                }
            )*

            $(
                $(#[doc = $transfer_doc])+
                #[graphql(complexity = "crate::graphql::page::cost(first, last, child_complexity) + crate::graphql::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $transfer(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::graphql::account::TransferFilterInput>,
                    order_by: Option<crate::graphql::account::TransferOrder>,
                ) -> async_graphql::Result<crate::graphql::account::TransferConnection> {
                    crate::graphql::connection::links(context, self).await
                }
            )*

            $($(
                $(#[doc = $case_doc])+
                #[graphql(complexity = "crate::graphql::page::cost(first, last, child_complexity) + crate::graphql::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $case(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::graphql::case::CaseFilterInput>,
                    order_by: Option<crate::graphql::case::CaseOrder>,
                ) -> async_graphql::Result<crate::graphql::case::CaseConnection> {
                    crate::graphql::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $seen_doc])+
                #[graphql(complexity = "crate::graphql::page::cost(first, last, child_complexity) + crate::graphql::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $seen(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<crate::graphql::observation::ObservationFilterInput>,
                    order: Option<crate::graphql::transaction::SortDirection>,
                ) -> async_graphql::Result<
                    crate::graphql::connection::NodeConnection<
                        crate::graphql::observation::ObservationNode,
                        $seen_edge,
                        crate::graphql::connection::$seen_name,
                    >,
                > {
                    crate::graphql::connection::links(context, self).await
                }
            )*)?

            $($(
                $(#[doc = $some_doc])+
                #[graphql(complexity = "crate::graphql::page::cost(first, last, child_complexity) + crate::graphql::page::cost_of_filter(&filter)")]
                #[allow(unused_variables, clippy::too_many_arguments)]
                async fn $some(
                    &self,
                    context: &async_graphql::Context<'_>,
                    first: Option<i32>,
                    after: Option<String>,
                    last: Option<i32>,
                    before: Option<String>,
                    filter: Option<$some_filter>,
                ) -> async_graphql::Result<$some_connection> {
                    crate::graphql::connection::links(context, self).await
                }
            )*)?
        }
    };
}
pub(super) use object_with_links;

/// A type of nodes with what is shown of it.
macro_rules! graph_node {
    ($type:ident shows $summary:ty) => {
        impl $type {
            pub fn new(at: crate::graphql::walk::At) -> async_graphql::Result<Self> {
                crate::graphql::walk::Shown::new(at).map(Self)
            }
        }

        impl crate::graphql::connection::GraphNode for $type {
            fn reached(at: crate::graphql::walk::At, _: &resolvers::explore::FoundRow) -> async_graphql::Result<Self> {
                Self::new(at)
            }

            fn at(&self) -> &crate::graphql::walk::At {
                &self.0.at
            }
        }
    };
}
pub(super) use graph_node;
