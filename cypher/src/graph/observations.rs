//! Observations: what is shown of them, and how they were handled.

use graph_schema::date::{Date, Timestamp};
use graph_schema::edge::{ObservationActorFields, ObservationRuleFields};
use graph_schema::id::TransactionId;
use graph_schema::money::Money;
use graph_schema::observation::{MissingReference, ObservationHandling, ObservationType};

use super::filters::handled;
use super::orders::{Sort, ascending, descending};
use super::row::columns;

/// What is shown of an observation; a placeholder has none of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationSummary {
    pub known: bool,
    /// Whether everything it names is there.
    pub finalized: bool,
    pub kind: Option<ObservationType>,
    pub title: Option<String>,
    pub behavior_id: Option<String>,
    pub behavior_name: Option<String>,
    pub observed_at: Option<Timestamp>,
    pub score: Option<f64>,
    pub taxonomy_description: Option<String>,
    pub data_source: Option<String>,
    pub transaction_ids: Option<Vec<TransactionId>>,
    pub recorded_at: Option<Timestamp>,
    pub internal_id: Option<String>,
    pub priority: Option<String>,
    pub label: Option<String>,
    pub program_group: Option<String>,
    pub business_date: Option<Date>,
    pub batch_id: Option<String>,
    pub below_the_line: bool,
    /// The larger of what outbound and inbound records of its payments add up to.
    pub standardized_total: Option<Money>,
    /// Whether somebody has given feedback on it, acted on it, dismissed it or raised a case from it.
    pub handled: bool,
    /// Only of the service's own detection.
    pub score_reason: Option<String>,
    /// Of the run that found it.
    pub line_of_business: Option<String>,
    /// From which score on its rule speaks.
    pub model_threshold: Option<f64>,
    /// Whose request brought it, by id.
    pub submitted_by: Option<String>,
}

columns!(ObservationSummary {
    known: "NOT {b}:Placeholder",
    finalized: "NOT {b}:Placeholder AND NOT EXISTS { MATCH ({b})-[:CITES|ABOUT|MENTIONS]->(named) WHERE named:Placeholder }",
    // A placeholder has no type, and the embedded engine would make one up.
    kind: "CASE WHEN {b}:Placeholder THEN null ELSE {b}.type END",
    title: "{b}.observationTitle",
    behavior_id: "{b}.behaviorId",
    behavior_name: "{b}.behaviorName",
    observed_at: "{b}.observedAt",
    score: "{b}.score",
    taxonomy_description: "{b}.taxonomyDescription",
    data_source: "{b}.dataSource",
    transaction_ids: "{b}.transactionIds",
    recorded_at: "{b}.recordedAt",
    internal_id: "{b}.internalId",
    priority: "{b}.priority",
    label: "{b}.observationLabel",
    program_group: "{b}.programGroup",
    business_date: "{b}.businessDate",
    batch_id: "{b}.batchId",
    below_the_line: "coalesce({b}.btlFlag, false)",
    standardized_total: "CASE WHEN {b}.standardUnits IS NULL THEN null ELSE [{b}.standardUnits, {b}.standardNanos] END",
    handled: handled!(),
    score_reason: "{b}.scoreReason",
    line_of_business: "{b}.lineOfBusiness",
    model_threshold: "{b}.modelThreshold",
    submitted_by: "{b}.submittedBy",
});

columns!(ObservationActorFields { primary: "{r}.primary" });
columns!(ObservationRuleFields { status: "{r}.status", score: "{r}.score", date: "{r}.date", matched: "{r}.matched", unmatched: "{r}.unmatched" });
columns!(MissingReference { kind: "type({r})", id: "{b}.id" });
columns!(ObservationHandling {
    kind: "type({r})",
    at: "coalesce({r}.linkedAt, {b}.createdAt, 0)",
    reason: "CASE type({r}) WHEN 'DISMISSES' THEN {b}.reason WHEN 'TAKEN_ON' THEN {b}.comment END",
    feedback: "CASE type({r}) WHEN 'GIVEN_ON' THEN {b}.feedback WHEN 'DISMISSES' THEN {b}.feedback END",
    user_id: "CASE type({r}) WHEN 'RAISED_FROM' THEN {r}.by ELSE {b}.userId END",
});

/// What was done last is first. A link that an older program made does not say when.
pub(super) const BY_ACT: &[Sort] =
    &[Sort { name: "AT", keys: &[descending("coalesce({r}.linkedAt, {b}.createdAt, 0)"), ascending("type({r})"), ascending("{b}.id")] }];
