//! How many requests for data are overdue: open, and due already. Who watches over the service sees it in `/metrics`, as
//! `amlgraph_requests_for_data_overdue`; which they are is a list (`requestsForData(filter: {overdue: true})`).

use std::time::Duration;

use cypher::statements::rows::TotalRow;
use cypher::{Params, Reading, statements};
use tokio::time::MissedTickBehavior;

use crate::policy::Permit;
use crate::{Inner, Resolvers, Result, boxed};

/// How often they are counted.
const PAUSE: Duration = Duration::from_secs(5);
/// No more are counted: what is shown then says that there are far too many.
const MOST: i64 = 10_000;

impl Resolvers {
    /// Counts them every few seconds, for a process that shows metrics. Works until it is dropped.
    #[boxed]
    pub async fn keep_overdue_counted(&self) {
        let mut ticks = tokio::time::interval(PAUSE);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            match count(&self.inner).await {
                Ok(overdue) => metrics::gauge!("amlgraph_requests_for_data_overdue").set(overdue as f64),
                // That the database is away is told by whoever asks it for something that is wanted now.
                Err(error) => tracing::debug!(%error, "overdue requests for data can't be counted"),
            }
        }
    }
}

async fn count(inner: &Inner) -> Result<i64> {
    const COUNT: Reading<TotalRow> = statements::request_for_data::COUNT_OVERDUE;
    let params = Params::none().with("now", inner.clock.now().millis()).with("most", MOST);
    let rows = inner.read(&Permit::of_service(), COUNT, params).await?;
    Ok(COUNT.first(rows)?.total)
}
