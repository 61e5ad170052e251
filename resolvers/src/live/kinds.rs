//! The kinds of work whose progress is watched.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use cypher::statements::rows::{BulkProgress, JobInstanceRow, WebhookDeliveries};
use cypher::statements::{bulk, job_instance, live as statements};
use cypher::{Engine, Error, Params};
use futures::future::BoxFuture;

use super::states::Looked;
use crate::bulk::{BulkListProgress, is_over, lists_left};
use crate::change_feed::LOOK;
use crate::clock::{Clock, SystemClock};

/// So many deliveries of a webhook are counted of each state.
const MOST_COUNTED: i64 = 1_000;
/// All webhooks are one state: there are few, and one statement looks at them.
pub(super) const ALL: &str = "";

/// Jobs, by their ids.
pub(super) struct Jobs;

impl Looked for Jobs {
    type State = JobInstanceRow;

    fn look(engine: &Engine, ids: Vec<String>) -> BoxFuture<'_, Result<HashMap<String, JobInstanceRow>, Error>> {
        Box::pin(async move {
            let rows = engine.read_as(job_instance::READ, Params::none().with("ids", ids), LOOK).await?;
            Ok(rows.into_iter().map(|row| (row.job.id.clone(), row.job)).collect())
        })
    }
}

/// Bulk requests, by their ids.
pub(super) struct BulkRequests;

/// How far a bulk request is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BulkRequestState {
    /// The lists of which something is left to do, or has failed.
    pub lists: Vec<BulkListProgress>,
    /// Nothing is left to do.
    pub is_over: bool,
}

impl Looked for BulkRequests {
    type State = BulkRequestState;

    fn look(engine: &Engine, ids: Vec<String>) -> BoxFuture<'_, Result<HashMap<String, BulkRequestState>, Error>> {
        Box::pin(async move {
            let rows = engine.read_as(bulk::PROGRESS, Params::none().with("ids", ids), LOOK).await?;
            let now = SystemClock.now();
            let state = |row: &BulkProgress| BulkRequestState { lists: lists_left(row), is_over: is_over(row, now) };
            Ok(rows.iter().map(|row| (row.id.clone(), state(row))).collect())
        })
    }
}

/// How deliveries to all webhooks go, by the webhooks' ids.
pub(super) struct Deliveries;

impl Looked for Deliveries {
    type State = Arc<BTreeMap<String, WebhookDeliveries>>;

    fn look(engine: &Engine, _: Vec<String>) -> BoxFuture<'_, Result<HashMap<String, Self::State>, Error>> {
        Box::pin(async move {
            let rows = engine.read_as(statements::DELIVERIES, Params::none().with("most", MOST_COUNTED), LOOK).await?;
            let by_webhook: BTreeMap<_, _> = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
            Ok(HashMap::from([(ALL.to_owned(), Arc::new(by_webhook))]))
        })
    }
}
