//! What several operations of segmentation answer with.

use serde::Serialize;
use utoipa::ToSchema;

/// The id of what was made or changed; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct MadeSegment {
    id: String,
}

/// What was done, in a sentence; the resolver writes it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct Message {
    message: String,
}

/// A page of actors' ids.
#[derive(Serialize, ToSchema)]
pub(super) struct ActorPage {
    pub(super) actor_ids: Vec<String>,
    pub(super) offset: i64,
    pub(super) limit: i64,
}

/// A page of owners' ids, by the names that the document has for them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OwnerPage {
    pub(super) actor_ids: Vec<String>,
    pub(super) offset: i64,
    pub(super) limit: i64,
}
