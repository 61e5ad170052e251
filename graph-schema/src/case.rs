//! Cases: what is sent to make and change them, and what is read.
//!
//! A case is about actors, was raised from observations, and stands on a step of a workflow ([`crate::workflow`]).

mod communication;
mod create;
mod file;
mod read;
mod update;

use async_graphql::Enum;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use communication::CommunicationRecord;
pub use create::{CaseActorRequest, CaseCommunicationRequest, CreateCase};
pub use file::CaseFileRecord;
pub use read::{
    CaseActorFields, CaseActorRecord, CaseFields, CaseListItem, CaseListWorkflow, CaseObservationRecord, CaseRecord, CaseTagRecord,
    CaseWorkflowRecord,
};
pub use update::{AddCaseActor, CaseActorUpdate, CaseUpdate, EarlierCaseUpdate, EarlierCommunication, UpdateCase};

use crate::{fault::Fault, json_object::JsonObject, json_text};

/// Most actors that one request may bring to a case.
pub const MAX_CASE_ACTORS: usize = 1000;
/// Most characters that custom data of a case's actor or communication may have, as compact JSON.
pub const MAX_CUSTOM_DATA_CHARS: usize = 10_000;

/// What a case is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CaseType {
    /// Something is looked into.
    #[default]
    Analysis,
    /// Something is reported to an authority.
    Filing,
}

/// What an actor is to a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CaseActorType {
    /// The case concerns them.
    #[default]
    Connection,
    /// The case is about them.
    Focal,
}

/// By what detection gathers findings into one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GatheredBy {
    /// The findings about one actor.
    Actor,
    /// The findings that share a focal actor or a payment, directly or through others.
    Ring,
}

/// The bound of custom data; the text is counted without blanks between its parts.
pub fn check_custom_data(at: &str, custom_data: Option<&JsonObject>, faults: &mut Vec<Fault>) {
    let count = custom_data.map_or(0, |data| json_text::compact_chars(data.as_str()));
    if count > MAX_CUSTOM_DATA_CHARS {
        faults.push(Fault::new(at, format!("must be at most {MAX_CUSTOM_DATA_CHARS} characters of JSON")));
    }
}
