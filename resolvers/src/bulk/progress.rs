//! How far bulk requests are.

use cypher::statements::rows::BulkProgress;
use graph_schema::bulk::{BulkItemState, BulkList};
use graph_schema::date::Timestamp;

/// How long after a request came its job is there for sure. (Neo4j finds the nodes of one transaction one after another.)
const A_MOMENT: i64 = 60 * 1000;

/// How far a list of a bulk request is, in items. What is neither pending nor waiting nor failed is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BulkListProgress {
    pub list: BulkList,
    pub pending: i64,
    pub deferred: i64,
    pub failed: i64,
}

/// Whether nothing of a request is left to do. That nothing is found does not say so before its job has ended: its parts may not be found yet.
pub fn is_over(row: &BulkProgress, now: Timestamp) -> bool {
    let has_ended = match row.status {
        Some(status) => status.is_ended(),
        None => row.received_at.is_some_and(|at| now.millis() - at > A_MOMENT),
    };
    has_ended && row.pending.is_empty() && row.troubled.iter().all(|troubled| troubled.state == BulkItemState::Failed)
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
