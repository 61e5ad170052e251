//! How far an item of a bulk request is.

use std::fmt;

use async_graphql::{Enum, SimpleObject};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::date::Timestamp;
use crate::id::CaseId;
use crate::json_text::JsonText;

/// How an item stands (decisions, "States").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BulkItemState {
    /// It was not looked at yet.
    Pending,
    /// Something that it names is not there; it is tried again.
    Deferred,
    /// The item is stored.
    Completed,
    /// It is in the dead letters.
    Failed,
}

/// A kind of thing that an item waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RelationKind {
    /// An individual or legal entity.
    Actor,
    /// A branch or machine at which a payment was made.
    ChannelLocation,
    /// A communication that a case names.
    Communication,
    /// An observation that a case names.
    Observation,
    /// A group whose member an actor is to be.
    SegmentationGroup,
    /// A payment that an observation cites.
    Transaction,
    /// A workflow that a case names.
    Workflow,
}

impl RelationKind {
    pub const ALL: [Self; 7] =
        [Self::Actor, Self::ChannelLocation, Self::Communication, Self::Observation, Self::SegmentationGroup, Self::Transaction, Self::Workflow];

    /// The label of its nodes.
    pub fn label(self) -> &'static str {
        match self {
            Self::Actor => "Actor",
            Self::ChannelLocation => "ChannelLocation",
            Self::Communication => "Communication",
            Self::Observation => "Observation",
            Self::SegmentationGroup => "SegmentationGroup",
            Self::Transaction => "Transaction",
            Self::Workflow => "Workflow",
        }
    }
}

/// Something that an item names and that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, SimpleObject)]
pub struct MissingRelation {
    /// What kind of object is missing.
    pub kind: RelationKind,
    /// The id that the item names.
    pub id: String,
}

/// As the graph keeps it: `Actor/17`.
impl fmt::Display for MissingRelation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.kind.label(), self.id)
    }
}

impl MissingRelation {
    /// Reads what the graph keeps.
    pub fn parse(text: &str) -> Option<Self> {
        let (label, id) = text.split_once('/')?;
        let kind = RelationKind::ALL.into_iter().find(|kind| kind.label() == label)?;
        Some(Self { kind, id: id.to_owned() })
    }
}

/// The ids that a bulk case names and that are not there, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct MissingRelations {
    pub actors: Vec<String>,
    /// The analysis that a filing is about. No documented field names one, so that none is ever missing.
    pub analysis_case: Vec<String>,
    pub communications: Vec<String>,
    pub observations: Vec<String>,
    pub workflow: Vec<String>,
}

impl FromIterator<MissingRelation> for MissingRelations {
    fn from_iter<I: IntoIterator<Item = MissingRelation>>(missing: I) -> Self {
        let mut relations = Self::default();
        for MissingRelation { kind, id } in missing {
            match kind {
                RelationKind::Actor => relations.actors.push(id),
                RelationKind::Communication => relations.communications.push(id),
                RelationKind::Observation => relations.observations.push(id),
                RelationKind::Workflow => relations.workflow.push(id),
                // No case names one.
                RelationKind::ChannelLocation | RelationKind::SegmentationGroup | RelationKind::Transaction => {}
            }
        }
        relations
    }
}

/// How a bulk case stands.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct BulkCaseStatus {
    pub status: BulkItemState,
    pub missing_relations: MissingRelations,
    /// When the request that has it was taken.
    pub created_at: Timestamp,
    /// When it was completed or given up.
    pub processed_at: Option<Timestamp>,
    /// When it is tried again at the latest.
    pub deferred_until: Option<Timestamp>,
    /// How often it was tried.
    pub attempts: i64,
}

/// A case that could not be made.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DeadLetter {
    pub id: String,
    pub case_id: CaseId,
    pub created_at: Timestamp,
    pub processed_at: Timestamp,
    /// The case as it came.
    #[schema(value_type = Object)]
    pub case: JsonText,
}
