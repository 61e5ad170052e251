//! Rules switched, tuned and added by those who answer for them.

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use graphql_http::asking::{asking, key};
use graphql_http::user_error::{paths_of, put_at};
use resolvers::detection::{KnownRule, RuleFile, TuneRule};

use super::rule::{DetectionRuleNode, DetectionRuleStatus};
use super::user_error::{DetectionUserError, user_errors};
use crate::rule_input::place_in_files;

/// What is to be said of a rule.
#[derive(InputObject)]
pub struct TuneDetectionRuleInput {
    /// The rule to tune: the `behaviorId` of its observations.
    rule_id: ID,
    /// Without one it is of the version that counts: the live one, else the one in shadow, else the highest. `OFF` without one is of all versions.
    version: Option<String>,
    /// What it is switched to; without it that stays as it is.
    status: Option<DetectionRuleStatus>,
    /// Values of its parameters, each within its bounds and whole steps from its default; those that are not named stay as they are.
    parameters: Option<Vec<DetectionParameterInput>>,
    /// Why, for those who look at it later.
    reason: String,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// Another value of a parameter.
#[derive(InputObject)]
pub struct DetectionParameterInput {
    /// The name of a parameter of the rule.
    name: String,
    /// A decimal number; without one it has its default again.
    value: Option<String>,
}

/// A rule that is to be added.
#[derive(InputObject)]
pub struct AddDetectionRuleInput {
    /// The files of one rule's folder, with its tests, as `detection/rules` has them; 500 and 1 MiB at most.
    files: Vec<DetectionRuleFileInput>,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// A file of a rule.
#[derive(InputObject)]
pub struct DetectionRuleFileInput {
    /// Such as `fan-in/rule.toml` or `fan-in/tests/positive-one-day.toml`.
    path: String,
    /// The content of the file.
    text: String,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct DetectionRulePayload {
    /// The version that it was of, as it is now; null where nothing was done.
    rule: Option<DetectionRuleNode>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<DetectionUserError>,
}

fn payload(done: std::result::Result<KnownRule, resolvers::Error>) -> Result<DetectionRulePayload> {
    Ok(match done {
        Ok(rule) => DetectionRulePayload { rule: Some(DetectionRuleNode(rule)), user_errors: Vec::new() },
        Err(error) => DetectionRulePayload { rule: None, user_errors: user_errors(error)? },
    })
}

#[derive(Default)]
pub struct DetectionTuningMutation;

#[Object]
impl DetectionTuningMutation {
    /// Switches a rule on, into shadow or off, sets values of its parameters, or both. What was said before is kept; runs that begin later go by it. For
    /// supervisors and administrators.
    async fn tune_detection_rule(&self, context: &Context<'_>, input: TuneDetectionRuleInput) -> Result<DetectionRulePayload> {
        let (resolvers, caller) = asking(context)?;
        let TuneDetectionRuleInput { rule_id, version, status, parameters, reason, idempotency_key } = input;
        let parameters = parameters.unwrap_or_default().into_iter().map(|parameter| (parameter.name, parameter.value)).collect();
        let wanted = TuneRule { rule: rule_id.0, version, status: status.map(Into::into), parameters, reason };
        let done = async { resolvers.tune_rule(caller, wanted, key(idempotency_key)?).await };
        payload(done.await)
    }

    /// Adds a version of a rule, which runs from then on as its `status` says. Its tests must pass and be enough, and it must name a kernel. A version is never
    /// written again. For supervisors and administrators.
    async fn add_detection_rule(&self, context: &Context<'_>, input: AddDetectionRuleInput) -> Result<DetectionRulePayload> {
        let (resolvers, caller) = asking(context)?;
        let AddDetectionRuleInput { files, idempotency_key } = input;
        let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        let files = files.into_iter().map(|DetectionRuleFileInput { path, text }| RuleFile { path, text }).collect();
        let done = async { resolvers.add_rule(caller, files, key(idempotency_key)?).await };
        let done = done.await;
        let places = paths_of(&done, |place| place_in_files(&paths, place));
        let mut payload = payload(done)?;
        put_at(&mut payload.user_errors, places);
        Ok(payload)
    }
}
