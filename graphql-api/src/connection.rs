//! Connections: pages of nodes with what their links say, and a `totalCount` that costs nothing unless it is asked for.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use async_graphql::connection::{Connection, ConnectionNameType, Edge, EdgeNameType, EmptyFields, EnableNodesField};
use async_graphql::parser::types::Field;
use async_graphql::registry::{MetaType, Registry};
use async_graphql::{Context, ContextSelectionSet, ObjectType, OutputType, Positioned, Result, SelectionField, ServerResult, SimpleObject, Value};
use futures::future::OptionFuture;
use graph_schema::date::Timestamp;
use graph_schema::edge::{
    AssociateFields, CaseActorFields, CaseObservationFields, IdentityFields, MoveFields, ObservationActorFields, ObservationRuleFields, RoleFields,
    SignInFields, TransferFields,
};
use resolvers::explore::{Columns, Found, FoundLink, FoundRow, List, ListFilter, Mismatch, Node, NothingSaid, Place, Reached, Step, link};

use super::at_once::{Leaf, LinkField, NodeFields, PageSelection, WriteLink};
use super::page::{Cursor, CursorScope};
use super::walk::{At, FieldId, LinkArguments, Plan, PlannedLink, Question, mismatched, question_of_all};
use super::{asking, refused};
use crate::boxed;

/// A page of nodes. `N` node, `E` what the link says, `Name` how the types are called. It is written at once where all that is selected of it is
/// at hand ([`super::at_once`]), and field by field otherwise.
pub struct NodeConnection<N, E, Name> {
    answer: Answer,
    types: PhantomData<(N, E, Name)>,
}

/// The same as async-graphql has it.
type FieldByField<N, E, Name> = Connection<Cursor, N, Total, E, ConnectionNames<Name>, ConnectionNames<Name>, EnableNodesField>;

/// How many there are in all.
#[derive(SimpleObject)]
pub struct Total {
    /// How many there are in all, whatever the page.
    total_count: i64,
}

/// A node of a type.
pub trait GraphNode: OutputType + Sized {
    /// What is shown of it besides its id and its name.
    type Shown: 'static;

    /// What is shown of the node that a row of a link leads to, where it was asked for.
    fn shown(row: &FoundRow) -> Result<Option<Self::Shown>, Mismatch>;

    /// The node that a row of a link leads to.
    fn reached(at: At, row: &FoundRow) -> Result<Self>;

    fn at(&self) -> &At;

    /// What the `nodeId` of the node that a row of a link leads to begins with; nothing where the row does not say it.
    fn id_type(_: &FoundRow) -> Option<Cow<'static, str>> {
        Some(Self::type_name())
    }

    /// Where its id is to be looked for.
    fn node(&self) -> &'static Node {
        self.at().node()
    }
}

/// What an edge shows of its link.
pub trait EdgeFields: ObjectType + Sized + 'static {
    /// What the link says.
    type Said: Columns + 'static;

    /// The fields that are a value of that.
    const LEAVES: &'static [Leaf<Self::Said>];

    fn of(said: Self::Said) -> Self;
}

/// Edges that show what their links say, and by which names.
macro_rules! shown_as_said {
    ($($edge:ty { $($field:ident $(as $name:literal)?),* })*) => {
        $(impl EdgeFields for $edge {
            type Said = Self;

            const LEAVES: &'static [Leaf<Self>] =
                &[$(Leaf { name: [$($name,)? stringify!($field)][0], value: |said, selected| selected.value(&said.$field) }),*];

            fn of(said: Self) -> Self {
                said
            }
        })*
    };
}
shown_as_said! {
    AssociateFields { kind as "type", ratio, as_of_date, data_source, is_customer, references, since, until }
    CaseActorFields { kind as "type", decision, custom_properties, custom_data }
    CaseObservationFields { feedback, action }
    IdentityFields { source }
    MoveFields { action }
    ObservationActorFields { primary }
    ObservationRuleFields { status, score, date, matched, unmatched }
    RoleFields { role, as_of_date, since, until }
    SignInFields { count, first, last }
}

impl EdgeFields for TransferFields {
    type Said = Self;

    const LEAVES: &'static [Leaf<Self>] = &[
        Leaf { name: "count", value: |said, selected| selected.value(&said.count) },
        Leaf { name: "total", value: |said, selected| selected.value(&said.exact_total()) },
        Leaf { name: "standardized_total", value: |said, selected| selected.value(&said.exact_standardized_total()) },
        Leaf { name: "currency", value: |said, selected| selected.value(&said.currency) },
        Leaf { name: "first", value: |said, selected| selected.value(&said.first) },
        Leaf { name: "last", value: |said, selected| selected.value(&said.last) },
    ];

    fn of(said: Self) -> Self {
        said
    }
}

/// Nothing is shown of the link.
impl EdgeFields for EmptyFields {
    type Said = NothingSaid;

    const LEAVES: &'static [Leaf<NothingSaid>] = &[];

    fn of(_: NothingSaid) -> Self {
        EmptyFields {}
    }
}

/// The answer for a field that is a link: what was planned for it, and what was found.
struct Answer {
    plan: Arc<Plan>,
    found: Findings,
    /// Which link of the plan it is.
    place: usize,
}

/// Where the answer is.
enum Findings {
    /// Among the links of the node it leads from.
    AtNode(Arc<Found>),
    /// It is of a whole list.
    OfList(FoundLink),
    /// The node it leads from is gone.
    Gone,
}

impl Answer {
    fn planned(&self) -> &PlannedLink {
        &self.plan.links[self.place]
    }

    fn found(&self) -> &FoundLink {
        static NOTHING: FoundLink = FoundLink { rows: Vec::new(), total: None };
        match &self.found {
            Findings::AtNode(found) => &found.links[self.place],
            Findings::OfList(found) => found,
            Findings::Gone => &NOTHING,
        }
    }
}

/// The answer for the present field: what was read ahead, or a walk of its own.
#[boxed]
async fn answer(context: &Context<'_>, from: &impl GraphNode) -> Result<Answer> {
    let at = from.at();
    if let Some(place) = at.plan.at(FieldId::of(context.field())) {
        return Ok(Answer { plan: Arc::clone(&at.plan), found: Findings::AtNode(Arc::clone(&at.found)), place });
    }
    let (field, node) = (context.field(), from.node());
    let link = link(node, field.name()).ok_or_else(|| async_graphql::Error::new(format!("{}.{} is not in the table", node.label, field.name())))?;
    let question = question_of_all(context, (link.name, node), Plan::of_one_link, || Plan::for_link(context, node, link))?;
    let found = question.ask(context, at.id(), Reached::ByLink).await?;
    Ok(Answer { plan: Arc::clone(&question.plan), found: found.map_or(Findings::Gone, Findings::AtNode), place: 0 })
}

/// The page of a link that the present field asks for.
#[boxed]
pub async fn links<N, E, Name>(context: &Context<'_>, from: &impl GraphNode) -> Result<NodeConnection<N, E, Name>>
where
    N: GraphNode,
    E: EdgeFields,
    Name: ConnectionName,
{
    Ok(NodeConnection { answer: answer(context, from).await?, types: PhantomData })
}

/// The one node that the present field leads to, if there is one.
#[boxed]
pub async fn one<N: GraphNode>(context: &Context<'_>, from: &impl GraphNode) -> Result<Option<N>> {
    let answer = answer(context, from).await?;
    answer.found().rows.first().map(|row| node(answer.planned(), row)).transpose()
}

/// What the links of the present field say, where there are a few.
#[boxed]
pub async fn few<E: Columns>(context: &Context<'_>, from: &impl GraphNode) -> Result<Vec<E>> {
    let answer = answer(context, from).await?;
    answer.found().rows.iter().map(|row| row.edge().map_err(mismatched)).collect()
}

/// The nodes that the present field leads to, where there are a few.
#[boxed]
pub async fn few_nodes<N: GraphNode>(context: &Context<'_>, from: &impl GraphNode) -> Result<Vec<N>> {
    let answer = answer(context, from).await?;
    answer.found().rows.iter().map(|row| node(answer.planned(), row)).collect()
}

/// The page of all nodes of a kind that the present field asks for.
#[boxed]
pub async fn list<N: GraphNode, Name: ConnectionName>(context: &Context<'_>, list: &'static List) -> Result<NodeConnection<N, EmptyFields, Name>> {
    planned_list(context, list, Plan::for_list(context, &list.link)?).await
}

/// The same where the field itself has read its arguments.
#[boxed]
pub async fn list_by<N: GraphNode, Name: ConnectionName>(
    context: &Context<'_>,
    list: &'static List,
    arguments: LinkArguments,
) -> Result<NodeConnection<N, EmptyFields, Name>> {
    planned_list(context, list, Plan::for_list_by(context, &list.link, arguments)?).await
}

/// What is behind a list is followed for all of its nodes together, once they are there.
#[boxed]
async fn planned_list<N: GraphNode, Name: ConnectionName>(
    context: &Context<'_>,
    list: &'static List,
    (step, planned): (Step, PlannedLink),
) -> Result<NodeConnection<N, EmptyFields, Name>> {
    let (resolvers, caller) = asking(context)?;
    let rows = OptionFuture::from(step.slice.as_ref().map(|slice| resolvers.list(caller, list, &step, slice)));
    let total = OptionFuture::from(step.counted.then(|| resolvers.list_count(caller, list, &step)));
    let (rows, total) = futures::join!(rows, total);
    let (rows, total) = (rows.transpose().map_err(refused)?, total.transpose().map_err(refused)?);
    let plan = Arc::new(Plan { links: vec![planned], ..Plan::of_nothing(list.link.to) });
    let found = Findings::OfList(FoundLink { rows: rows.unwrap_or_default(), total });
    Ok(NodeConnection { answer: Answer { plan, found, place: 0 }, types: PhantomData })
}

fn node<N: GraphNode>(planned: &PlannedLink, row: &FoundRow) -> Result<N> {
    N::reached(At { found: Arc::clone(&row.node), plan: Arc::clone(&planned.then) }, row)
}

/// An edge of a page, which payloads answer with, too.
pub type NodeEdge<N, E, Name> = Edge<Cursor, N, E, ConnectionNames<Name>>;

fn edge<N, E, Name>(listing: CursorScope, planned: &PlannedLink, row: &FoundRow) -> Result<NodeEdge<N, E, Name>>
where
    N: GraphNode,
    E: EdgeFields,
    Name: ConnectionName,
{
    let said = row.edge::<E::Said>().map_err(mismatched)?;
    Ok(Edge::with_additional_fields(Cursor { listing, place: Place::of(row) }, node(planned, row)?, E::of(said)))
}

/// The edge of a node in a list whose usual order is by the time at which its nodes were made.
pub fn edge_of_list<N: GraphNode, Name: ConnectionName>(list: &'static List, node: N, made_at: Timestamp) -> NodeEdge<N, EmptyFields, Name> {
    let place = Place::of_creation(made_at, node.at().id());
    Edge::new(Cursor { listing: CursorScope { link: &list.link, order: list.link.usual_page() }, place }, node)
}

/// The edge of a node that a link leads to from a node of a kind, where the usual order of the link is that of ids.
pub fn edge_by_id<N: GraphNode, Name: ConnectionName>(from: &'static Node, field: &str, node: N) -> Result<NodeEdge<N, EmptyFields, Name>> {
    let place = Place::of_id(node.at().id());
    edge_of_link(from, field, (node, place))
}

/// The same where the usual order of the link is by a time, and then by id.
pub fn edge_in_time<N: GraphNode, Name: ConnectionName>(
    from: &'static Node,
    field: &str,
    (node, at): (N, Timestamp),
) -> Result<NodeEdge<N, EmptyFields, Name>> {
    let place = Place::of_creation(at, node.at().id());
    edge_of_link(from, field, (node, place))
}

fn edge_of_link<N: GraphNode, Name: ConnectionName>(
    from: &'static Node,
    field: &str,
    (node, place): (N, Place),
) -> Result<NodeEdge<N, EmptyFields, Name>> {
    let link = link(from, field).ok_or_else(|| async_graphql::Error::new(format!("{}.{field} is not in the table", from.label)))?;
    Ok(Edge::new(Cursor { listing: CursorScope { link, order: link.usual_page() }, place }, node))
}

/// Edges of a link that leads from a node, as its filter finds them, in its usual order: for payloads. There are at most so many. `fields` are those of the
/// document that show such an edge.
#[boxed]
pub async fn edges<N, E, Name>(
    context: &Context<'_>,
    fields: &[SelectionField<'_>],
    from: &'static Node,
    id: &str,
    field: &str,
    (filter, most): (ListFilter, usize),
) -> Result<Vec<NodeEdge<N, E, Name>>>
where
    N: GraphNode,
    E: EdgeFields,
    Name: ConnectionName,
{
    let link = link(from, field).ok_or_else(|| async_graphql::Error::new(format!("{}.{field} is not in the table", from.label)))?;
    let plan = Plan::for_edges(context, fields, from, link, (&filter, most))?;
    let question = Question::of(context, plan, Plan::of_one_link)?;
    let found = question.ask(context, id, Reached::ByLink).await?;
    let listing = CursorScope { link, order: link.usual_page() };
    let rows = found.iter().flat_map(|found| &found.links[0].rows);
    rows.map(|row| edge(listing, &question.plan.links[0], row)).collect()
}

/// Puts a page together.
fn connection<N, E, Name>(planned: &PlannedLink, found: &FoundLink) -> Result<FieldByField<N, E, Name>>
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
        connection.edges.push(edge(request.listing, planned, row)?);
    }
    Ok(connection)
}

/// The schema's description of a page of nodes of this type.
fn page_description(node: &str) -> String {
    format!("A page of a list of `{node}` nodes, with a cursor for each, and with how many the whole list has.")
}

impl<N: NodeFields, E: EdgeFields, Name: ConnectionName> NodeConnection<N, E, Name> {
    /// A field that has such a page.
    pub const fn field(name: &'static str) -> LinkField {
        LinkField::page::<N, E, Name>(name)
    }
}

#[async_trait::async_trait]
impl<N: NodeFields, E: EdgeFields, Name: ConnectionName> OutputType for NodeConnection<N, E, Name> {
    fn type_name() -> Cow<'static, str> {
        FieldByField::<N, E, Name>::type_name()
    }

    /// The library's type has no description, and its macro takes none that depends on a type: the description is added to what it has registered.
    fn create_type_info(registry: &mut Registry) -> String {
        let qualified_name = FieldByField::<N, E, Name>::create_type_info(registry);
        let name = <Self as OutputType>::type_name();
        if let Some(MetaType::Object { description, .. }) = registry.types.get_mut(&*name) {
            *description = Some(page_description(&<N as OutputType>::type_name()));
        }
        qualified_name
    }

    async fn resolve(&self, context: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let (planned, found) = (self.answer.planned(), self.answer.found());
        if let Some(written) = PageSelection::<N, E, Name>::read(context, planned).and_then(|page| page.write(found)) {
            super::at_once::WRITTEN.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            return Ok(written);
        }
        match connection::<N, E, Name>(planned, found) {
            Ok(connection) => connection.resolve(context, field).await,
            Err(error) => Err(context.set_error_path(error.into_server_error(field.pos))),
        }
    }
}

/// Names `XConnection` and `XEdge`.
pub trait ConnectionName: Send + Sync + 'static {
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
    RiskScores => "RiskScore",
    RiskAssessments => "RiskAssessment",
    ActorExclusions => "ActorExclusion",
    ExtendedInformations => "ExtendedInformation",
    AccountBalances => "AccountBalance",
    Identities => "Identity",
    IpAddressAccounts => "IpAddressAccount",
    Sharing => "SharedIdentity",
    Transfers => "Transfer",
    AccountDevices => "AccountDevice",
    AccountIpAddresses => "AccountIpAddress",
    DeviceAccounts => "DeviceAccount",
    ActorVersions => "ActorVersion",
    AccountVersions => "AccountVersion",
    TransactionVersions => "TransactionVersion",
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
    CaseTags => "CaseTag",
    NamedRules => "NamedObservationRule",
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
    CaseTransactions => "CaseTransaction",
    DecidingCases => "DecidingCase",
    SuppressedSignals => "SuppressedSignal",
    Screenings => "Screening",
    ClearedMatches => "ClearedMatch",
    RequestsForData => "RequestForData",
    RequestForDataSchemas => "RequestForDataSchema",
    CustomPropertyList => "CustomProperty",
    Workflows => "Workflow",
    WorkflowSteps => "WorkflowStep",
    WorkflowMoves => "WorkflowMove",
    Webhooks => "Webhook",
    Events => "Event",
    Deliveries => "Delivery",
    AuditEntries => "AuditEntry",
}
