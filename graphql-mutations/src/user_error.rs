//! What all errors of payloads have in common, so that one fragment of a document reads any of them.

use async_graphql::Interface;
use graphql_service::detection::DetectionUserError;
use graphql_service::job::JobUserError;
use graphql_service::risk::RiskUserError;

use crate::case::work::CaseUserError;
use crate::cleared_match::ClearedMatchUserError;
use crate::risk::ActorRiskUserError;
use crate::segmentation::SegmentationUserError;
use crate::user::UserUserError;
use crate::webhook::WebhookUserError;

/// A reason why a mutation has done nothing. Each type has a `code` of its mutations beside.
#[derive(Interface)]
#[graphql(
    field(
        name = "path",
        ty = "&Vec<String>",
        desc = "The place in the input, from `input` on, with positions in lists as digits. Empty where no one field is to blame."
    ),
    field(name = "message", ty = "&String", desc = "The error in a sentence, with the path of the input field where one is wrong.")
)]
pub enum UserError {
    ActorRisk(ActorRiskUserError),
    Case(CaseUserError),
    ClearedMatch(ClearedMatchUserError),
    Detection(DetectionUserError),
    Job(JobUserError),
    Risk(RiskUserError),
    Segmentation(SegmentationUserError),
    User(UserUserError),
    Webhook(WebhookUserError),
}
