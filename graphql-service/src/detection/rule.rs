//! Rules of detection, and backtests of them.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::date::{Date, Timestamp};
use graphql_http::asking::{asking, boxed, key};
use graphql_http::refused::refused;
use graphql_http::user_error::paths_of;
use resolvers::detection::{Backtest, KnownRule, Parameter, RulePart, RuleRole, RuleSource, Status, Tuning, priority};

use crate::job::{JobPayload, payload};
use crate::principal::by_principal;
use crate::rule_input::place_in_sets;

/// A version of a rule of detection, as it was tuned.
pub struct DetectionRuleNode(pub(super) KnownRule);

/// A version of a rule of detection, as it was tuned.
#[Object(name = "DetectionRule")]
impl DetectionRuleNode {
    /// Its observations have it as `behaviorId`. All versions of a rule have it.
    async fn id(&self) -> ID {
        ID(self.0.rule.id.clone())
    }

    /// A semantic version; one that counts is never changed.
    async fn version(&self) -> String {
        self.0.rule.version.to_string()
    }

    /// What it was switched to last; else what its file says.
    async fn status(&self) -> DetectionRuleStatus {
        self.0.status.into()
    }

    /// What it does in runs, beside other versions of the rule.
    async fn part(&self) -> DetectionRulePart {
        match self.0.part {
            RulePart::Live => DetectionRulePart::Live,
            RulePart::Challenger => DetectionRulePart::Challenger,
            RulePart::Shadow => DetectionRulePart::Shadow,
            RulePart::Resting => DetectionRulePart::Resting,
        }
    }

    /// Where it comes from.
    async fn source(&self) -> DetectionRuleSource {
        match self.0.source {
            RuleSource::BuiltIn => DetectionRuleSource::BuiltIn,
            RuleSource::Folder => DetectionRuleSource::Folder,
            RuleSource::Added { .. } => DetectionRuleSource::Added,
        }
    }

    /// When it was added, and by whom; null for those that nobody has added.
    async fn added(&self) -> Option<DetectionRuleAdded> {
        match &self.0.source {
            RuleSource::Added { at, by, by_name } => Some(DetectionRuleAdded { at: *at, by: by.clone(), by_name: by_name.clone() }),
            RuleSource::BuiltIn | RuleSource::Folder => None,
        }
    }

    /// How it was switched and tuned, the latest first, 100 at most.
    async fn tunings(&self) -> Vec<DetectionRuleTuning> {
        self.0.tunings.iter().take(MOST_TUNINGS).map(DetectionRuleTuning::of).collect()
    }

    /// For people.
    async fn name(&self) -> &str {
        &self.0.rule.name
    }

    /// What it looks for.
    async fn typology(&self) -> &str {
        &self.0.rule.typology
    }

    /// Who answers for it.
    async fn owner(&self) -> &str {
        &self.0.rule.owner
    }

    /// How urgent its findings are: `LOW`, `MEDIUM` or `HIGH`, the `priority` of its observations.
    async fn severity(&self) -> &str {
        priority(self.0.rule.severity)
    }

    /// Lines of business that it is for; none for all.
    async fn lines_of_business(&self) -> &[String] {
        &self.0.rule.lines
    }

    /// Why it is worth looking for.
    async fn rationale(&self) -> &str {
        &self.0.rule.rationale
    }

    /// Innocent behaviour that it is known to report.
    async fn known_false_positives(&self) -> &[String] {
        &self.0.rule.false_positives
    }

    /// Red flags that it answers.
    async fn red_flags(&self) -> Vec<DetectionRedFlag> {
        let flags = self.0.rule.red_flags.iter();
        flags.map(|flag| DetectionRedFlag { description: flag.says.clone(), says: flag.says.clone(), source: flag.source.clone() }).collect()
    }

    /// Its numbers, by name.
    async fn parameters(&self) -> Vec<DetectionParameter> {
        let of = |(name, parameter): (&String, &Parameter)| DetectionParameter::of(name, parameter, self.0.settings.value(name).to_string());
        self.0.rule.parameters.iter().map(of).collect()
    }
}

/// Tunings that are shown of a rule.
const MOST_TUNINGS: usize = 100;

/// Whether a rule's findings count.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Status")]
pub enum DetectionRuleStatus {
    /// Findings are observations.
    Live,
    /// Findings are counted and compared in the run's result, and nothing else.
    Shadow,
    /// The rule does not run.
    Off,
}

/// What a version of a rule does in runs. Of the versions of one rule the highest live one counts.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum DetectionRulePart {
    /// It is the version that counts: its findings are observations.
    Live,
    /// In shadow, and higher than the live version: it runs beside it.
    Challenger,
    /// In shadow, and the highest where no version is live.
    Shadow,
    /// It does not run: it is off, or another version counts.
    Resting,
}

/// Where a version of a rule comes from.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum DetectionRuleSource {
    /// The program comes with it.
    BuiltIn,
    /// It stands in the folder of the setting `detection.rules`.
    Folder,
    /// Somebody has added it by `addDetectionRule`.
    Added,
}

/// Who has added a rule.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct DetectionRuleAdded {
    /// The time at which the version was added.
    at: Timestamp,
    /// The id of a credential or user.
    #[graphql(deprecation = "Use `byPrincipal`.")]
    by: String,
    /// What whoever has added it was called then.
    by_name: String,
}

/// What somebody has said of a rule. It is kept; what was said later counts.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct DetectionRuleTuning {
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
    status: Option<DetectionRuleStatus>,
    /// The versions whose status it is.
    versions: Vec<String>,
    /// Values of parameters of one version; those that are not named stay as they were.
    parameters: Vec<DetectionTunedParameter>,
}

/// A value of a parameter.
#[derive(SimpleObject)]
pub struct DetectionTunedParameter {
    /// The parameter's name in the rule's file.
    name: String,
    /// A decimal number; null for the default.
    value: Option<String>,
}

by_principal! { DetectionRuleAdded DetectionRuleTuning }

impl DetectionRuleTuning {
    fn of(tuning: &Tuning) -> Self {
        let parameter =
            |(name, value): (&String, &Option<_>)| DetectionTunedParameter { name: name.clone(), value: value.as_ref().map(ToString::to_string) };
        Self {
            id: ID(tuning.id.clone()),
            at: tuning.at,
            by: tuning.by.clone(),
            by_name: tuning.by_name.clone(),
            reason: tuning.reason.clone(),
            status: tuning.status.map(DetectionRuleStatus::from),
            versions: tuning.versions.clone(),
            parameters: tuning.parameters.iter().map(parameter).collect(),
        }
    }
}

/// A red flag, in own words.
#[derive(SimpleObject)]
pub struct DetectionRedFlag {
    /// The suspicious behaviour that the publication describes, in a sentence.
    description: String,
    /// The suspicious behaviour that the publication describes, in a sentence.
    #[graphql(deprecation = "Use `description`.")]
    says: String,
    /// The publication that names it.
    source: String,
}

/// A number of a rule. Numbers are decimal texts, exact.
#[derive(SimpleObject)]
pub struct DetectionParameter {
    /// The parameter's name in the rule's file. It is the name that tuning and backtests take.
    name: String,
    /// The measure that is compared with it; null where it goes into the search, such as a window.
    measure: Option<String>,
    /// How the measure must compare, such as `at least`; null where it goes into the search.
    compare: Option<String>,
    /// What it counts, such as `hours` or `accounts`.
    unit: String,
    /// The smallest value that is allowed.
    min: String,
    /// The largest value that is allowed.
    max: String,
    /// The smallest change that matters.
    step: String,
    /// The value until the rule is tuned.
    default: String,
    /// What it was tuned to, or the default.
    value: String,
    /// The meaning of the parameter, for people.
    description: String,
    /// The meaning of the parameter, for people.
    #[graphql(deprecation = "Use `description`.")]
    says: String,
}

impl DetectionParameter {
    fn of(name: &str, parameter: &Parameter, value: String) -> Self {
        let threshold = match &parameter.role {
            RuleRole::Threshold(threshold) => Some(threshold),
            RuleRole::Pass => None,
        };
        Self {
            name: name.to_owned(),
            measure: threshold.map(|threshold| threshold.measure.clone()),
            compare: threshold.map(|threshold| threshold.compare.words().to_owned()),
            unit: parameter.unit.word().to_owned(),
            min: parameter.min.to_string(),
            max: parameter.max.to_string(),
            step: parameter.step.to_string(),
            default: parameter.default.to_string(),
            value,
            description: parameter.says.clone(),
            says: parameter.says.clone(),
        }
    }
}

/// All versions of all rules: in the order of their ids, the highest version first.
#[boxed]
pub async fn detection_rules(context: &Context<'_>) -> Result<Vec<DetectionRuleNode>> {
    let (resolvers, caller) = asking(context)?;
    Ok(resolvers.detection_rules(caller).await.map_err(refused)?.into_iter().map(DetectionRuleNode).collect())
}

/// A backtest that is to begin.
#[derive(InputObject)]
pub struct BacktestRuleInput {
    /// The rule to run: the `behaviorId` of its observations.
    rule_id: ID,
    /// Without one the version that counts now.
    version: Option<String>,
    /// Whom it is about, as of a batch.
    line_of_business: String,
    /// The first day and the last, 366 at most.
    from: Date,
    /// The last day, this one included.
    to: Date,
    /// Sets of thresholds that are tried beside what the rule was tuned to, 1,000 at most; all of them cost one search.
    sets: Option<Vec<Vec<ThresholdInput>>>,
    /// The same key and input again start nothing more.
    idempotency_key: Option<String>,
}

/// Another value of a threshold.
#[derive(InputObject)]
pub struct ThresholdInput {
    /// The name of a threshold of the rule: a parameter with a `measure`.
    name: String,
    /// A decimal number.
    value: String,
}

#[derive(Default)]
pub struct DetectionRuleMutation;

#[Object]
impl DetectionRuleMutation {
    /// Runs a rule over what is stored, day by day, by a job, and writes nothing of what it finds. A day is looked at as that day's run of the line of business
    /// knew it, or where there was none as it is known now, with the values that the rule was tuned to then. The job's result has `days`, the first 1,000 `findings`, and how many each of `sets` has. For
    /// supervisors and administrators.
    async fn backtest_rule(&self, context: &Context<'_>, input: BacktestRuleInput) -> Result<JobPayload> {
        let (resolvers, caller) = asking(context)?;
        let BacktestRuleInput { rule_id, version, line_of_business, from, to, sets, idempotency_key } = input;
        let sets = sets.unwrap_or_default();
        let names: Vec<Vec<String>> = sets.iter().map(|set| set.iter().map(|threshold| threshold.name.clone()).collect()).collect();
        let named = |set: Vec<ThresholdInput>| set.into_iter().map(|threshold| (threshold.name, threshold.value)).collect();
        let sets = sets.into_iter().map(named).collect();
        let wanted = Backtest { rule: rule_id.0, version, line_of_business, from, to, sets };
        let done = async { resolvers.backtest_rule(caller, wanted, key(idempotency_key)?).await };
        let done = done.await.map(|id| id.to_string());
        let paths = paths_of(&done, |place| place_in_sets(&names, place));
        Ok(payload(context, done).await?.with_paths(paths))
    }
}
