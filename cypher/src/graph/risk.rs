//! What is shown of an actor's risk: scores, assessments, exclusions, extended information.

use graph_schema::actor::ExclusionType;
use graph_schema::date::{Date, Timestamp};
use graph_schema::risk::ExtendedInformationRecord;

use super::row::summary;

summary! {
    /// A risk score, but for its parts, which its record has.
    RiskScoreSummary {
        as_of_date: Date = "{b}.asOfDate";
        final_score: f64 = "{b}.finalScore";
        calculated_score: Option<f64> = "{b}.calculatedScore";
        /// By the settings when it came.
        band: String = "{b}.riskBand";
        rule: String = "{b}.riskRuleId";
        /// Of the service's own rules.
        rule_name: Option<String> = "{b}.ruleName";
        rule_version: Option<String> = "{b}.riskRuleVersion";
        /// Whether it overrides others, or says that none does any more.
        overrides: Option<bool> = "{b}.override";
        override_reason: Option<String> = "{b}.overrideReason";
        /// The id of the score that overrides it.
        overridden_by: Option<String> = "{b}.overriddenBy";
        data_source: Option<String> = "{b}.dataSource";
        ingested_at: Timestamp = "{b}.ingestedAt";
        /// By name.
        ingested_by: String = "{b}.ingestedBy";
    }
}

summary! {
    /// A fact about an actor's risk; type and value are its caption.
    RiskAssessmentSummary {
        kind: String = "{b}.type";
        value: String = "{b}.value";
        comment: Option<String> = "{b}.comment";
        as_of_date: Date = "{b}.asOfDate";
        // Those that an older program has kept have no time at which they came.
        recorded_at: Option<Timestamp> = "{b}.recordedAt";
        /// Who has said it first, by id.
        recorded_by: Option<String> = "{b}.recordedBy";
    }
}

summary! {
    /// Whether an actor is monitored from some moment on.
    ActorExclusionSummary {
        kind: ExclusionType = "{b}.exclusionType";
        stored_at: Timestamp = "{b}.storedAt";
        recorded_at: Option<Timestamp> = "{b}.recordedAt";
        comment: Option<String> = "{b}.comment";
    }
}

summary! {
    /// Balances and counts over all products of an actor, as of a date.
    ExtendedInformationSummary {
        as_of_date: Date = "{b}.asOfDate";
        /// With the digits that it was sent with.
        given: ExtendedInformationRecord = "{b}.record";
        recorded_at: Timestamp = "{b}.recordedAt";
        recorded_by: Option<String> = "{b}.recordedBy";
    }
}
