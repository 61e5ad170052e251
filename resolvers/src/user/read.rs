//! Reading and listing users.

use std::sync::{Arc, LazyLock};

use cypher::Error as DatabaseError;
use cypher::graph::nodes::{self, UserSummary};
use cypher::graph::{Found, Visit, Walk, lists};
use graph_schema::id::UserId;
use graph_schema::user::UserRecord;

use super::USER;
use crate::explore::{ListFilter, Span};
use crate::policy::{Action, Subject};
use crate::{Caller, Error, ObjectKind, OffsetPage, Resolvers, Result, boxed};

static SHOWN: LazyLock<Arc<Walk>> = LazyLock::new(|| Arc::new(Walk::of(Arc::new(shown()))));

fn shown() -> Visit {
    Visit { summary: true, ..Visit::of(&nodes::USER) }
}

impl Resolvers {
    /// Get Users: the newest first. Whom others have only named is none.
    #[boxed]
    pub async fn users(&self, caller: &Caller, page: OffsetPage) -> Result<Vec<UserRecord>> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::List(USER))?;
        let span = Span { list: &lists::USERS, filter: ListFilter::All, sort: Vec::new(), page, then: shown() };
        let rows = self.inner.span(&permit, span).await?;
        rows.iter().filter_map(|row| record(&row.node).transpose()).collect()
    }

    /// Get User by ID.
    #[boxed]
    pub async fn user(&self, caller: &Caller, id: &UserId) -> Result<UserRecord> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One(USER, id.as_str()))?;
        let found = self.inner.lookups.walk(&permit, &SHOWN, id.as_str()).await?;
        let user = found.map(|found| record(&found)).transpose()?.flatten();
        user.ok_or_else(|| Error::not_found(ObjectKind::User, id.as_str()))
    }
}

/// A user; nothing of one whom others have only named.
fn record(found: &Found) -> Result<Option<UserRecord>> {
    let summary = found.summary::<UserSummary>().map_err(|mismatch| DatabaseError::rejected("user", mismatch))?;
    let UserSummary { known, username, first_name, last_name, enabled, groups, created_at } = summary;
    let (true, Some(username), Some(enabled), Some(created_at)) = (known, username, enabled, created_at) else { return Ok(None) };
    let user_id = UserId::new(&*found.id);
    Ok(Some(UserRecord { user_id, username, first_name, last_name, enabled, created_at: created_at.millis(), groups }))
}
