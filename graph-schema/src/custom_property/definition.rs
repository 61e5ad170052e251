//! Definitions of custom properties: what values a property may have.

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::NAME_PATTERN;
use crate::{fault::Fault, given::Input, json_object::JsonObject, own_schema::OwnSchema};

/// What has custom properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[graphql(name = "CustomPropertyEntity")]
pub enum PropertyEntity {
    /// A case itself.
    #[serde(rename = "case")]
    Case,
    /// What a case says of one of its actors.
    #[serde(rename = "case.actor")]
    CaseActor,
}

impl PropertyEntity {
    /// As the document writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Case => "case",
            Self::CaseActor => "case.actor",
        }
    }

    /// The one that is written so.
    pub fn written(text: &str) -> Option<Self> {
        [Self::Case, Self::CaseActor].into_iter().find(|entity| entity.as_str() == text)
    }
}

/// A custom property and the schema of its values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CustomPropertyDefinition {
    pub entity: PropertyEntity,
    /// Begins with `c__`.
    #[schema(pattern = "^c__[^\\x00-\\x1f\\x7f]{1,253}$")]
    pub name: String,
    /// A JSON Schema.
    pub schema: JsonObject,
}

impl CustomPropertyDefinition {
    /// The id of its node: a property of one name may be defined for each entity.
    pub fn id(&self) -> String {
        definition_id(self.entity, &self.name)
    }
}

/// The id of the node of a definition.
pub fn definition_id(entity: PropertyEntity, name: &str) -> String {
    format!("{}/{name}", entity.as_str())
}

impl Input for CustomPropertyDefinition {
    fn check(&self, faults: &mut Vec<Fault>) {
        let rest = self.name.strip_prefix(super::PREFIX).unwrap_or_default();
        if !(1..=253).contains(&rest.chars().count()) || rest.chars().any(|c| c.is_ascii_control()) {
            faults.push(Fault::new("name", format!("must match {NAME_PATTERN}")));
        }
        if let Err(problem) = OwnSchema::compile(&self.schema) {
            faults.push(Fault::new("schema", problem));
        }
    }
}
