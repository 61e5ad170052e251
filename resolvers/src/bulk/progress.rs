//! How far bulk requests are.

use cypher::statements::rows::BulkProgress;
use graph_schema::bulk::{BulkItemState, BulkList};

/// How far a list of a bulk request is, in items. What is neither pending nor waiting nor failed is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BulkListProgress {
    pub list: BulkList,
    pub pending: i64,
    pub deferred: i64,
    pub failed: i64,
}

/// How far a request is, list by list; those of which nothing is left to do, and nothing has failed, are not named.
pub(crate) fn lists_left(row: &BulkProgress) -> Vec<BulkListProgress> {
    let of = |list: BulkList| {
        let troubled = |state: BulkItemState| row.troubled.iter().filter(move |troubled| troubled.list == list && troubled.state == state);
        BulkListProgress {
            list,
            pending: row.pending.iter().filter(|pending| pending.list == list).map(|pending| pending.items).sum(),
            deferred: troubled(BulkItemState::Deferred).map(|troubled| troubled.items).sum(),
            failed: troubled(BulkItemState::Failed).map(|troubled| troubled.items).sum(),
        }
    };
    BulkList::ALL.into_iter().map(of).filter(|progress| progress.pending + progress.deferred + progress.failed > 0).collect()
}
