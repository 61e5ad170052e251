//! Risk scores of actors: what they are made of, those that there were, and one that is calculated because somebody asks; and the rules that they are
//! calculated by.

mod rule;
mod user_error;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::date::{Date, Timestamp};
use graph_schema::id::ActorId;
use graph_schema::json_text::JsonText;
use graph_schema::number::Number;
use graphql_http::asking::{asking, boxed};
use graphql_http::refused::refused;
use resolvers::explore::{ActorRiskFilter, ListFilter};
use resolvers::{RiskCalculation, ShownScore};

pub use rule::{RiskRule, RiskRuleMutation, RiskShadow, risk_rules};
use user_error::user_errors;
pub use user_error::{RiskErrorCode, RiskUserError};

/// The most scores that are shown of an actor.
const MOST: i32 = 200;

/// What a factor of a risk rule contributes to a score.
#[derive(SimpleObject)]
pub struct RiskFactor {
    /// The factor's name in its rule.
    factor: String,
    /// What the factor looks at, such as `domicile` or `exposure`.
    input: String,
    /// What was known: a list of texts, or a number; null where nothing was.
    known: Option<JsonText>,
    /// Of several texts the one that was rated highest.
    decisive: Option<String>,
    /// How what was known is rated, from 0 to 1.
    rating: Number,
    /// The points of a rating of 1.
    weight: Number,
    /// Weight times rating. What all factors contribute adds up to the calculated score.
    contribution: Number,
}

impl From<resolvers::RiskFactor> for RiskFactor {
    fn from(factor: resolvers::RiskFactor) -> Self {
        let resolvers::RiskFactor { factor, input, known, decisive, rating, weight, contribution } = factor;
        Self { factor, input, known, decisive, rating, weight, contribution }
    }
}

/// A risk score of an actor.
#[derive(SimpleObject)]
pub struct RiskScoreEntry {
    /// Its id, unique among risk scores.
    id: ID,
    /// The date from which on it is valid.
    as_of: Option<Date>,
    /// When it was stored.
    ingested_at: Timestamp,
    /// The score that its sender, or the calculation, has arrived at.
    final_score: f64,
    /// `low_risk`, `medium_risk` or `high_risk`, by the thresholds that are configured now.
    band: String,
    /// What the factors add up to; null where the sender has named none.
    calculated_score: Option<f64>,
    /// Whether it overrides other scores, or says that none does any more; null for all others.
    overrides: Option<bool>,
    /// Why it overrides others, in the sender's words.
    override_reason: Option<String>,
    /// The id of the score that overrides this one.
    overridden_by: Option<ID>,
    /// The system that the score comes from.
    data_source: Option<String>,
}

impl From<ShownScore> for RiskScoreEntry {
    fn from(score: ShownScore) -> Self {
        Self {
            id: ID(score.id),
            as_of: score.as_of,
            ingested_at: score.ingested_at,
            final_score: score.final_score,
            band: score.band.to_owned(),
            calculated_score: score.calculated_score,
            overrides: score.overrides,
            override_reason: score.override_reason,
            overridden_by: score.overridden_by.map(ID),
            data_source: score.data_source,
        }
    }
}

/// What the last calculated score of an actor is made of.
#[boxed]
pub async fn factors(context: &Context<'_>, actor: &str) -> Result<Vec<RiskFactor>> {
    let (resolvers, caller) = asking(context)?;
    let factors = resolvers.risk_factors(caller, &ActorId::new(actor)).await.map_err(refused)?;
    Ok(factors.into_iter().map(RiskFactor::from).collect())
}

/// The latest scores of an actor.
#[boxed]
pub async fn history(context: &Context<'_>, actor: &str, first: i32) -> Result<Vec<RiskScoreEntry>> {
    let wanted =
        usize::try_from(first).ok().filter(|_| first <= MOST).ok_or_else(|| async_graphql::Error::new(format!("first: must be 0 to {MOST}")))?;
    let (resolvers, caller) = asking(context)?;
    let scores = resolvers.risk_history(caller, &ActorId::new(actor), wanted).await.map_err(refused)?;
    Ok(scores.into_iter().map(RiskScoreEntry::from).collect())
}

/// Which actors that have a risk score. All that is given must hold.
#[derive(InputObject, Default)]
#[graphql(name = "ActorRiskFilter")]
pub struct ActorRiskFilterInput {
    /// One of these: `low_risk`, `medium_risk`, `high_risk`.
    bands: Option<Vec<String>>,
    /// At least this score.
    min_score: Option<f64>,
    /// At most this score.
    max_score: Option<f64>,
}

impl ActorRiskFilterInput {
    /// The filter of the list; an error where its bounds leave nothing.
    pub fn into_filter(self) -> Result<ListFilter> {
        let Self { bands, min_score, max_score } = self;
        if min_score.zip(max_score).is_some_and(|(min, max)| max < min) {
            return Err(async_graphql::Error::new("filter.maxScore: must not be less than minScore"));
        }
        Ok(ListFilter::ActorRisks(ActorRiskFilter { bands, min_score, max_score }))
    }
}

/// Whose score is to be calculated.
#[derive(InputObject)]
pub struct CalculateRiskInput {
    /// The id of the actor to score.
    actor_id: ID,
}

/// A calculated score.
#[derive(SimpleObject)]
pub struct CalculatedRisk {
    /// The id of the risk rule.
    rule_id: ID,
    /// What the rule is called.
    rule_name: String,
    /// The version of the rule, such as `1.0.0`.
    rule_version: String,
    /// The business day for which it is calculated.
    as_of: Date,
    /// What the factors add up to.
    calculated_score: Number,
    /// The score that counts for the actor: the calculated one, or the one that overrides it.
    score: f64,
    /// `low_risk`, `medium_risk` or `high_risk`: the band of `score`.
    band: String,
    /// Whether another score overrides the calculated one.
    overridden: bool,
    /// Whether it is kept as a new score: false where the last one is made of the same.
    is_new: bool,
    /// What it is made of.
    factors: Vec<RiskFactor>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct CalculateRiskPayload {
    /// Null where nothing was calculated.
    risk: Option<CalculatedRisk>,
    /// Why nothing was calculated; empty when it was.
    user_errors: Vec<RiskUserError>,
}

impl From<RiskCalculation> for CalculatedRisk {
    fn from(risk: RiskCalculation) -> Self {
        Self {
            rule_id: ID(risk.rule_id),
            rule_name: risk.rule_name,
            rule_version: risk.rule_version,
            as_of: risk.as_of,
            calculated_score: risk.calculated_score,
            score: risk.score,
            band: risk.band.to_owned(),
            overridden: risk.is_overridden,
            is_new: risk.is_new,
            factors: risk.factors.into_iter().map(RiskFactor::from).collect(),
        }
    }
}

#[derive(Default)]
pub struct RiskMutation;

#[Object]
impl RiskMutation {
    /// Calculates the risk score of an actor as of today, and keeps it where it is made of something else than the last one. The exposure of its network, and its
    /// volume beside that of its segment, are those of the last run.
    async fn calculate_risk(&self, context: &Context<'_>, input: CalculateRiskInput) -> Result<CalculateRiskPayload> {
        let (resolvers, caller) = asking(context)?;
        match resolvers.calculate_risk(caller, &ActorId::new(input.actor_id.0)).await {
            Ok(risk) => Ok(CalculateRiskPayload { risk: Some(risk.into()), user_errors: Vec::new() }),
            Err(error) => Ok(CalculateRiskPayload { risk: None, user_errors: user_errors(error)? }),
        }
    }
}
