//! What reports list: feedback on observations, and signals that were suppressed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    date::{Date, Timestamp},
    id::{ActorId, CaseId, ObservationId, TransactionId},
    observation::ObservationType,
};

/// Feedback on an observation of a case. What is not known of an observation is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ObservationFeedbackItem {
    pub observation_id: ObservationId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observation_type: Option<ObservationType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observation_date: Option<Timestamp>,
    pub feedback: String,
    /// The observation's taxonomy description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typology: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior_name: Option<String>,
    /// Of the detection run that found it; absent for what others have found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_of_business: Option<String>,
    /// The observation's score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_score: Option<f64>,
    /// From which score on the rule that found it speaks; absent for what others have found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_threshold: Option<f64>,
    pub case_id: CaseId,
    /// When the feedback was given.
    pub created_time: Timestamp,
    /// Whom the observation is mainly about, or the only one it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor_id: Option<ActorId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_ids: Option<Vec<TransactionId>>,
}

/// A part of the signals that were suppressed in a span of time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SuppressedSignalPage {
    pub signals_suppressed: Vec<SuppressedSignalItem>,
    pub limit: i64,
    pub offset: i64,
    /// All that match, not only those of this part.
    pub number_of_signals: i64,
}

/// A signal that an exclusion of its actor or a snoozed rule has kept from becoming an observation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SuppressedSignalItem {
    pub suppressed_signal_id: i64,
    pub actor_id: ActorId,
    pub review_date: Date,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detection_method_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_source: Option<String>,
}
