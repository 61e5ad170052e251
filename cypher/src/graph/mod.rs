//! The graph as it can be walked: kinds of nodes, the links between them, and what composes a question from them.
//!
//! A [`Node`] says under which label its nodes lie and what is shown of them. A [`Link`] says how one comes from a node to others: the pattern, the
//! orders they can be read in, the filters they can be read with, and what the link itself says. All links are in [`links`], each an entry; the
//! statements are composed from the entries ([`Visit::compose`]), so that a question for any tree of links is one statement of nested `CALL`s for
//! all nodes it begins at. Nothing but texts from here goes into a statement: what a caller says is a parameter.
//!
//! Texts are templates: `{n}` is the node that a link leads from, `{b}` the one at its other end, `{r}` the link, `{i}` a node between, `{d}` a
//! number that is another at every step.

mod audit;
mod cases;
mod compose;
mod filter_sets;
pub mod filters;
mod found;
mod link_orders;
pub mod links;
pub mod lists;
pub mod nodes;
mod observations;
pub mod orders;
mod past;
mod risk;
mod row;
pub mod statistics;
mod supernode;
mod visit;
mod webhooks;

pub(crate) use compose::FROM_IDS;
pub use filters::{Condition, Filter, FilterSet, ListFilter};
pub use found::{Found, FoundLink, FoundRow, Start};
pub use links::link;
pub use lists::List;
pub use nodes::node;
pub use orders::{Order, Sort, SortDirection, SortKey};
pub use past::Past;
pub use row::{Column, Columns, FromValue, Mismatch, NothingSaid};
pub use supernode::{SUPERNODE, Supernode};
pub use visit::{Begin, Composed, Fingerprint, LONGEST_PAGE, Page, Passing, Position, Slice, Step, Visit, Walk};

use crate::Error;

/// A kind of node.
#[derive(Debug)]
pub struct Node {
    /// Its main label, which is its type's name in GraphQL where it has one.
    pub label: &'static str,
    /// What is shown of it besides its id and its caption.
    pub summary: &'static [Column],
    /// The property that holds the record as it was given.
    pub record: Option<&'static str>,
    /// The label of those that others have only named and that are not shown at all: where that is so, what is not known is not there.
    pub hidden: Option<&'static str>,
    pub readers: Readers,
}

/// Who is shown nodes of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Who may walk the graph.
    Explorers,
    /// Who runs the service: what others may not see can be in them.
    Administrators,
    /// Who reads the audit log.
    Auditors,
}

/// A way from a node to others.
#[derive(Debug)]
pub struct Link {
    /// `Type.field`: its public name, which cursors carry.
    pub name: &'static str,
    /// From where to where.
    pub pattern: &'static str,
    /// What must hold besides.
    pub condition: Option<&'static str>,
    /// What is kept of a match: the node and what the orders and columns speak of. Without doubles.
    pub carry: &'static str,
    /// How many there are, out of the same matches.
    pub count: Count,
    /// A pattern of which there are as many, when nothing is filtered, and whose number a node knows without looking at its links.
    pub degree: Option<&'static str>,
    /// How pages of nodes that have a great many are found.
    pub supernode: Option<Supernode>,
    /// Where those are that were ended or replaced, which the filter `known_at` finds too.
    pub past: Option<&'static Past>,
    /// What the link says.
    pub edge: &'static [Column],
    /// The orders it can be read in; the first is the usual one.
    pub sorts: &'static [Sort],
    pub filters: FilterSet,
    /// What is at the other end.
    pub to: &'static Node,
    pub number: Number,
}

/// Which matches count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Each of them.
    Matches,
    /// Each node once, however often it is found.
    Nodes,
}

/// How many nodes a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// A page of them at a time.
    Pages,
    /// At most one.
    One,
    /// A few, which are read together.
    Few,
}

impl Link {
    /// One of its orders, in a direction. That the order is one of another list is a defect.
    pub fn page(&self, order: impl Order, direction: SortDirection) -> Result<Page, Error> {
        let sort = order.sort();
        if self.sorts.contains(sort) {
            Ok(Page { sort, direction })
        } else {
            Err(Error::rejected(self.name, format!("{} is not one of its orders", sort.name)))
        }
    }

    /// The one of its orders that has the name of another: there may be lists of the same nodes that are sorted by other keys.
    pub fn page_like(&self, order: impl Order, direction: SortDirection) -> Result<Page, Error> {
        let name = order.sort().name;
        let sort = self.sorts.iter().find(|sort| sort.name == name);
        sort.map(|sort| Page { sort, direction }).ok_or_else(|| Error::rejected(self.name, format!("{name} is not one of its orders")))
    }

    /// The same of several orders.
    pub fn pages<O: Order>(&self, orders: &[(O, SortDirection)]) -> Result<Vec<Page>, Error> {
        orders.iter().map(|(order, direction)| self.page(*order, *direction)).collect()
    }

    /// The conditions of what a caller says. That the filter is one of another list is a defect.
    pub fn conditions(&self, filter: &ListFilter) -> Result<Vec<Condition>, Error> {
        match filter.set() {
            FilterSet::None => Ok(Vec::new()),
            set if set == self.filters => Ok(filter.conditions()),
            set => Err(Error::rejected(self.name, format!("{set:?} are not its filters, which are {:?}", self.filters))),
        }
    }
}
