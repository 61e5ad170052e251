//! Cases that were made before a case about whom it focuses on.

use std::sync::Arc;

use cypher::statements::rows::EarlierCase;
use cypher::{Params, statements};
use graph_schema::id::CaseId;

use crate::policy::{Action, Subject};
use crate::{Caller, Resolvers, Result, boxed};

impl Resolvers {
    /// Cases that were made before a case that was come to, and focus on an actor that it focuses on: the newest first, so many at most. It follows from
    /// whom the cases are about, and is stored nowhere.
    #[boxed]
    pub async fn earlier_cases(&self, caller: &Caller, id: &CaseId, most: usize) -> Result<Vec<(Arc<str>, Arc<str>)>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let params = Params::none().with("most", most as i64);
        let rows = self.inner.walks.rows(&permit, statements::case::EARLIER, params, id.as_str()).await?;
        let named = |case: &EarlierCase| (Arc::clone(&case.id), Arc::clone(&case.name));
        Ok(rows.first().map(|row| row.cases.iter().map(named).collect()).unwrap_or_default())
    }
}
