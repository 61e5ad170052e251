//! Lists of all nodes of a kind: where a walk may begin without a name.
//!
//! An entry is as that of a link that leads from nowhere. Both engines read a page in order out of an index, if the first key of the order has one
//! and is bounded: so every page is, the first one by what lies before all.

use super::links::{TRANSACTION_FILTERS, TRANSACTION_SORTS};
use super::nodes::{ACCOUNT, ACTOR, CHANNEL_LOCATION, DEVICE, TRANSACTION};
use super::{Filter, Link, Node, Number, Sort, SortDirection, ascending};
use crate::Value;

/// A list of all nodes of a kind.
#[derive(Debug)]
pub struct List {
    /// `{b}` are its nodes; there is no `{n}`.
    pub link: Link,
    /// What the first key of each of its orders is.
    pub first_key: FirstKey,
}

/// What kind of value the first key of an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstKey {
    Text,
    Integer,
}

impl FirstKey {
    /// The value that lies before all others in this direction.
    pub(super) fn before_all(self, direction: SortDirection) -> Value {
        match (self, direction) {
            (Self::Text, SortDirection::Ascending) => Value::from(""),
            // The last character there is.
            (Self::Text, SortDirection::Descending) => Value::from("\u{10FFFF}"),
            (Self::Integer, SortDirection::Ascending) => Value::Int(i64::MIN),
            (Self::Integer, SortDirection::Descending) => Value::Int(i64::MAX),
        }
    }
}

const BY_ID: &[Sort] = &[Sort { name: "ID", keys: &[ascending("{b}.id")] }];
const KNOWN_ACTOR: &[Filter] = &[Filter { name: "known", text: "(NOT {b}:Placeholder) = {p}" }];
const KNOWN_ACCOUNT: &[Filter] = &[Filter { name: "known", text: "({b}.record IS NOT NULL) = {p}" }];

const fn by_id(name: &'static str, pattern: &'static str, to: &'static Node, filters: &'static [Filter]) -> List {
    List { link: of_all(name, pattern, to, BY_ID, filters), first_key: FirstKey::Text }
}

const fn of_all(name: &'static str, pattern: &'static str, to: &'static Node, sorts: &'static [Sort], filters: &'static [Filter]) -> Link {
    Link { name, pattern, condition: None, carry: "{b}", count: "count({b})", edge: &[], sorts, filters, to, number: Number::Pages }
}

pub static ACTORS: List = by_id("Query.actors", "({b}:Actor)", &ACTOR, KNOWN_ACTOR);
pub static ACCOUNTS: List = by_id("Query.accounts", "({b}:Account)", &ACCOUNT, KNOWN_ACCOUNT);
pub static CHANNEL_LOCATIONS: List = by_id("Query.channelLocations", "({b}:ChannelLocation)", &CHANNEL_LOCATION, &[]);
pub static DEVICES: List = by_id("Query.devices", "({b}:Device)", &DEVICE, &[]);
/// By time only: there is no index of amounts.
pub static TRANSACTIONS: List = List {
    link: of_all("Query.transactions", "({b}:Transaction)", &TRANSACTION, TRANSACTION_SORTS.split_at(1).0, TRANSACTION_FILTERS),
    first_key: FirstKey::Integer,
};

/// All lists.
pub static ALL: &[&List] = &[&ACTORS, &ACCOUNTS, &CHANNEL_LOCATIONS, &DEVICES, &TRANSACTIONS];
