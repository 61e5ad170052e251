//! All mutations, merged.

use async_graphql::MergedObject;
use graphql_service::detection::{DetectionMutation, DetectionRuleMutation, DetectionSnoozeMutation, DetectionTuningMutation};
use graphql_service::job::JobMutation;
use graphql_service::risk::{RiskMutation, RiskRuleMutation};
use graphql_service::screening::ScreeningMutation;
use graphql_service::watchlist::WatchlistMutation;

use crate::case::actors::CaseActorMutation;
use crate::case::decision::DecisionMutation;
use crate::case::describing::DescribingMutation;
use crate::case::lists::CaseListMutation;
use crate::case::making::MakingMutation;
use crate::case::moving::MovingMutation;
use crate::case::request::RequestMutation;
use crate::case::revising::RevisingMutation;
use crate::case::work::CaseMutation;
use crate::case::workflow::WorkflowMutation;
use crate::cleared_match::ClearedMatchMutation;
use crate::device::DeviceMutation;
use crate::observation::action::ObservationActionMutation;
use crate::observation::alerts::AlertMutation;
use crate::observation::feedback::FeedbackMutation;
use crate::risk::ActorRiskMutation;
use crate::segmentation::SegmentationMutation;
use crate::user::UserMutation;
use crate::webhook::WebhookMutation;

/// All that can be changed.
#[derive(Default, MergedObject)]
pub struct Mutation(
    ActorRiskMutation,
    DeviceMutation,
    AlertMutation,
    CaseMutation,
    CaseActorMutation,
    CaseListMutation,
    ClearedMatchMutation,
    MovingMutation,
    DecisionMutation,
    DescribingMutation,
    DetectionMutation,
    DetectionRuleMutation,
    DetectionSnoozeMutation,
    DetectionTuningMutation,
    FeedbackMutation,
    JobMutation,
    MakingMutation,
    ObservationActionMutation,
    RequestMutation,
    RevisingMutation,
    RiskMutation,
    RiskRuleMutation,
    ScreeningMutation,
    SegmentationMutation,
    UserMutation,
    WatchlistMutation,
    WebhookMutation,
    WorkflowMutation,
);
