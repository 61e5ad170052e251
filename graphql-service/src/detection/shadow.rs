//! What rules in shadow have found in a run.

use async_graphql::{ID, SimpleObject};
use resolvers::detection::{FirstFindings, ShadowFinding, ShadowOutcome};

/// What a version of a rule in shadow has found in a run, beside the version that is live. Findings are the same when they are about the same actor and share a
/// payment. Nothing of it is recorded.
#[derive(SimpleObject)]
pub struct DetectionShadow {
    /// The id of the rule in shadow.
    rule: ID,
    /// The version of it that ran in shadow.
    version: String,
    /// The version that was live beside it; null where none was.
    live_version: Option<String>,
    /// How many findings that version had in the run.
    findings: usize,
    /// Findings of the live version that it has as well.
    both: usize,
    /// Findings of the live version that it does not have.
    only_live: usize,
    /// Findings that the live version does not have; all of them, where none was live.
    only_shadow: usize,
    /// The first findings of each kind.
    first: DetectionShadowFindings,
}

/// The first findings of each kind, 100 at most of each and 500 of all in a run.
#[derive(SimpleObject)]
pub struct DetectionShadowFindings {
    /// Findings that the version in shadow and the live one share.
    both: Vec<DetectionShadowFinding>,
    /// Findings that the live version alone has.
    only_live: Vec<DetectionShadowFinding>,
    /// Findings that the version in shadow alone has.
    only_shadow: Vec<DetectionShadowFinding>,
}

/// A finding of which nothing else is kept.
#[derive(SimpleObject)]
pub struct DetectionShadowFinding {
    /// The actor, or the group, in whose payments it was found.
    actor: ID,
    /// Ids of payments, 10 at most: of the necessary ones first.
    payments: Vec<ID>,
    /// From 0 to 1.
    score: f64,
}

impl From<ShadowOutcome> for DetectionShadow {
    fn from(outcome: ShadowOutcome) -> Self {
        let ShadowOutcome { rule, version, live_version, findings, both, only_live, only_shadow, first } = outcome;
        let FirstFindings { both: first_both, only_live: first_live, only_shadow: first_shadow } = first;
        let all = |findings: Vec<ShadowFinding>| findings.into_iter().map(DetectionShadowFinding::from).collect();
        let first = DetectionShadowFindings { both: all(first_both), only_live: all(first_live), only_shadow: all(first_shadow) };
        Self { rule: ID(rule), version, live_version, findings, both, only_live, only_shadow, first }
    }
}

impl From<ShadowFinding> for DetectionShadowFinding {
    fn from(ShadowFinding { actor, payments, score }: ShadowFinding) -> Self {
        Self { actor: ID(actor), payments: payments.into_iter().map(ID).collect(), score }
    }
}
