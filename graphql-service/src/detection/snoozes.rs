//! Rules that are or were to be silent about actors: the list of that, and its end.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graphql_http::asking::{asking, boxed, key};
use graphql_http::page::{cursor_in_time, page_in_time, page_info};
use graphql_http::refused::refused;
use resolvers::detection::{EndedSnooze, ShownSnooze, SnoozeQuery};

use super::user_error::{DetectionUserError, user_errors};
use crate::connection::simple_connection;
use crate::principal::by_principal;

/// Which snoozes.
#[derive(Default, InputObject)]
pub struct DetectionSnoozeFilter {
    /// Snoozes about this actor; about any, when null.
    actor_id: Option<ID>,
    /// Snoozes of this rule; of any, when null.
    rule_id: Option<ID>,
    /// `true` for those that count now, `false` for those that no longer do.
    active: Option<bool>,
}

simple_connection! {
    /// A page of snoozes.
    DetectionSnoozeConnection {
        /// The snoozes of this page with their cursors, the latest first.
        edges: DetectionSnoozeEdge, nodes: DetectionSnooze
    }
}

/// A snooze in a page.
#[derive(SimpleObject)]
pub struct DetectionSnoozeEdge {
    /// What `after` takes for the page behind it.
    cursor: String,
    /// The snooze itself.
    node: DetectionSnooze,
}

/// A rule that is or was to be silent about an actor. None is ever deleted.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct DetectionSnooze {
    /// The id by which `endDetectionSnooze` ends the snooze.
    id: ID,
    /// The actor about whom the rule is silent.
    actor_id: ID,
    /// The rule that is silent: the `behaviorId` of its observations.
    rule_id: ID,
    /// The name of the rule, in the version that counts; null where the rule is not there any more.
    rule_name: Option<String>,
    /// From this moment on the rule alerts again.
    until: Timestamp,
    /// The reason that was given for the snooze.
    reason: String,
    /// The time at which somebody snoozed the rule.
    at: Timestamp,
    /// Who has snoozed: the id of a credential or user.
    #[graphql(deprecation = "Use `byPrincipal`.")]
    by: String,
    /// What whoever has snoozed was called then; null where that was not kept.
    by_name: Option<String>,
    /// Whether it counts now: nobody has ended it, and its time is not over.
    active: bool,
    /// Who has ended it, when and why; null where nobody has.
    ended: Option<DetectionSnoozeEnd>,
}

/// How a snooze was ended.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct DetectionSnoozeEnd {
    /// The time at which somebody ended the snooze.
    at: Timestamp,
    /// The id of a credential or user.
    #[graphql(deprecation = "Use `byPrincipal`.")]
    by: String,
    /// What whoever has ended it was called then.
    by_name: String,
    /// The reason that was given for its end.
    reason: String,
}

by_principal! { DetectionSnooze DetectionSnoozeEnd }

impl From<ShownSnooze> for DetectionSnooze {
    fn from(snooze: ShownSnooze) -> Self {
        let ended = |EndedSnooze { at, by, by_name, reason }| DetectionSnoozeEnd { at, by, by_name, reason };
        Self {
            id: ID(snooze.id),
            actor_id: ID(snooze.actor),
            rule_id: ID(snooze.rule),
            rule_name: snooze.rule_name,
            until: snooze.until,
            reason: snooze.reason,
            at: snooze.at,
            by: snooze.by,
            by_name: snooze.by_name,
            active: snooze.is_active,
            ended: snooze.ended.map(ended),
        }
    }
}

/// Whether the present field, a page, is asked for names of rules.
fn asks_for_names(context: &Context<'_>) -> bool {
    let page = context.look_ahead();
    [page.field("nodes"), page.field("edges").field("node")].iter().any(|snoozes| snoozes.field("ruleName").exists())
}

/// Reads a page.
#[boxed]
pub async fn detection_snoozes(
    context: &Context<'_>,
    filter: Option<DetectionSnoozeFilter>,
    first: Option<i32>,
    after: Option<String>,
) -> Result<DetectionSnoozeConnection> {
    let (resolvers, caller) = asking(context)?;
    let (first, after) = page_in_time(first, after)?;
    let has_previous_page = after.is_some();
    let DetectionSnoozeFilter { actor_id, rule_id, active } = filter.unwrap_or_default();
    let query =
        SnoozeQuery { actor: actor_id.map(|id| id.0), rule: rule_id.map(|id| id.0), active, after, first, with_names: asks_for_names(context) };
    let page = resolvers.snoozes(caller, query).await.map_err(refused)?;
    let edge = |snooze: ShownSnooze| DetectionSnoozeEdge { cursor: cursor_in_time(snooze.at.millis(), &snooze.id), node: snooze.into() };
    let edges: Vec<DetectionSnoozeEdge> = page.snoozes.into_iter().map(edge).collect();
    let page_info = page_info(has_previous_page, page.more, edges.iter().map(|edge| &edge.cursor));
    Ok(DetectionSnoozeConnection { edges, page_info })
}

/// A snooze that is to end.
#[derive(InputObject)]
pub struct EndDetectionSnoozeInput {
    /// The snooze to end.
    snooze_id: ID,
    /// Why, for those who look at it later.
    reason: String,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct EndDetectionSnoozePayload {
    /// The id of the snooze; null where nothing was done.
    snooze_id: Option<ID>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<DetectionUserError>,
}

#[derive(Default)]
pub struct DetectionSnoozeMutation;

#[Object]
impl DetectionSnoozeMutation {
    /// Ends a snooze before its time: runs that begin later alert again. It is kept, with who has ended it, when and why.
    async fn end_detection_snooze(&self, context: &Context<'_>, input: EndDetectionSnoozeInput) -> Result<EndDetectionSnoozePayload> {
        let (resolvers, caller) = asking(context)?;
        let EndDetectionSnoozeInput { snooze_id, reason, idempotency_key } = input;
        let done = async { resolvers.end_snooze(caller, &snooze_id, reason, key(idempotency_key)?).await };
        match done.await {
            Ok(()) => Ok(EndDetectionSnoozePayload { snooze_id: Some(snooze_id), user_errors: Vec::new() }),
            Err(error) => Ok(EndDetectionSnoozePayload { snooze_id: None, user_errors: user_errors(error)? }),
        }
    }
}
