//! What analysts decide about an actor's risk: exclusions, scores set by hand, assessments.

use async_graphql::{Context, Enum, InputObject, Object, Result, SimpleObject};
use futures::future::try_join_all;
use graph_schema::actor::ExclusionType;
use graph_schema::date::Date;
use graph_schema::id::ActorId;
use graph_schema::number::Number;
use graphql_api::actor::ActorNode;
use graphql_api::risk::{ExclusionNode, RiskAssessmentNode, RiskScoreNode};
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, boxed, with_key};
use graphql_http::page::cost_of_items;
use graphql_http::user_error::{self, UserErrorOf};
use resolvers::explore::{Node, nodes};
use resolvers::{Error, FoundAssessment, LiftOverride, OverrideScore, SetExclusion};

/// How an actor is to be monitored.
#[derive(InputObject)]
pub struct SetActorExclusionInput {
    /// The actor, whose record has come.
    actor_id: ActorId,
    /// How the actor is monitored from now on. `MONITORED` takes an exclusion back.
    #[graphql(name = "type")]
    kind: ExclusionType,
    /// Why, for those who look at it later: 512 characters at most.
    comment: Option<String>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// A score that is to be set by hand.
#[derive(InputObject)]
pub struct OverrideRiskScoreInput {
    /// The actor, whose record has come.
    actor_id: ActorId,
    /// The score that counts from now on: a number from -900000000000000 to 900000000000000.
    final_score: Number,
    /// Why, for those who look at it later: 512 characters at most.
    reason: String,
    /// The date from which on it is valid, not before that of the last override or of its end. When absent it is today (UTC), or that date where it is later.
    as_of_date: Option<Date>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// An override that is to end.
#[derive(InputObject)]
pub struct LiftRiskScoreOverrideInput {
    /// The actor whose score overrides the others.
    actor_id: ActorId,
    /// Why, for those who look at it later: 512 characters at most.
    reason: Option<String>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// An assessment that is to be recorded.
#[derive(InputObject)]
pub struct RiskAssessmentInput {
    /// Any text, such as `PEP`.
    #[graphql(name = "type")]
    kind: String,
    /// What was found; `no`, `false` and `none` in any case mean that nothing was.
    value: String,
    /// More about it.
    comment: Option<String>,
    /// The date from which it is known; today (UTC) when absent.
    as_of_date: Option<Date>,
}

/// Assessments that are to be recorded.
#[derive(InputObject)]
pub struct AddRiskAssessmentsInput {
    /// The actor, whose record has come.
    actor_id: ActorId,
    /// 1 to 100 of them. One of the same type, value and date as before is the same one.
    assessments: Vec<RiskAssessmentInput>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// The exclusion that was made, and the actor with it.
#[derive(SimpleObject)]
pub struct ActorExclusionPayload {
    /// The actor as it is now; null where nothing was done.
    actor: Option<ActorNode>,
    /// The exclusion that was made; null where none was.
    exclusion: Option<ExclusionNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<ActorRiskUserError>,
}

/// The risk score that was set or lifted by hand, and the actor with it.
#[derive(SimpleObject)]
pub struct RiskScorePayload {
    /// The actor as it is now; null where nothing was done.
    actor: Option<ActorNode>,
    /// The score that was made; null where none was.
    risk_score: Option<RiskScoreNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<ActorRiskUserError>,
}

/// The assessments that were recorded, and the actor with them.
#[derive(SimpleObject)]
pub struct RiskAssessmentsPayload {
    /// The actor as it is now; null where nothing was done.
    actor: Option<ActorNode>,
    /// The assessments as they are now, in the order of the input; empty where nothing was done.
    risk_assessments: Vec<RiskAssessmentNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<ActorRiskUserError>,
}

/// A reason why nothing was decided about an actor's risk.
pub type ActorRiskUserError = UserErrorOf<ActorRiskErrorCode>;

/// The kind of reason why nothing was decided about an actor's risk.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ActorRiskErrorCode {
    /// There is no such actor, or its record has not come.
    NotFound,
    /// The input breaks a rule, or there is no override to lift.
    Invalid,
}

#[derive(Default)]
pub struct ActorRiskMutation;

#[Object]
impl ActorRiskMutation {
    /// Says how an actor is monitored from now on. `MONITORED` takes an exclusion back.
    async fn set_actor_exclusion(&self, context: &Context<'_>, input: SetActorExclusionInput) -> Result<ActorExclusionPayload> {
        let (resolvers, caller) = asking(context)?;
        let SetActorExclusionInput { actor_id: actor, kind, comment, idempotency_key } = input;
        let wanted = SetExclusion { actor: actor.clone(), kind, comment };
        let id = match with_key(idempotency_key, |key| resolvers.set_exclusion(caller, wanted, key)).await {
            Ok(id) => id,
            Err(error) => return Ok(ActorExclusionPayload { actor: None, exclusion: None, user_errors: user_errors(error)? }),
        };
        let exclusion = shown(context, "exclusion", &nodes::ACTOR_EXCLUSION, &id).await?.map(ExclusionNode::new).transpose()?;
        Ok(ActorExclusionPayload { actor: actor_of(context, &actor).await?, exclusion, user_errors: Vec::new() })
    }

    /// Sets the risk score of an actor by hand. It counts until `liftRiskScoreOverride` ends it, or another overrides it; what is calculated meanwhile is kept
    /// beside.
    async fn override_risk_score(&self, context: &Context<'_>, input: OverrideRiskScoreInput) -> Result<RiskScorePayload> {
        let (resolvers, caller) = asking(context)?;
        let OverrideRiskScoreInput { actor_id: actor, final_score: score, reason, as_of_date: as_of, idempotency_key } = input;
        let wanted = OverrideScore { actor: actor.clone(), score, reason, as_of };
        let done = with_key(idempotency_key, |key| resolvers.override_score(caller, wanted, key)).await;
        score_payload(context, &actor, done).await
    }

    /// Ends the override of an actor's risk score: the calculated score counts again, or what was sent last.
    async fn lift_risk_score_override(&self, context: &Context<'_>, input: LiftRiskScoreOverrideInput) -> Result<RiskScorePayload> {
        let (resolvers, caller) = asking(context)?;
        let LiftRiskScoreOverrideInput { actor_id: actor, reason, idempotency_key } = input;
        let wanted = LiftOverride { actor: actor.clone(), reason };
        let done = with_key(idempotency_key, |key| resolvers.lift_override(caller, wanted, key)).await;
        score_payload(context, &actor, done).await
    }

    /// Records assessments of an actor, such as that it is politically exposed.
    #[graphql(complexity = "cost_of_items(input.assessments.len(), child_complexity)")]
    async fn add_risk_assessments(&self, context: &Context<'_>, input: AddRiskAssessmentsInput) -> Result<RiskAssessmentsPayload> {
        let (resolvers, caller) = asking(context)?;
        let AddRiskAssessmentsInput { actor_id: actor, assessments, idempotency_key } = input;
        let found = |RiskAssessmentInput { kind, value, comment, as_of_date: as_of }| FoundAssessment { kind, value, comment, as_of };
        let found: Vec<FoundAssessment> = assessments.into_iter().map(found).collect();
        let ids = match with_key(idempotency_key, |key| resolvers.record_assessments(caller, &actor, found, key)).await {
            Ok(ids) => ids,
            Err(error) => return Ok(RiskAssessmentsPayload { actor: None, risk_assessments: Vec::new(), user_errors: user_errors(error)? }),
        };
        // What nobody asks for is not read.
        let ids = if selected(context.field(), "riskAssessments").is_empty() { Vec::new() } else { ids };
        let found = try_join_all(ids.iter().map(|id| shown(context, "riskAssessments", &nodes::RISK_ASSESSMENT, id))).await?;
        let risk_assessments = found.into_iter().flatten().map(RiskAssessmentNode::new).collect::<Result<Vec<_>>>()?;
        Ok(RiskAssessmentsPayload { actor: actor_of(context, &actor).await?, risk_assessments, user_errors: Vec::new() })
    }
}

#[boxed]
async fn score_payload(context: &Context<'_>, actor: &ActorId, done: resolvers::Result<std::sync::Arc<str>>) -> Result<RiskScorePayload> {
    let id = match done {
        Ok(id) => id,
        Err(error) => return Ok(RiskScorePayload { actor: None, risk_score: None, user_errors: user_errors(error)? }),
    };
    let risk_score = shown(context, "riskScore", &nodes::RISK_SCORE, &id).await?.map(RiskScoreNode::new).transpose()?;
    Ok(RiskScorePayload { actor: actor_of(context, actor).await?, risk_score, user_errors: Vec::new() })
}

/// The actor as it is now, with what is asked of it.
#[boxed]
async fn actor_of(context: &Context<'_>, actor: &ActorId) -> Result<Option<ActorNode>> {
    shown(context, "actor", &nodes::ACTOR, actor.as_str()).await?.map(ActorNode::new).transpose()
}

/// A node as it is now, with what a field of the payload asks of it.
#[boxed]
async fn shown(context: &Context<'_>, field: &str, node: &'static Node, id: &str) -> Result<Option<At>> {
    At::find_for(context, selected(context.field(), field), node, id).await
}

/// What the one who asked can do something about is a `userError`; all else is an error of the field.
fn user_errors(error: Error) -> Result<Vec<ActorRiskUserError>> {
    user_error::user_errors(error, [ActorRiskErrorCode::NotFound, ActorRiskErrorCode::Invalid])
}
