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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::given::read;

    #[test]
    fn both_ids_are_required_and_nothing_else_is_taken() {
        let given = read::<BulkActorSegmentationGroup>(br#"{"actor_id":"a","group_id":"g"}"#).map(|given| given.value);
        assert_eq!(given, Ok(BulkActorSegmentationGroup { actor_id: ActorId::new("a"), group_id: SegmentationGroupId::new("g") }));
        for wrong in [r#"{"actor_id":"a"}"#, r#"{"group_id":"g"}"#, r#"{"actor_id":"a","group_id":"g","since":1}"#] {
            assert!(read::<BulkActorSegmentationGroup>(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
