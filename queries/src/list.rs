//! Pages and counts of whole lists: the one row of their statement, by its text and parameters.

use std::sync::Arc;

use cypher::graph::Composed;
use cypher::{Moment, Row};

use crate::ReadCache;
use crate::cache::{Kept, Tally};

impl ReadCache {
    /// The row of a list, if it is there and still good.
    pub fn find_row(&self, composed: &Composed) -> Option<Arc<Row>> {
        let question = self.questions().of_list(&composed.text)?;
        match &self.find(&question, &parameters(composed), &mut Tally::default())?.kept {
            Kept::Row(row) => Some(Arc::clone(row)),
            Kept::Node(_) | Kept::Page(_) | Kept::Count(_) => None,
        }
    }

    /// Keeps the row of a list that was read from a moment on.
    pub fn keep_row(&self, composed: &Composed, row: &Arc<Row>, since: Moment) {
        if let Some(question) = self.questions().of_list(&composed.text) {
            self.keep(&question, (&parameters(composed), None), since, || Kept::Row(Arc::clone(row)));
        }
    }
}

/// Floats have no hash.
fn parameters(composed: &Composed) -> Arc<str> {
    format!("{:?}", composed.params).into()
}
