//! Detection: runs, and rules that are snoozed for an actor.

mod precision;
mod rule;
mod shadow;
mod snoozes;
mod tuning;
mod user_error;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::date::{Date, Timestamp};
use graph_schema::detection::ProcessType;
use graph_schema::id::ActorId;
use graph_schema::job::JobStatus;
use graph_schema::json_text::JsonText;
use graphql_http::asking::{asking, boxed, check_items, check_reason, each_item, key, list_keys, under_key};
use graphql_http::page::{cost_of_items, cursor_in_time, page_in_time, page_info};
use graphql_http::refused::refused;
use resolvers::detection::{RunPlace, RunQuery, ShownRun, Snoozing};
use resolvers::{Action, IdempotencyKey};

use super::connection::simple_connection;
use super::job::{JobNode, job};
use super::principal::{Principal, principal};
use super::risk::RiskShadow;

pub use precision::{DetectionPeriod, DetectionPrecision, detection_precision};
pub use rule::{DetectionRuleMutation, DetectionRuleNode, detection_rules};
use shadow::DetectionShadow;
pub use snoozes::{DetectionSnoozeConnection, DetectionSnoozeFilter, DetectionSnoozeMutation, detection_snoozes};
pub use tuning::DetectionTuningMutation;
pub use user_error::{DetectionErrorCode, DetectionUserError, user_errors};

/// Reads a page.
#[boxed]
pub async fn detection_runs(context: &Context<'_>, first: Option<i32>, after: Option<String>) -> Result<DetectionRunConnection> {
    let (resolvers, caller) = asking(context)?;
    let (first, after) = page_in_time(first, after)?;
    let after = after.map(|(requested_at, id)| RunPlace { requested_at, id });
    let has_previous_page = after.is_some();
    let page = resolvers.detection_runs(caller, RunQuery { after, first }).await.map_err(refused)?;
    let cursor = |run: &ShownRun| cursor_in_time(run.requested_at.millis(), &run.id);
    let edges: Vec<DetectionRunEdge> =
        page.runs.into_iter().map(|run| DetectionRunEdge { cursor: cursor(&run), node: DetectionRunNode(run) }).collect();
    let page_info = page_info(has_previous_page, page.more, edges.iter().map(|edge| &edge.cursor));
    Ok(DetectionRunConnection { edges, page_info })
}

simple_connection! {
    /// A page of detection runs.
    DetectionRunConnection {
        /// The runs of this page with their cursors, the latest first.
        edges: DetectionRunEdge, nodes: DetectionRunNode
    }
}

/// A detection run in a page.
#[derive(SimpleObject)]
pub struct DetectionRunEdge {
    /// What `after` takes for the page behind it.
    cursor: String,
    /// The run itself.
    node: DetectionRunNode,
}

/// A batch that looks for suspicious patterns. The same day, line of business and type is the same run: asked for again after its end, it is done again.
pub struct DetectionRunNode(ShownRun);

/// A batch that looks for suspicious patterns. The same day, line of business and type is the same run, also when it is repeated.
#[Object(name = "DetectionRun")]
impl DetectionRunNode {
    /// Its observations have it as `batchId`.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// What happened up to the end of this business day counts.
    async fn close_of_business_date(&self) -> Option<Date> {
        self.0.close_of_business_date
    }

    /// Whom it is about: a type of actor, the text of their `customData.lineOfBusiness`, or the name of a segmentation group.
    async fn line_of_business(&self) -> &str {
        &self.0.line_of_business
    }

    /// For which module.
    async fn process_type(&self) -> ProcessType {
        self.0.process_type
    }

    /// When it was asked for last.
    async fn requested_at(&self) -> Timestamp {
        self.0.requested_at
    }

    /// Who asked for it last: the id of a credential or user.
    #[graphql(deprecation = "Use `requestedByPrincipal`.")]
    async fn requested_by(&self) -> &str {
        &self.0.requested_by
    }

    /// The user, key or client that asked for it last; null where the service did.
    async fn requested_by_principal(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, Some(&self.0.requested_by)).await
    }

    /// What whoever asked for it was called then.
    async fn requested_by_name(&self) -> &str {
        &self.0.requested_by_name
    }

    /// Records that came later it has not seen; null until it has begun.
    async fn known_up_to(&self) -> Option<Timestamp> {
        self.0.known_up_to
    }

    /// How it stands; null once its job is forgotten, 30 days after its end.
    async fn status(&self) -> Option<JobStatus> {
        self.0.job.as_ref().map(|job| job.status)
    }

    /// How far it is: first parts of the time that is read, then findings that are recorded.
    async fn progress(&self) -> Option<DetectionProgress> {
        self.0.job.as_ref().map(|job| DetectionProgress { done: job.done, total: job.total, of: job.total, since: job.started_at })
    }

    /// When it was done, had failed or was cancelled; null before.
    async fn ended_at(&self) -> Option<Timestamp> {
        self.0.job.as_ref().and_then(|job| job.ended_at)
    }

    /// Why it failed last; null where it never has.
    async fn last_error(&self) -> Option<&str> {
        self.0.job.as_ref().and_then(|job| job.last_error.as_deref())
    }

    /// What it has come to, once it is done: `actors` and `groups` that were monitored (none, where the line of business selects nobody), `payments`,
    /// `rules`, `findings` with `new`, `continued` and `suppressed`, and `byRule` with the version, the values of parameters and the findings of each.
    async fn result(&self) -> Option<JsonText> {
        self.0.job.as_ref().and_then(|job| job.result.clone())
    }

    /// What rules in shadow have found, once it is done, beside what the live ones have.
    async fn shadows(&self) -> Vec<DetectionShadow> {
        self.0.job.as_ref().map(|job| job.shadows().into_iter().map(DetectionShadow::from).collect()).unwrap_or_default()
    }

    /// What rules in shadow say of actors, once a run of the type `ACTOR` is done, beside what the live ones say.
    async fn risk_shadows(&self) -> Vec<RiskShadow> {
        self.0.job.as_ref().map(|job| job.risk_shadows().into_iter().map(RiskShadow::from).collect()).unwrap_or_default()
    }

    /// The job that does it, for those who may see it.
    #[graphql(complexity = "2 + child_complexity")]
    async fn job(&self, context: &Context<'_>) -> Result<Option<JobNode>> {
        match &self.0.job_id {
            Some(id) => job(context, id).await,
            None => Ok(None),
        }
    }
}

/// How far a run is.
#[derive(SimpleObject)]
pub struct DetectionProgress {
    /// Parts that are done.
    done: i64,
    /// Number of parts in all; null while it is not known.
    total: Option<i64>,
    /// Number of parts in all; null while it is not known.
    #[graphql(deprecation = "Use `total`.")]
    of: Option<i64>,
    /// When it has begun.
    since: Option<Timestamp>,
}

/// A rule that is to be kept quiet about an actor.
#[derive(InputObject)]
pub struct SnoozeDetectionInput {
    /// The actor about whom the rule is to be silent.
    actor_id: ID,
    /// The rule's id: the `behaviorId` of its observations.
    rule_id: ID,
    /// From this moment on it alerts again.
    until: Timestamp,
    /// Why, for those who look at it later.
    reason: String,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// A rule that is to be silent about an actor.
#[derive(InputObject)]
pub struct SnoozeTargetInput {
    /// The actor about whom the rule is to be silent.
    actor_id: ID,
    /// The rule's id: the `behaviorId` of its observations.
    rule_id: ID,
}

/// Rules that are to be kept quiet about actors.
#[derive(InputObject)]
pub struct SnoozeDetectionsInput {
    /// Actors and rules, 500 at most.
    targets: Vec<SnoozeTargetInput>,
    /// From this moment on they alert again.
    until: Timestamp,
    /// Why, for those who look at it later.
    reason: String,
    /// The same key and input again change nothing. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// The results of several snoozes.
#[derive(SimpleObject)]
pub struct SnoozeDetectionsPayload {
    /// One for each target, in their order. One that is refused does not stop the others.
    results: Vec<SnoozeDetectionPayload>,
    /// Why nothing was done of the whole; empty when there are results.
    user_errors: Vec<DetectionUserError>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct SnoozeDetectionPayload {
    /// The id of the snooze; null where nothing was done.
    snooze_id: Option<ID>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<DetectionUserError>,
}

impl SnoozeDetectionPayload {
    /// As the result of a target of a list.
    fn of_item(mut self, at: usize) -> Self {
        self.user_errors = self.user_errors.into_iter().map(|error| error.of_item("targets", at, &["actorId", "ruleId"])).collect();
        self
    }
}

#[derive(Default)]
pub struct DetectionMutation;

#[Object]
impl DetectionMutation {
    /// Keeps what a rule finds about an actor from becoming observations, up to a moment: it is listed as suppressed signals meanwhile. Said again for the
    /// same actor and rule, the later word counts.
    async fn snooze_detection(&self, context: &Context<'_>, input: SnoozeDetectionInput) -> Result<SnoozeDetectionPayload> {
        let SnoozeDetectionInput { actor_id, rule_id, until, reason, idempotency_key } = input;
        snoozed(context, Snoozing { actor: ActorId::new(actor_id.0), rule: rule_id.0, until, reason }, key(idempotency_key)).await
    }

    /// Snoozes rules for actors, as `snoozeDetection` does.
    #[graphql(complexity = "cost_of_items(input.targets.len(), child_complexity)")]
    async fn snooze_detections(&self, context: &Context<'_>, input: SnoozeDetectionsInput) -> Result<SnoozeDetectionsPayload> {
        let by = asking(context)?;
        let begun = async {
            check_items("targets", input.targets.len())?;
            check_reason(&input.reason)?;
            list_keys(by, (Action::Decide, "Snooze"), input.idempotency_key.as_ref(), &input).await
        };
        let keys = match begun.await {
            Ok(keys) => keys,
            Err(error) => return Ok(SnoozeDetectionsPayload { results: Vec::new(), user_errors: user_errors(error)? }),
        };
        let SnoozeDetectionsInput { targets, until, reason, .. } = input;
        let snoozes = targets.into_iter().enumerate().map(|(at, SnoozeTargetInput { actor_id, rule_id })| {
            let wanted = Snoozing { actor: ActorId::new(actor_id.0), rule: rule_id.0, until, reason: reason.clone() };
            let snoozed = snoozed(context, wanted, Ok(keys.of(at)));
            async move { snoozed.await.map(|payload| payload.of_item(at)) }
        });
        Ok(SnoozeDetectionsPayload { results: each_item(snoozes).await?, user_errors: Vec::new() })
    }
}

#[boxed]
async fn snoozed(context: &Context<'_>, wanted: Snoozing, key: resolvers::Result<Option<IdempotencyKey>>) -> Result<SnoozeDetectionPayload> {
    let (resolvers, caller) = asking(context)?;
    match under_key(key, |key| resolvers.snooze_detection(caller, wanted, key)).await {
        Ok(id) => Ok(SnoozeDetectionPayload { snooze_id: Some(ID(id.to_string())), user_errors: Vec::new() }),
        Err(error) => Ok(SnoozeDetectionPayload { snooze_id: None, user_errors: user_errors(error)? }),
    }
}
