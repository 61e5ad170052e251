//! Pages over all nodes of a kind, by id.

use std::sync::Arc;

use cypher::{Params, Statement, Value, statements};

use super::Way;
use crate::policy::{Action, Subject};
use crate::{Caller, Resolvers, Result};

/// What is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListKind {
    Actors,
    Accounts,
    ChannelLocations,
    Devices,
}

/// A slice of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListSlice {
    pub limit: usize,
    /// The id behind which (before which, going backward) the slice begins.
    pub after: Option<String>,
    pub way: Way,
    /// Only what is known, or only what is not. Actors and accounts alone know the difference.
    pub known: Option<bool>,
}

/// A node by id and caption.
#[derive(Debug, Clone)]
pub struct Named {
    pub id: Arc<str>,
    pub name: Arc<str>,
}

/// The last character there is: a text that sorts behind every id.
const BEHIND_ALL: &str = "\u{10FFFF}";

impl ListKind {
    /// A name of its own.
    pub fn label(self) -> &'static str {
        self.count(None).label
    }

    fn page(self, way: Way) -> Statement {
        use statements::{account, actor, channel_location, device};
        match (self, way) {
            (ListKind::Actors, Way::Forward) => actor::PAGE_FORWARD,
            (ListKind::Actors, Way::Backward) => actor::PAGE_BACKWARD,
            (ListKind::Accounts, Way::Forward) => account::PAGE_FORWARD,
            (ListKind::Accounts, Way::Backward) => account::PAGE_BACKWARD,
            (ListKind::ChannelLocations, Way::Forward) => channel_location::PAGE_FORWARD,
            (ListKind::ChannelLocations, Way::Backward) => channel_location::PAGE_BACKWARD,
            (ListKind::Devices, Way::Forward) => device::PAGE_FORWARD,
            (ListKind::Devices, Way::Backward) => device::PAGE_BACKWARD,
        }
    }

    fn count(self, known: Option<bool>) -> Statement {
        use statements::{account, actor, channel_location, device};
        match (self, known) {
            (ListKind::Actors, None) => actor::COUNT,
            (ListKind::Actors, Some(_)) => actor::COUNT_KNOWN,
            (ListKind::Accounts, None) => account::COUNT,
            (ListKind::Accounts, Some(_)) => account::COUNT_KNOWN,
            (ListKind::ChannelLocations, _) => channel_location::COUNT,
            (ListKind::Devices, _) => device::COUNT,
        }
    }

    fn knows_known(self) -> bool {
        matches!(self, ListKind::Actors | ListKind::Accounts)
    }
}

impl Resolvers {
    /// A slice of all nodes of a kind, in the order it is read.
    pub async fn list(&self, caller: &Caller, kind: ListKind, slice: &ListSlice) -> Result<Vec<Named>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let params = Params::none().with("limit", slice.limit as i64);
        let params = match slice.way {
            Way::Forward => params.with("after", slice.after.clone().unwrap_or_default()),
            Way::Backward => params.with("before", slice.after.as_deref().unwrap_or(BEHIND_ALL)),
        };
        let params = if kind.knows_known() { params.with("known", slice.known) } else { params };
        let rows = self.inner.read(&permit, kind.page(slice.way), params).await?;
        let named = |row: &cypher::Row| Named {
            id: Arc::from(row.get("id").as_text().unwrap_or_default()),
            name: Arc::from(row.get("name").as_text().unwrap_or_default()),
        };
        Ok(rows.iter().map(named).collect())
    }

    /// How many nodes of a kind there are, from the store's own count unless a filter asks for more.
    pub async fn list_count(&self, caller: &Caller, kind: ListKind, known: Option<bool>) -> Result<i64> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let known = known.filter(|_| kind.knows_known());
        let params = known.map_or_else(Params::none, |known| Params::none().with("known", Value::Bool(known)));
        let rows = self.inner.read(&permit, kind.count(known), params).await?;
        Ok(rows.first().map_or(0, |row| row.int("total")))
    }
}
