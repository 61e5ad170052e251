//! Risk rules: listed, added, switched, tuned and tried by those who answer for them; and what those in shadow say in a run.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::date::{Date, Timestamp};
use graphql_http::asking::{asking, boxed, key};
use graphql_http::refused::refused;
use graphql_http::user_error::{paths_of, put_at};
use resolvers::detection::{RuleFile, RulePart, Status, TuneRule, Tuning};
use resolvers::{BesideLive, Error, KnownRiskRule, OtherBand, RiskBacktest, RuleAddition, ShadowScores};

use super::user_error::{RiskUserError, user_errors};
use crate::job::{JobPayload, payload as job_payload};
use crate::principal::by_principal;
use crate::rule_input::{place_in_files, place_in_sets};

/// Tunings that are shown of a rule.
const MOST_TUNINGS: usize = 100;

/// A version of a rule by which actors are scored, as it was tuned.
#[derive(SimpleObject)]
pub struct RiskRule {
    /// Scores have it as `risk_rule_id`. All versions of a rule have it.
    id: ID,
    /// A semantic version, which scores have as `risk_rule_version`.
    version: String,
    /// When it was added, and by whom; null for those of the program or of the folder of the setting `risk.rules`.
    added: Option<RiskRuleAdded>,
    /// What it was switched to last; else what its file says.
    status: RiskRuleStatus,
    /// What it does in runs, beside other rules.
    part: RiskRulePart,
    /// For people; scores have it as `rule_name`.
    name: String,
    /// Who answers for it.
    owner: String,
    /// Why risk is seen so.
    rationale: String,
    /// Types of actors: `INDIVIDUAL`, `LEGAL_ENTITY`.
    scores: Vec<String>,
    /// What it looks at, and with which weights, by name.
    factors: Vec<RiskRuleFactor>,
    /// The rule as a policy: rows of a table in Markdown, of factor, what counts, of its weight, and points.
    policy: Vec<String>,
    /// How it was switched and tuned, the latest first, 100 at most.
    tunings: Vec<RiskRuleTuning>,
}

/// Who has added a risk rule.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct RiskRuleAdded {
    /// The time at which the version was added.
    at: Timestamp,
    /// The id of a credential or user.
    #[graphql(deprecation = "Use `byPrincipal`.")]
    by: String,
    /// What whoever has added it was called then.
    by_name: String,
}

by_principal! { RiskRuleAdded RiskRuleTuning }

/// A factor of a risk rule. Numbers are decimal texts, exact.
#[derive(SimpleObject)]
pub struct RiskRuleFactor {
    /// The factor's name in the rule's file. It is the name that tuning and backtests take.
    name: String,
    /// What it looks at, such as `domicile` or `exposure`.
    input: String,
    /// The points of a rating of 1: what it was tuned to, or the weight in the file.
    weight: String,
    /// The weight in the rule's file.
    default: String,
    /// The smallest change of the weight that matters.
    step: String,
    /// The rating where nothing is known, from 0 to 1.
    absent: String,
    /// The meaning of the factor, for people.
    description: String,
    /// The meaning of the factor, for people.
    #[graphql(deprecation = "Use `description`.")]
    says: String,
}

/// Whether a risk rule scores actors.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Status")]
pub enum RiskRuleStatus {
    /// It scores actors, unless another one that was switched live later scores their type.
    Live,
    /// What it says is compared in the run's result, and nothing is kept of it.
    Shadow,
    /// The rule does not run.
    Off,
}

/// What a risk rule does in runs. Of live rules one scores a type of actor: the one that was switched live last.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum RiskRulePart {
    /// It scores actors.
    Live,
    /// It runs beside those that score.
    Shadow,
    /// It does not run: it is off, or another rule scores its types of actors.
    Resting,
}

/// What somebody has said of a risk rule. It is kept; what was said later counts.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct RiskRuleTuning {
    /// The service's own id of this entry.
    id: ID,
    /// The time from which it holds. Runs that begin later go by it.
    at: Timestamp,
    /// Who: the id of a credential or user.
    #[graphql(deprecation = "Use `byPrincipal`.")]
    by: String,
    /// What whoever has said it was called then.
    by_name: String,
    /// The reason that was given, for those who look at it later.
    reason: String,
    /// Null where it left that as it was.
    status: Option<RiskRuleStatus>,
    /// Weights of factors; those that are not named stayed as they were.
    weights: Vec<RiskTunedWeight>,
}

/// A weight of a factor.
#[derive(SimpleObject)]
pub struct RiskTunedWeight {
    /// The factor's name in the rule's file.
    factor: String,
    /// A decimal number; null for the weight in the file.
    value: Option<String>,
}

/// What a rule in shadow says in a run: what it would say if it were live. Nothing of it is kept.
#[derive(SimpleObject)]
pub struct RiskShadow {
    /// The id of the rule in shadow.
    rule: ID,
    /// The version of it that ran in shadow.
    version: String,
    /// How many actors it scores.
    scored: usize,
    /// How many scores are in which band.
    bands: Vec<RiskBandCount>,
    /// How many actors have another band than by the rules that are live.
    other_bands: usize,
    /// The first of these by their ids, 100 at most.
    first: Vec<RiskOtherBand>,
}

/// How many scores are in a band.
#[derive(SimpleObject)]
pub struct RiskBandCount {
    /// `low_risk`, `medium_risk` or `high_risk`.
    band: String,
    /// How many actors have it.
    actors: usize,
}

/// An actor who has another band by a rule in shadow.
#[derive(SimpleObject)]
pub struct RiskOtherBand {
    /// The id of the actor.
    actor: ID,
    /// What the live rule calculates.
    live_score: f64,
    /// The band of that.
    live_band: String,
    /// What the rule in shadow calculates.
    score: f64,
    /// The band of this one.
    band: String,
}

impl From<KnownRiskRule> for RiskRule {
    fn from(known: KnownRiskRule) -> Self {
        let (rule, written) = (&known.rule, &known.written);
        let factors = rule.factors.iter().map(|(name, factor)| RiskRuleFactor {
            name: name.clone(),
            input: factor.input.name().to_owned(),
            weight: factor.weight.to_string(),
            default: written.factors.get(name).map(|written| written.weight.to_string()).unwrap_or_default(),
            step: factor.step.to_string(),
            absent: factor.absent.to_string(),
            description: factor.says.clone(),
            says: factor.says.clone(),
        });
        Self {
            id: ID(rule.id.clone()),
            version: rule.version.to_string(),
            added: known.added.as_ref().map(RiskRuleAdded::of),
            status: known.status.into(),
            part: match known.part {
                RulePart::Live => RiskRulePart::Live,
                RulePart::Challenger | RulePart::Shadow => RiskRulePart::Shadow,
                RulePart::Resting => RiskRulePart::Resting,
            },
            name: rule.name.clone(),
            owner: rule.owner.clone(),
            rationale: rule.rationale.clone(),
            scores: rule.scores.iter().map(|kind| kind.word().to_owned()).collect(),
            factors: factors.collect(),
            policy: rule.policy(),
            tunings: known.tunings.iter().take(MOST_TUNINGS).map(RiskRuleTuning::of).collect(),
        }
    }
}

impl RiskRuleAdded {
    fn of(RuleAddition { at, by, by_name }: &RuleAddition) -> Self {
        Self { at: *at, by: by.clone(), by_name: by_name.clone() }
    }
}

impl RiskRuleTuning {
    fn of(tuning: &Tuning) -> Self {
        let weight =
            |(factor, value): (&String, &Option<_>)| RiskTunedWeight { factor: factor.clone(), value: value.as_ref().map(ToString::to_string) };
        Self {
            id: ID(tuning.id.clone()),
            at: tuning.at,
            by: tuning.by.clone(),
            by_name: tuning.by_name.clone(),
            reason: tuning.reason.clone(),
            status: tuning.status.map(RiskRuleStatus::from),
            weights: tuning.parameters.iter().map(weight).collect(),
        }
    }
}

impl From<ShadowScores> for RiskShadow {
    fn from(ShadowScores { rule, version, beside_live }: ShadowScores) -> Self {
        let BesideLive { scored, bands, other_bands, first } = beside_live;
        let bands = bands.into_iter().map(|(band, actors)| RiskBandCount { band, actors }).collect();
        let first = first.into_iter().map(RiskOtherBand::of).collect();
        Self { rule: ID(rule), version, scored, bands, other_bands, first }
    }
}

impl RiskOtherBand {
    fn of(OtherBand { actor, live_score, live_band, score, band }: OtherBand) -> Self {
        Self { actor: ID(actor), live_score, live_band, score, band }
    }
}

/// All versions of all risk rules: in the order of their ids, the highest version first.
#[boxed]
pub async fn risk_rules(context: &Context<'_>) -> Result<Vec<RiskRule>> {
    let (resolvers, caller) = asking(context)?;
    Ok(resolvers.risk_rules(caller).await.map_err(refused)?.into_iter().map(<RiskRule as From<KnownRiskRule>>::from).collect())
}

/// What is to be said of a risk rule.
#[derive(InputObject)]
pub struct TuneRiskRuleInput {
    /// The rule to tune: the `risk_rule_id` of its scores.
    rule_id: ID,
    /// Without one it is of the version that counts: the live one, else the one in shadow, else the highest. `OFF` without one is of all versions.
    version: Option<String>,
    /// What it is switched to; without it that stays as it is.
    status: Option<RiskRuleStatus>,
    /// Weights of its factors, each whole steps from the one in its file; those that are not named stay as they are.
    weights: Option<Vec<RiskWeightInput>>,
    /// Why, for those who look at it later.
    reason: String,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// Another weight of a factor.
#[derive(InputObject)]
pub struct RiskWeightInput {
    /// The name of a factor of the rule.
    factor: String,
    /// A decimal number; without one it has the weight in its file again.
    value: Option<String>,
}

/// A risk rule that is to be added.
#[derive(InputObject)]
pub struct AddRiskRuleInput {
    /// The files of one rule's folder, with its tests, as `risk/rules` has them; 500 and 1 MiB at most.
    files: Vec<RiskRuleFileInput>,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// A file of a risk rule.
#[derive(InputObject)]
pub struct RiskRuleFileInput {
    /// Such as `standard/rule.toml` or `standard/tests/quiet-customer.toml`.
    path: String,
    /// The content of the file.
    text: String,
}

/// What became of a risk rule that was to be added or tuned.
#[derive(SimpleObject)]
pub struct RiskRulePayload {
    /// The version that it was of, as it is now; null where nothing was done.
    rule: Option<RiskRule>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<RiskUserError>,
}

/// A backtest of a risk rule that is to begin.
#[derive(InputObject)]
pub struct BacktestRiskRuleInput {
    /// The rule to run: the `risk_rule_id` of its scores.
    rule_id: ID,
    /// Without one the version that counts now.
    version: Option<String>,
    /// Whom it is about, as of a batch.
    line_of_business: String,
    /// The first day and the last, 366 at most.
    from: Date,
    /// The last day, this one included.
    to: Date,
    /// Sets of weights that are tried beside what the rule was tuned to, 50 at most.
    sets: Option<Vec<Vec<RiskTriedWeightInput>>>,
    /// The same key and input again start nothing more.
    idempotency_key: Option<String>,
}

/// A weight that is tried.
#[derive(InputObject)]
pub struct RiskTriedWeightInput {
    /// The name of a factor of the rule.
    factor: String,
    /// A decimal number.
    value: String,
}

fn payload(done: std::result::Result<KnownRiskRule, Error>) -> Result<RiskRulePayload> {
    Ok(match done {
        Ok(rule) => RiskRulePayload { rule: Some(rule.into()), user_errors: Vec::new() },
        Err(error) => RiskRulePayload { rule: None, user_errors: user_errors(error)? },
    })
}

#[derive(Default)]
pub struct RiskRuleMutation;

#[Object]
impl RiskRuleMutation {
    /// Switches a risk rule live, into shadow or off, sets weights of its factors, or both. What was said before is kept; runs that begin later go by it. For
    /// supervisors and administrators.
    async fn tune_risk_rule(&self, context: &Context<'_>, input: TuneRiskRuleInput) -> Result<RiskRulePayload> {
        let (resolvers, caller) = asking(context)?;
        let TuneRiskRuleInput { rule_id, version, status, weights, reason, idempotency_key } = input;
        let parameters = weights.unwrap_or_default().into_iter().map(|weight| (weight.factor, weight.value)).collect();
        let wanted = TuneRule { rule: rule_id.0, version, status: status.map(Into::into), parameters, reason };
        let done = async { resolvers.tune_risk_rule(caller, wanted, key(idempotency_key)?).await };
        payload(done.await)
    }

    /// Adds a version of a risk rule, which runs from then on as its `status` says. Its tests must pass and be enough. A version is never written again. For
    /// supervisors and administrators.
    async fn add_risk_rule(&self, context: &Context<'_>, input: AddRiskRuleInput) -> Result<RiskRulePayload> {
        let (resolvers, caller) = asking(context)?;
        let AddRiskRuleInput { files, idempotency_key } = input;
        let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        let files = files.into_iter().map(|RiskRuleFileInput { path, text }| RuleFile { path, text }).collect();
        let done = async { resolvers.add_risk_rule(caller, files, key(idempotency_key)?).await };
        let done = done.await;
        let places = paths_of(&done, |place| place_in_files(&paths, place));
        let mut payload = payload(done)?;
        put_at(&mut payload.user_errors, places);
        Ok(payload)
    }

    /// Scores actors by a risk rule, day by day, by a job, and keeps none of the scores. A day is looked at as that day's run of the line of business knew it, or
    /// where there was none as it is known now, with the weights that the rule was tuned to then. The job's result has `days`, each with `scored`, `bands`,
    /// `otherBands` (how many actors have another band than by the live rules), the `first` of these (100, and fewer where days and sets are many), and the
    /// same of each of `sets`. For supervisors and administrators.
    async fn backtest_risk_rule(&self, context: &Context<'_>, input: BacktestRiskRuleInput) -> Result<JobPayload> {
        let (resolvers, caller) = asking(context)?;
        let BacktestRiskRuleInput { rule_id, version, line_of_business, from, to, sets, idempotency_key } = input;
        let sets = sets.unwrap_or_default();
        let names: Vec<Vec<String>> = sets.iter().map(|set| set.iter().map(|tried| tried.factor.clone()).collect()).collect();
        let named = |set: Vec<RiskTriedWeightInput>| set.into_iter().map(|tried| (tried.factor, tried.value)).collect();
        let sets = sets.into_iter().map(named).collect();
        let wanted = RiskBacktest { rule: rule_id.0, version, line_of_business, from, to, sets };
        let done = async { resolvers.backtest_risk_rule(caller, wanted, key(idempotency_key)?).await };
        let done = done.await.map(|id| id.to_string());
        let paths = paths_of(&done, |place| place_in_sets(&names, place));
        Ok(job_payload(context, done).await?.with_paths(paths))
    }
}
