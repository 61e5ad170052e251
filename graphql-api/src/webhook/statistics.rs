//! What became of deliveries within a time, in numbers.

use async_graphql::{Context, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::id::WebhookId;
use resolvers::DeliveryCounts;

use super::super::{asking, refused};
use crate::boxed;

/// How long before its end a time begins that nobody has said: seven days.
const USUAL_MILLIS: i64 = 7 * 24 * 60 * 60 * 1000;

/// Numbers of deliveries, and times of attempts.
#[derive(SimpleObject)]
pub struct DeliveryStatistics {
    /// The number of those that were delivered.
    delivered: i64,
    /// The number of those that were given up.
    failed: i64,
    /// The number of those that still wait.
    waiting: i64,
    /// The number of those that were cancelled, as the webhook was removed.
    cancelled: i64,
    /// The share of delivered ones among delivered and failed ones, from 0 to 1; null when there are none.
    success_ratio: Option<f64>,
    /// The median of the milliseconds that an attempt took; null when there was none. Of more than 10,000 deliveries, the attempts of the latest count.
    median_millis: Option<i64>,
    /// The 95th percentile of the same.
    p95_millis: Option<i64>,
}

/// The statistics of a webhook.
#[boxed]
pub async fn statistics(context: &Context<'_>, webhook: &str, (from, to): (Option<Timestamp>, Option<Timestamp>)) -> Result<DeliveryStatistics> {
    let (resolvers, caller) = asking(context)?;
    // The whole second, so that the webhooks of a page ask about the same time, and together.
    let to = to.unwrap_or_else(|| Timestamp(resolvers.now().millis().div_euclid(1_000).saturating_add(1).saturating_mul(1_000)));
    let from = from.unwrap_or_else(|| Timestamp(to.millis().saturating_sub(USUAL_MILLIS)));
    let counts = resolvers.delivery_counts(caller, &WebhookId::new(webhook), (from, to)).await.map_err(refused)?;
    Ok(counts.into())
}

impl From<DeliveryCounts> for DeliveryStatistics {
    fn from(counts: DeliveryCounts) -> Self {
        let success_ratio = counts.success_ratio();
        let DeliveryCounts { delivered, failed, waiting, cancelled, median_millis, p95_millis } = counts;
        Self { delivered, failed, waiting, cancelled, success_ratio, median_millis, p95_millis }
    }
}
