//! Cases: made and changed by systems over REST, worked on by people over GraphQL.
//!
//! Each operation is a function that makes a write, and a rule ([`crate::queue::Amend`]) that decides about it by what is stored, under the case's
//! lock: what changes, and which events tell of it. Of transactions, retries and keys nothing is here.
//!
//! - [`create`]: a new case, its first step, its actors.
//! - [`listed`]: a case of a list, of a bulk request or an import.
//! - [`raise`]: a case that is made from an observation when that comes in.
//! - [`alerts`]: a case that somebody raises from observations, or adds them to.
//! - [`gather`]: a case in which detection gathers findings.
//! - [`earlier`]: cases that were made before about the same actors.
//! - [`update`]: resolution, custom properties, communications.
//! - [`actors`]: whom a case is about.
//! - [`communications`]: what somebody wrote to somebody about it.
//! - [`files`]: what was uploaded to it.
//! - [`requests`]: data that systems are asked for.
//! - [`request_schemas`]: the shapes it has, and how long it may take.
//! - [`overdue`]: how many requests for data are overdue, for whoever watches over the service.
//! - [`custom`]: which values custom properties may have.
//! - [`workflows`]: the steps that cases go through.
//! - [`contents`]: what a case has of what is added to it, so that what it has already changes nothing.
//! - [`field_times`]: when each field was said last.
//! - [`extend`]: what a case of a list adds to one that is there.
//! - [`addition`]: what adding an actor, a communication or a file have in common.
//! - [`list`]: which cases there are.
//! - [`work`]: what people do with it: assign, comment, and what all such work has in common.
//! - [`moving`]: acting on its workflow, closing and reopening it.
//! - [`decisions`]: what is to become of its transactions.
//! - [`describing`]: its tags, its jurisdiction, whom it is about, what was found of its actors.
//! - [`whitelist`]: whitelisting an observation that it was raised from.
//! - [`revising`]: setting its custom properties and its resolution.
//! - [`feedback`]: what they think of the observations it was raised from.
//! - [`stored`]: what is known of a case under its lock, and how a change of it is numbered.

mod actors;
mod addition;
mod alerts;
mod communications;
mod contents;
mod create;
mod custom;
mod decisions;
mod describing;
mod earlier;
mod extend;
mod feedback;
mod field_times;
mod files;
pub(crate) mod gather;
mod list;
mod listed;
mod moving;
mod overdue;
mod raise;
mod read;
mod request_schemas;
mod requests;
mod revising;
pub(crate) mod row;
mod stored;
mod update;
mod whitelist;
mod work;
mod workflows;

pub use addition::CaseAddition;
pub use alerts::RaiseAlerts;
pub(crate) use communications::RECORD_COMMUNICATION;
pub use communications::{AddCommunicationByHand, CommunicationParty};
pub use custom::PropertyQuery;
pub use decisions::DecideTransaction;
pub use describing::{AddCaseActors, CaseActorToAdd, DecideActor, NamedActor, PlaceCase, TagCase};
pub use feedback::GiveFeedback;
pub use files::{FileContent, GivenFile};
pub(crate) use gather::Gathered;
pub use list::CaseQuery;
pub(crate) use listed::KnownCases;
pub use moving::{ActOnCase, WantedMove};
pub(crate) use raise::{RAISE_CASE, raised_case_id};
pub use requests::{RequestAnswer, RequestData};
pub use revising::{SetCaseActorProperties, SetCaseProperties, SetCaseResolution, SetProperty};
pub use stored::CurrentCase;
pub use whitelist::WhitelistObservation;
pub use work::{AssignCase, CaseConflict, CaseConflictKind, CommentOnCase};
pub use workflows::WorkflowQuery;
