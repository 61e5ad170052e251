//! Walking the graph: what GraphQL shows.
//!
//! Three kinds of questions, each answered by the shared loader in one statement for everyone who waits: facts of nodes by id, pages of
//! links of nodes, and counts. A fourth, pages over all nodes of a kind, has no ids to gather and is asked at once.

mod link;
mod list;
mod transaction;
mod transfer;

use std::sync::Arc;

use cypher::{Params, Statement, Value, statements};
use graph_schema::date::Date;

pub use link::{Link, LinkRow, LinkSlice};
pub use list::{ListKind, ListSlice, Named};
pub use transaction::{TransactionFact, TransactionFilter, TransactionLink, TransactionSlice, TransactionSort};
pub use transfer::{Flow, Transfer, TransferChain, TransferFilter, TransferSlice, TransferSort};

use crate::loader::{Ask, Rows};
use crate::policy::{Action, Permit, Subject};
use crate::{Caller, Resolvers, Result};

/// Where a page begins and which way it goes. A list has one order; backwards is that order read from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    Forward,
    Backward,
}

/// Which node's facts are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    Actor,
    Account,
    Transaction,
    ChannelLocation,
    Device,
    IpAddress,
    Case,
}

/// How a node was come to: reading what somebody has named is noted for the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    ByName,
    ByLink,
}

impl NodeKind {
    /// The label of its nodes.
    fn label(self) -> &'static str {
        match self {
            NodeKind::Actor => "Actor",
            NodeKind::Account => "Account",
            NodeKind::Transaction => "Transaction",
            NodeKind::ChannelLocation => "ChannelLocation",
            NodeKind::Device => "Device",
            NodeKind::IpAddress => "IpAddress",
            NodeKind::Case => "Case",
        }
    }

    fn facts(self) -> Statement {
        match self {
            NodeKind::Actor => statements::actor::FACTS,
            NodeKind::Account => statements::account::FACTS,
            NodeKind::Transaction => statements::transaction::FACTS,
            NodeKind::ChannelLocation => statements::channel_location::FACTS,
            NodeKind::Device => statements::device::FACTS,
            NodeKind::IpAddress => statements::ip_address::FACTS,
            NodeKind::Case => statements::case::FACTS,
        }
    }

    fn record(self) -> Option<Statement> {
        match self {
            NodeKind::Actor => Some(statements::actor::READ),
            NodeKind::Account => Some(statements::account::READ),
            NodeKind::Transaction => Some(statements::transaction::READ),
            NodeKind::ChannelLocation | NodeKind::Device | NodeKind::IpAddress | NodeKind::Case => None,
        }
    }
}

impl Resolvers {
    /// The facts of a node: the one row of its statement, or nothing when there is no such node.
    pub async fn facts(&self, caller: &Caller, kind: NodeKind, id: &str, reached: Reached) -> Result<Rows> {
        let subject = match reached {
            Reached::ByName => Subject::One(kind.label(), id),
            Reached::ByLink => Subject::Linked,
        };
        let permit = self.inner.enter(caller, Action::Explore, subject)?;
        self.ask(&permit, &Ask::new(kind.facts(), Params::none()), id).await
    }

    /// The record text of a node, as it was given; nothing for a placeholder.
    pub async fn record_of(&self, caller: &Caller, kind: NodeKind, id: &str) -> Result<Option<String>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let Some(statement) = kind.record() else { return Ok(None) };
        let rows = self.ask(&permit, &Ask::new(statement, Params::none()), id).await?;
        Ok(rows.first().and_then(|row| row.get("record").as_text().map(str::to_owned)))
    }

    /// The record of an actor or account as it was known to be on a date.
    pub async fn record_as_of(&self, caller: &Caller, kind: NodeKind, id: &str, date: Date) -> Result<Option<String>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let statement = match kind {
            NodeKind::Actor => statements::actor::VERSION,
            NodeKind::Account => statements::account::VERSION,
            _ => return Ok(None),
        };
        let rows = self.ask(&permit, &Ask::new(statement, Params::none().with("asOf", date.to_string())), id).await?;
        Ok(rows.first().and_then(|row| row.get("record").as_text().map(str::to_owned)))
    }

    /// All versions of an actor or account, the latest date first: date, when it was recorded (epoch milliseconds), record text.
    pub async fn versions(&self, caller: &Caller, kind: NodeKind, id: &str) -> Result<Vec<(String, i64, String)>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let statement = if kind == NodeKind::Actor { statements::actor::VERSIONS } else { statements::account::VERSIONS };
        let rows = self.ask(&permit, &Ask::new(statement, Params::none()), id).await?;
        Ok(items(&rows).map(|row| (text(row, 0), int(row, 1), text(row, 2))).collect())
    }

    /// What a transaction is linked to: sender, receiver, owner, device, IP address, channel location.
    pub async fn ends(&self, caller: &Caller, id: &str) -> Result<Rows> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        self.ask(&permit, &Ask::new(statements::transaction::ENDS, Params::none()), id).await
    }

    async fn ask(&self, permit: &Permit<'_>, ask: &Ask, id: &str) -> Result<Rows> {
        // Boxed for the same reason as `Inner::read`.
        Ok(Box::pin(self.inner.loader.load(permit, ask, id)).await?)
    }

    async fn total(&self, permit: &Permit<'_>, ask: &Ask, id: &str) -> Result<i64> {
        let rows = self.ask(permit, ask, id).await?;
        Ok(rows.first().map_or(0, |row| row.int("total")))
    }
}

/// The lists in the column `rows` of the one row of an id.
fn items(rows: &Rows) -> impl Iterator<Item = &[Value]> {
    rows.first().into_iter().flat_map(|row| row.get("rows").as_list().iter().map(Value::as_list))
}

fn text(row: &[Value], at: usize) -> String {
    row.get(at).and_then(Value::as_text).unwrap_or_default().to_owned()
}

fn text_or_none(row: &[Value], at: usize) -> Option<String> {
    row.get(at).and_then(Value::as_text).map(str::to_owned)
}

fn shared(row: &[Value], at: usize) -> Arc<str> {
    Arc::from(row.get(at).and_then(Value::as_text).unwrap_or_default())
}

fn int(row: &[Value], at: usize) -> i64 {
    row.get(at).and_then(Value::as_int).unwrap_or_default()
}
