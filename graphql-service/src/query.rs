//! Fields of `Query` for what the service does itself.

use async_graphql::{Context, ID, Object, Result};
use graph_schema::date::Date;
use graphql_http::page::{cost, cost_of_filter};

use super::change_feed::{ChangeFeedPage, changes, feed_position};
use super::detection::{
    DetectionPeriod, DetectionPrecision, DetectionRuleNode, DetectionRunConnection, DetectionSnoozeConnection, DetectionSnoozeFilter,
    detection_precision, detection_rules, detection_runs, detection_snoozes,
};
use super::job::{JobConnection, JobFilter, JobNode, job, jobs};
use super::risk::{RiskRule, risk_rules};
use super::watchlist::{WatchlistNode, watchlist, watchlists};

/// What the service does itself. The schema's `Query` is merged of it and of what is read of the graph.
#[derive(Default)]
pub struct ServiceQuery;

#[Object]
impl ServiceQuery {
    /// A job by its id. For administrators, supervisors and whoever has started it.
    async fn job(&self, context: &Context<'_>, id: ID) -> Result<Option<JobNode>> {
        job(context, &id).await
    }

    /// Work in the background that somebody has started, the newest first. All of it for administrators and supervisors, else what the caller has started.
    #[graphql(complexity = "cost(first, None, child_complexity)")]
    async fn jobs(&self, context: &Context<'_>, first: Option<i32>, after: Option<String>, filter: Option<JobFilter>) -> Result<JobConnection> {
        jobs(context, first, after, filter).await
    }

    /// Watchlists: lists of names to screen against, in the order of their ids.
    #[graphql(complexity = "20 + child_complexity")]
    async fn watchlists(&self, context: &Context<'_>) -> Result<Vec<WatchlistNode>> {
        watchlists(context).await
    }

    /// A watchlist by its id; null where no import has brought it yet.
    async fn watchlist(&self, context: &Context<'_>, id: ID) -> Result<Option<WatchlistNode>> {
        watchlist(context, &id).await
    }

    /// Detection runs, those asked for last first.
    #[graphql(complexity = "cost(first, None, child_complexity)")]
    async fn detection_runs(&self, context: &Context<'_>, first: Option<i32>, after: Option<String>) -> Result<DetectionRunConnection> {
        detection_runs(context, first, after).await
    }

    /// The rules of detection, as they are tuned: all versions, in the order of their ids, the highest version first.
    #[graphql(complexity = "20 + child_complexity")]
    async fn detection_rules(&self, context: &Context<'_>) -> Result<Vec<DetectionRuleNode>> {
        detection_rules(context).await
    }

    /// All versions of all rules by which actors are scored, as they are tuned: in the order of their ids, the highest version first.
    #[graphql(complexity = "20 + child_complexity")]
    async fn risk_rules(&self, context: &Context<'_>) -> Result<Vec<RiskRule>> {
        risk_rules(context).await
    }

    /// What feedback says of rules: of the findings of business days from the first to the last, 1,830 at most, which share is right. A finding counts once, on the
    /// day of the run that found it last, by the feedback that was given on it last. `by`: months, unless something else is said. Nothing is tuned by it.
    // Up to 262 statements.
    #[graphql(complexity = "2_000 + 20 * child_complexity")]
    async fn detection_precision(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The first business day.")] from: Date,
        #[graphql(desc = "The last business day, this one included.")] to: Date,
        by: Option<DetectionPeriod>,
        rule_id: Option<ID>,
        line_of_business: Option<String>,
    ) -> Result<DetectionPrecision> {
        detection_precision(context, (from, to), by, rule_id, line_of_business).await
    }

    /// Rules that are or were to be silent about actors, the newest first.
    #[graphql(complexity = "cost(first, None, child_complexity) + cost_of_filter(&filter)")]
    async fn detection_snoozes(
        &self,
        context: &Context<'_>,
        filter: Option<DetectionSnoozeFilter>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<DetectionSnoozeConnection> {
        detection_snoozes(context, filter, first, after).await
    }

    /// Every change that was committed, once and in order, behind a position; without one from the first that is kept (`changes.keep_for`). Where what comes
    /// behind the position is kept no more, the error's code is `FORGOTTEN`. For administrators.
    #[graphql(complexity = "cost(Some(first), None, child_complexity)")]
    async fn changes(
        &self,
        context: &Context<'_>,
        after: Option<ID>,
        #[graphql(default = 100, desc = "How many change sets at most: 1 to 200.")] first: i32,
    ) -> Result<ChangeFeedPage> {
        changes(context, after, first).await
    }

    /// The present position of the change feed. Read it before a list: a subscription that has it as `after` tells of each change that the list does not show.
    /// For all who may explore the graph.
    async fn feed_position(&self, context: &Context<'_>) -> Result<ID> {
        feed_position(context).await
    }
}
