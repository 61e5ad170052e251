//! Segmentation: categories, the groups within them, the actors in groups.
//!
//! A category's name is unique, a group's is unique in its category. An actor may be in any number of groups, and own any number of them.

use std::ops::Deref;

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::{
    code::NAME_PATTERN,
    given::Input,
    id::{ActorId, SegmentationCategoryId, SegmentationGroupId},
    patch,
};

/// Most actors that one request adds to a group or takes out of it.
pub const MAX_MEMBERS: usize = 1000;

/// A category to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Risk appetite", "description": "How much risk the bank takes with whom"}))]
pub struct CreateSegmentationCategory {
    /// No other category has it.
    pub name: SegmentName,
    #[schema(max_length = 4000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A group to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"category_id": "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37", "name": "Private banking", "description": "Clients with an adviser"}))]
pub struct CreateSegmentationGroup {
    /// The category it belongs to, for good.
    pub category_id: SegmentationCategoryId,
    /// No other group of the category has it.
    pub name: SegmentName,
    #[schema(max_length = 4000)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A change of a category or group; a field that is absent stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"description": "Clients with an adviser of their own"}))]
pub struct SegmentationUpdate {
    #[schema(value_type = SegmentName, required = false)]
    #[serde(default, deserialize_with = "patch::required", skip_serializing_if = "Option::is_none")]
    pub name: Option<SegmentName>,
    /// Null takes the description away.
    #[schema(value_type = Option<String>, max_length = 4000)]
    #[serde(default, deserialize_with = "patch::clearable", skip_serializing_if = "Option::is_none")]
    pub description: Option<Option<String>>,
}

/// The name of a category or group: 1 to 256 characters that can be seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SegmentName(pub String);

impl Deref for SegmentName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialSchema for SegmentName {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(256));
        text.pattern(Some(NAME_PATTERN)).into()
    }
}

impl ToSchema for SegmentName {}

impl Input for CreateSegmentationCategory {}
impl Input for CreateSegmentationGroup {}
impl Input for SegmentationUpdate {}

/// An item of a request that adds actors to a group or takes them out: an actor's id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SegmentationMember(pub ActorId);

impl PartialSchema for SegmentationMember {
    fn schema() -> RefOr<Schema> {
        ActorId::schema()
    }
}

impl ToSchema for SegmentationMember {}

impl Input for SegmentationMember {
    const MAX_ITEMS: usize = MAX_MEMBERS;
}

/// By whom it is decided who is in the groups of a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SegmentationType {
    /// By the customer, who says so to this service.
    ComputedByCustomer,
}

/// A category as it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SegmentationCategoryRecord {
    pub id: SegmentationCategoryId,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Seconds since 1970.
    pub created_at: i64,
    /// Seconds since 1970.
    pub changed_at: i64,
    pub created_by: String,
    pub changed_by: String,
    #[serde(rename = "type")]
    pub kind: SegmentationType,
}

/// A group as it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SegmentationGroupRecord {
    pub id: SegmentationGroupId,
    pub category_id: SegmentationCategoryId,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Seconds since 1970.
    pub created_at: i64,
    /// Seconds since 1970.
    pub changed_at: i64,
    pub created_by: String,
    pub changed_by: String,
}
