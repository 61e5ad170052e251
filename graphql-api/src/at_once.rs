//! Pages that are written from their rows at once.
//!
//! async-graphql makes a future of each field of each row, and in a wide walk that was two fifths of the service's work. What a walk has read
//! ahead needs none: what is selected of a page is read once ([`PageSelection`]), with all that lies below, and then every row is written by it.
//!
//! Only what is at hand is written so. Anything else (a field that asks for more, a link that was not planned, a value that can't be read) makes
//! everything here answer with nothing, and the page is left to async-graphql, which knows how to ask and how to say what went wrong.

use std::marker::PhantomData;

use async_graphql::connection::CursorType;
use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::{Field, FragmentDefinition, Selection, SelectionSet, TypeCondition};
use async_graphql::{ContextSelectionSet, Name, OutputType, Positioned, Value};
use futures::FutureExt;
use graphql_http::{AnswerBudget, Large};
use resolvers::explore::{FoundLink, FoundRow, Place};

use super::connection::{ConnectionName, EdgeFields, GraphNode};
use super::page::{Cursor, PageRequest};
use super::walk::{FieldId, Plan, PlannedLink};

/// How many pages were written so: tests would not notice if none was.
pub static WRITTEN: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// A field that is a value of what was read, and nothing is selected below it.
pub struct Leaf<T> {
    /// As Rust writes it, or as GraphQL does.
    pub name: &'static str,
    pub value: fn(&T, &Selected<'_>) -> Option<Value>,
}

/// A field that leads to other nodes.
pub struct LinkField {
    /// As Rust writes it.
    pub name: &'static str,
    /// Reads what is selected below it, where all of that can be written.
    read: for<'a> fn(&ContextSelectionSet<'a>, &'a PlannedLink) -> Option<Box<dyn WriteLink + 'a>>,
}

/// Writes what was found of a link.
pub trait WriteLink {
    fn write(&self, found: &FoundLink) -> Option<Value>;
}

/// Where a leaf is selected.
pub struct Selected<'a> {
    context: ContextSelectionSet<'a>,
    field: &'a Positioned<Field>,
}

impl Selected<'_> {
    /// What GraphQL writes for a value that waits for nothing.
    pub fn value(&self, of: &impl OutputType) -> Option<Value> {
        of.resolve(&self.context, self.field).now_or_never()?.ok()
    }

    /// Takes of the answer's bytes what is large; nothing where too few are left, which async-graphql comes to say.
    pub fn counted(&self, of: &impl Large) -> Option<()> {
        AnswerBudget::take(&self.context, of.bytes()).ok()
    }
}

/// Of what the fields of a type of nodes are written. What is in neither table, but for its id and its name, is left to async-graphql.
pub trait NodeFields: GraphNode + 'static {
    /// Fields that are a value of what is shown.
    const LEAVES: &'static [Leaf<Self::Shown>];

    /// Fields that lead to other nodes.
    const LINKS: &'static [LinkField];
}

impl LinkField {
    /// One with a page of nodes.
    pub const fn page<N: NodeFields, E: EdgeFields, C: ConnectionName>(name: &'static str) -> Self {
        Self { name, read: |context, planned| Some(Box::new(PageSelection::<N, E, C>::read(context, planned)?)) }
    }

    /// One with a node, or none.
    pub const fn one<N: NodeFields>(name: &'static str) -> Self {
        Self { name, read: |context, planned| Some(Box::new(NodeSelection::<N>::read(context, &planned.then)?)) }
    }
}

/// What is selected of a page.
pub struct PageSelection<'a, N: NodeFields, E: EdgeFields, C> {
    request: &'a PageRequest,
    fields: Fields<PageField<'a, N, E>>,
    named: PhantomData<C>,
}

enum PageField<'a, N: NodeFields, E: EdgeFields> {
    TypeName(String),
    Total,
    Info(Fields<InfoField>),
    Edges(Fields<EdgeField<'a, N, E>>),
    Nodes(NodeSelection<'a, N>),
}

enum InfoField {
    TypeName,
    HasPrevious,
    HasNext,
    Start,
    End,
}

enum EdgeField<'a, N: NodeFields, E: EdgeFields> {
    TypeName(String),
    Cursor,
    Node(NodeSelection<'a, N>),
    Said(Selected<'a>, &'static Leaf<E::Said>),
}

impl<'a, N: NodeFields, E: EdgeFields, C: ConnectionName> PageSelection<'a, N, E, C> {
    /// What is selected where `context` is, where all of it can be written.
    pub fn read(context: &ContextSelectionSet<'a>, planned: &'a PlannedLink) -> Option<Self> {
        let fields = selected(context, &format!("{}Connection", C::NAME), |field, below| {
            Some(match field.node.name.node.as_str() {
                "__typename" => PageField::TypeName(format!("{}Connection", C::NAME)),
                "totalCount" => PageField::Total,
                "pageInfo" => PageField::Info(selected(&below, "PageInfo", |field, _| InfoField::of(field))?),
                "edges" => PageField::Edges(Self::edge(&below, planned)?),
                "nodes" => PageField::Nodes(NodeSelection::read(&below, &planned.then)?),
                _ => return None,
            })
        })?;
        Some(Self { request: planned.page.as_ref()?, fields, named: PhantomData })
    }

    fn edge(context: &ContextSelectionSet<'a>, planned: &'a PlannedLink) -> Option<Fields<EdgeField<'a, N, E>>> {
        selected(context, &format!("{}Edge", C::NAME), |field, below| {
            Some(match field.node.name.node.as_str() {
                "__typename" => EdgeField::TypeName(format!("{}Edge", C::NAME)),
                "cursor" => EdgeField::Cursor,
                "node" => EdgeField::Node(NodeSelection::read(&below, &planned.then)?),
                name => EdgeField::Said(Selected { context: below, field }, leaf(E::LEAVES, name)?),
            })
        })
    }

    fn cursor(&self, row: &FoundRow) -> Value {
        Value::String(Cursor { listing: self.request.listing, place: Place::of(row) }.encode_cursor())
    }

    fn write_edge(&self, fields: &Fields<EdgeField<'a, N, E>>, row: &FoundRow) -> Option<Value> {
        let says = fields.iter().any(|(_, field)| matches!(field, EdgeField::Said(..)));
        let said = if says { Some(row.edge::<E::Said>().ok()?) } else { None };
        object(fields, |field| match field {
            EdgeField::TypeName(name) => Some(Value::String(name.clone())),
            EdgeField::Cursor => Some(self.cursor(row)),
            EdgeField::Node(node) => node.write(row),
            EdgeField::Said(selected, leaf) => (leaf.value)(said.as_ref()?, selected),
        })
    }
}

impl<N: NodeFields, E: EdgeFields, C: ConnectionName> WriteLink for PageSelection<'_, N, E, C> {
    fn write(&self, found: &FoundLink) -> Option<Value> {
        let (rows, previous, next) = self.request.page(found.rows.iter().collect());
        let end = |row: Option<&&FoundRow>| Some(row.map_or(Value::Null, |row| self.cursor(row)));
        object(&self.fields, |field| match field {
            PageField::TypeName(name) => Some(Value::String(name.clone())),
            PageField::Total => Some(Value::from(found.total?)),
            PageField::Edges(fields) => rows.iter().map(|row| self.write_edge(fields, row)).collect::<Option<_>>().map(Value::List),
            PageField::Nodes(node) => rows.iter().map(|row| node.write(row)).collect::<Option<_>>().map(Value::List),
            PageField::Info(fields) => object(fields, |field| match field {
                InfoField::TypeName => Some(Value::from("PageInfo")),
                InfoField::HasPrevious => Some(Value::Boolean(previous)),
                InfoField::HasNext => Some(Value::Boolean(next)),
                InfoField::Start => end(rows.first()),
                InfoField::End => end(rows.last()),
            }),
        })
    }
}

impl InfoField {
    fn of(field: &Positioned<Field>) -> Option<Self> {
        Some(match field.node.name.node.as_str() {
            "__typename" => Self::TypeName,
            "hasPreviousPage" => Self::HasPrevious,
            "hasNextPage" => Self::HasNext,
            "startCursor" => Self::Start,
            "endCursor" => Self::End,
            _ => return None,
        })
    }
}

/// What is selected of a node.
struct NodeSelection<'a, N: NodeFields> {
    fields: Fields<NodeField<'a, N>>,
}

enum NodeField<'a, N: NodeFields> {
    TypeName,
    Id,
    NodeId,
    Name,
    Shown(Selected<'a>, &'static Leaf<N::Shown>),
    /// Which link of the plan it is.
    Link(usize, Box<dyn WriteLink + 'a>),
}

impl<'a, N: NodeFields> NodeSelection<'a, N> {
    fn read(context: &ContextSelectionSet<'a>, plan: &'a Plan) -> Option<Self> {
        let fields = selected(context, &N::type_name(), |field, below| {
            Some(match field.node.name.node.as_str() {
                "__typename" => NodeField::TypeName,
                "id" => NodeField::Id,
                "nodeId" => NodeField::NodeId,
                "name" => NodeField::Name,
                name => match N::LINKS.iter().find(|link| is_spelled(name, link.name)) {
                    Some(link) => {
                        let place = plan.at(FieldId::of_node(&field.node))?;
                        NodeField::Link(place, (link.read)(&below, &plan.links[place])?)
                    }
                    None => NodeField::Shown(Selected { context: below, field }, leaf(N::LEAVES, name)?),
                },
            })
        })?;
        Some(Self { fields })
    }

    fn write(&self, row: &FoundRow) -> Option<Value> {
        let shows = self.fields.iter().any(|(_, field)| matches!(field, NodeField::Shown(..)));
        let shown = if shows { N::shown(row).ok()? } else { None };
        let found = &row.node;
        object(&self.fields, |field| match field {
            NodeField::TypeName => Some(Value::String(N::type_name().into_owned())),
            NodeField::Id => Some(Value::from(&*found.id)),
            NodeField::NodeId => Some(Value::String(format!("{}:{}", N::id_type(row)?, found.id))),
            NodeField::Name => Some(Value::from(&*found.name)),
            NodeField::Shown(selected, leaf) => (leaf.value)(shown.as_ref()?, selected),
            NodeField::Link(place, link) => link.write(&found.links[*place]),
        })
    }
}

impl<N: NodeFields> WriteLink for NodeSelection<'_, N> {
    fn write(&self, found: &FoundLink) -> Option<Value> {
        found.rows.first().map_or(Some(Value::Null), |row| self.write(row))
    }
}

/// The fields of an object, by the names that the answer has for them.
type Fields<F> = Vec<(Name, F)>;

fn object<F>(fields: &Fields<F>, value: impl Fn(&F) -> Option<Value>) -> Option<Value> {
    let mut object = IndexMap::with_capacity(fields.len());
    for (name, field) in fields {
        object.insert(name.clone(), value(field)?);
    }
    Some(Value::Object(object))
}

fn leaf<T>(leaves: &'static [Leaf<T>], name: &str) -> Option<&'static Leaf<T>> {
    leaves.iter().find(|leaf| is_spelled(name, leaf.name))
}

/// Whether GraphQL spells a name of Rust so: `asOfDate` for `as_of_date`.
pub fn is_spelled(graphql: &str, rust: &str) -> bool {
    let mut letters = graphql.bytes();
    let mut begins = false;
    for letter in rust.bytes() {
        if letter == b'_' {
            begins = true;
            continue;
        }
        let expected = if std::mem::take(&mut begins) { letter.to_ascii_uppercase() } else { letter };
        if letters.next() != Some(expected) {
            return false;
        }
    }
    letters.next().is_none()
}

/// What is selected of an object of a type, fragments among it, each field once: read as `of` says, with what is selected below it.
fn selected<'a, F>(
    context: &ContextSelectionSet<'a>,
    type_name: &str,
    of: impl Fn(&'a Positioned<Field>, ContextSelectionSet<'a>) -> Option<F>,
) -> Option<Fields<F>> {
    let mut fields = Vec::with_capacity(context.item.node.items.len());
    gather(context, &context.item.node, type_name, &mut fields)?;
    let read = |field: &'a Positioned<Field>| {
        let name = field.node.response_key().node.clone();
        Some((name, of(field, context.with_selection_set(&field.node.selection_set))?))
    };
    // Of a selection of nothing async-graphql makes a null.
    if fields.is_empty() { None } else { fields.into_iter().map(read).collect() }
}

fn gather<'a>(context: &ContextSelectionSet<'a>, set: &'a SelectionSet, type_name: &str, fields: &mut Vec<&'a Positioned<Field>>) -> Option<()> {
    // What is said of an interface leads too far for here.
    let is_of_it = |condition: &TypeCondition| condition.on.node == type_name;
    for selection in &set.items {
        match &selection.node {
            Selection::Field(field) => {
                let stands = fields.iter().find(|other| other.node.response_key().node == field.node.response_key().node);
                match stands {
                    // `@skip` and `@include` have been heeded and are gone.
                    _ if !field.node.directives.is_empty() => return None,
                    None => fields.push(field),
                    // A fragment that two others spread.
                    Some(other) if std::ptr::eq(*other, field) => {}
                    // The same value twice is one; of what is selected below, something may be missing in the first.
                    Some(_) if field.node.selection_set.node.items.is_empty() => {}
                    Some(_) => return None,
                }
            }
            Selection::InlineFragment(fragment) if fragment.node.type_condition.as_ref().is_none_or(|on| is_of_it(&on.node)) => {
                gather(context, &fragment.node.selection_set.node, type_name, fields)?;
            }
            Selection::FragmentSpread(spread) => match context.query_env.fragments.get(&spread.node.fragment_name.node) {
                Some(Positioned { node: FragmentDefinition { type_condition, selection_set, .. }, .. }) if is_of_it(&type_condition.node) => {
                    gather(context, &selection_set.node, type_name, fields)?;
                }
                _ => return None,
            },
            Selection::InlineFragment(_) => return None,
        }
    }
    Some(())
}
