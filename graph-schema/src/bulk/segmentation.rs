//! That an actor is in a group, as bulk ingestion has it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    given::Input,
    id::{ActorId, SegmentationGroupId},
};

/// An actor of a segmentation group, of a bulk list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkActorSegmentationGroup {
    pub actor_id: ActorId,
    pub group_id: SegmentationGroupId,
}

impl Input for BulkActorSegmentationGroup {}
