//! Pages and counts of whole lists, by the texts and parameters of their statements. All that the rows of a page lead to is kept with them.

use std::sync::Arc;

use cypher::Moment;
use cypher::graph::{Composed, FoundRow, Step};

use crate::ReadCache;
use crate::cache::{Entry, Kept, Tally};
use crate::question::Question;

/// Something that is asked of a list, and when.
pub struct ListQuestion<'c> {
    cache: &'c ReadCache,
    question: Question,
    since: Moment,
}

impl ReadCache {
    /// What the statement of a step asks of a list, at this moment; nothing where its answers are not kept.
    pub fn of_list(&self, step: &Step, composed: &Composed) -> Option<ListQuestion<'_>> {
        let since = self.now();
        let question = self.questions().of_list(step, composed)?;
        Some(ListQuestion { cache: self, question, since })
    }
}

impl ListQuestion<'_> {
    /// The page, if it is there and still good.
    pub fn page(&self) -> Option<Arc<[FoundRow]>> {
        match &self.find()?.kept {
            Kept::Page(rows) => Some(Arc::clone(rows)),
            Kept::Node(_) | Kept::Count(_) => None,
        }
    }

    /// How many there are, if that is there and still good.
    pub fn total(&self) -> Option<i64> {
        match self.find()?.kept {
            Kept::Count(total) => Some(total),
            Kept::Node(_) | Kept::Page(_) => None,
        }
    }

    /// Keeps the page, which was read since it was asked for.
    pub fn keep_page(&self, rows: &[FoundRow]) {
        self.keep(|| Kept::Page(rows.into()));
    }

    /// Keeps how many there are, which was read since it was asked for.
    pub fn keep_total(&self, total: i64) {
        self.keep(|| Kept::Count(total));
    }

    fn find(&self) -> Option<Arc<Entry>> {
        self.cache.find(&self.question, &of_no_node(), &mut Tally::default())
    }

    fn keep(&self, kept: impl FnOnce() -> Kept) {
        self.cache.keep(&self.question, (&of_no_node(), None), self.since, kept);
    }
}

fn of_no_node() -> Arc<str> {
    Arc::from("")
}
