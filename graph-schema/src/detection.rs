//! Detection: the batch that looks for suspicious patterns.

use std::ops::Deref;

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::{code::NAME_PATTERN, date::Date, given::Input};

/// Which of the two modules a batch is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ProcessType {
    /// Transaction Monitoring.
    Aml,
    /// Actor Intelligence.
    Actor,
}

impl ProcessType {
    /// As requests have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Aml => "AML",
            Self::Actor => "ACTOR",
        }
    }
}

/// Whom a batch is about: `INDIVIDUAL`, `LEGAL_ENTITY`, the text in actors' `customData.lineOfBusiness`, or the name of a segmentation group. 1 to 256
/// characters that can be seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineOfBusiness(pub String);

impl Deref for LineOfBusiness {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialSchema for LineOfBusiness {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(256));
        text.pattern(Some(NAME_PATTERN)).into()
    }
}

impl ToSchema for LineOfBusiness {}

/// A batch to be started (Initialize batch).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"closeOfBusinessDate": "2026-03-31", "lineOfBusiness": "INDIVIDUAL", "processType": "AML"}))]
pub struct DetectionBatch {
    /// What happened up to the end of this business day counts; today, or earlier.
    pub close_of_business_date: Date,
    /// Whom it is about: `INDIVIDUAL`, `LEGAL_ENTITY`, the text in actors' `customData.lineOfBusiness`, or the name of a segmentation group.
    pub line_of_business: LineOfBusiness,
    pub process_type: ProcessType,
}

impl Input for DetectionBatch {}
