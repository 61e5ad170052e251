//! What links say: the fields of edges, in GraphQL and in the graph.

use std::sync::Arc;

use async_graphql::{Enum, SimpleObject};
use serde::Deserialize;

use crate::{
    case::CaseActorType,
    custom_property::CustomProperties,
    date::{Date, Timestamp},
    event::{ObservationAction, TransactionDecision},
    id::{ObservationId, UserId},
    json_object::JsonObject,
    money::Total,
    number::Number,
};

/// A role on an account.
#[derive(Debug, Clone, PartialEq, SimpleObject)]
pub struct RoleFields {
    /// Such as `OWNER`.
    pub role: Option<String>,
    /// The date from which it is known.
    pub as_of_date: Option<Date>,
    /// The time at which the service came to know it; null for what was stored before that was kept.
    pub since: Option<Timestamp>,
    /// The time at which it was taken away; null while it is there. Links that have ended are shown by `asOf`.
    pub until: Option<Timestamp>,
}

/// In what part somebody is associated with somebody.
#[derive(Debug, Clone, PartialEq, SimpleObject)]
pub struct AssociateFields {
    /// Such as `INVESTOR` or `GUARANTOR`.
    #[graphql(name = "type")]
    pub kind: Option<String>,
    /// The share owned, 0 to 1.
    pub ratio: Option<f64>,
    /// The date from which the association is known; null when none was given.
    pub as_of_date: Option<Date>,
    /// The system that the association comes from; null when the sender named none.
    pub data_source: Option<String>,
    /// Whether the associate is a customer; null when the sender did not say.
    pub is_customer: Option<bool>,
    /// Ids of the associate in other systems, each as the name of the system and the id, such as `CRM 4711`.
    pub references: Vec<String>,
    /// The time at which the service came to know the association as it is here; null for what was stored before that was kept.
    pub since: Option<Timestamp>,
    /// The time at which something else was said of it; null while this is the last that was. What was said before is shown by `asOf`.
    pub until: Option<Timestamp>,
}

/// Whose request it was that brought a record, as the audit log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingFields {
    /// The id of the user, key or client.
    pub by: Option<String>,
}

/// Sign-ins to one account from one device or address.
#[derive(Debug, Clone, PartialEq, SimpleObject)]
pub struct SignInFields {
    /// How many.
    pub count: i64,
    /// When the first of them was.
    pub first: Timestamp,
    /// When the last of them was.
    pub last: Timestamp,
}

/// Payments between two accounts in one currency, added up. Reported by one side or both, nothing counts twice.
#[derive(Debug, Clone, PartialEq, SimpleObject)]
#[graphql(complex)]
pub struct TransferFields {
    /// Completed payments.
    pub count: i64,
    #[graphql(skip)]
    pub sum: Total,
    #[graphql(skip)]
    pub standardized_sum: Option<Total>,
    /// The currency in which these payments were made and their total is.
    pub currency: String,
    /// When the first of them was made.
    pub first: Timestamp,
    /// When the last of them was made.
    pub last: Timestamp,
}

#[async_graphql::ComplexObject]
impl TransferFields {
    /// Their exact sum.
    pub async fn total(&self) -> Number {
        self.exact_total()
    }

    /// The same in the platform's default currency, by what the payments say it is: totals of several currencies are compared by it.
    pub async fn standardized_total(&self) -> Option<Number> {
        self.exact_standardized_total()
    }
}

impl TransferFields {
    /// Their exact sum, as a number of JSON.
    pub fn exact_total(&self) -> Number {
        self.sum.into()
    }

    /// The same in the platform's default currency.
    pub fn exact_standardized_total(&self) -> Option<Number> {
        self.standardized_sum.map(Number::from)
    }
}

/// What an actor is to a case.
#[derive(Debug, Clone, PartialEq, SimpleObject)]
pub struct CaseActorFields {
    /// The part that the actor has in the case.
    #[graphql(name = "type")]
    pub kind: CaseActorType,
    /// The finding on the actor in this case, as `setCaseActorFinding` sets it; null while there is none.
    pub decision: Option<String>,
    /// What the case says of the actor: an object of `c__…`.
    pub custom_properties: CustomProperties,
    /// What was sent with the actor when it was added to the case.
    pub custom_data: Option<JsonObject>,
}

/// Since when an actor is in a segmentation group, or until when it was, and by whom.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberFields {
    /// The time from which the actor has been a member or an owner of the group.
    pub since: Timestamp,
    /// The name that the credential or user had that added the actor.
    pub by: String,
    /// Who that is, by id; nobody knows of those who were added before that was kept.
    pub by_id: Option<String>,
    /// The time at which that was ended; none while it goes on.
    pub until: Option<Timestamp>,
    /// The name that the credential or user had that ended it.
    pub ended_by: Option<String>,
    /// Who that is, by id.
    pub ended_by_id: Option<String>,
}

/// What a case says of an observation that it was raised from.
#[derive(Debug, Clone, PartialEq, SimpleObject)]
pub struct CaseObservationFields {
    /// What was said of it last.
    pub feedback: Option<String>,
    /// What was done with it.
    pub action: Option<ObservationAction>,
}

/// What somebody decided about a transaction of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseDecisionFields {
    /// The latest decision on the transaction in this case.
    pub decision: TransactionDecision,
    /// The user or credential that took it, by id.
    pub decided_by: UserId,
    /// The time at which it was taken.
    pub decided_at: Timestamp,
    /// The reason that was given; null when none was.
    pub comment: Option<String>,
}

/// What a transaction is to a case: by what it belongs to it, and what somebody decided about it there.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseTransactionFields {
    /// The observations of the case that cite it, in no order.
    pub observation_ids: Vec<ObservationId>,
    /// The latest decision on it in this case, if there is one.
    pub decided: Option<CaseDecisionFields>,
}

/// What an actor is to an observation.
#[derive(Debug, Clone, PartialEq, SimpleObject)]
pub struct ObservationActorFields {
    /// Whether it is mainly about them.
    pub primary: bool,
}

/// What came of a rule.
#[derive(Debug, Clone, PartialEq, SimpleObject)]
pub struct ObservationRuleFields {
    /// The outcome of the rule in the sender's words; null when none was sent.
    pub status: Option<String>,
    /// The score that the rule gave, as a number; null when none was sent.
    pub score: Option<f64>,
    /// The time at which the rule was evaluated; null when none was sent.
    pub date: Option<Timestamp>,
    /// Ids of its conditions that held.
    pub matched: Option<Vec<String>>,
    /// Ids of its conditions that did not.
    pub unmatched: Option<Vec<String>>,
}

/// By what two actors are connected: the identity that both have.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedIdentityFields {
    pub kind: IdentityKind,
    pub id: Arc<str>,
    pub name: Arc<str>,
}

/// Of which kind the identity at the other end is, and by what it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SimpleObject)]
pub struct IdentityFields {
    /// A field of the identity, not of the edge.
    #[graphql(skip)]
    pub kind: IdentityKind,
    /// By what the account is known to have this number: its own record or payments. Null for references, and for what identifies actors.
    pub source: Option<NumberSource>,
}

/// Why an account has a number.
#[derive(Enum, Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NumberSource {
    /// Its own record names it.
    Record,
    /// Payments name it together with another number or the id of the account, or the account is elsewhere and known by what payments say of it.
    Payment,
}

/// What one does to a case to bring it to another step.
#[derive(Debug, Clone, PartialEq, Eq, SimpleObject)]
pub struct MoveFields {
    /// Such as `CLAIM`.
    pub action: String,
}

/// Kinds of identities.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum IdentityKind {
    /// A phone number, normalised to E.164 where it is one.
    Phone,
    /// An email address.
    Email,
    /// A postal address.
    Address,
    /// A document or number of an authority.
    GovernmentId,
    /// In another system.
    Reference,
    /// An IBAN or an account number.
    AccountIdentifier,
}

impl IdentityKind {
    /// By the type of the link that leads to it.
    pub fn of_link(link: &str) -> Option<Self> {
        Some(match link {
            "HAS_PHONE" => Self::Phone,
            "HAS_EMAIL" => Self::Email,
            "HAS_ADDRESS" => Self::Address,
            "HAS_GOVERNMENT_ID" => Self::GovernmentId,
            "HAS_REFERENCE" => Self::Reference,
            "IDENTIFIED_BY" => Self::AccountIdentifier,
            _ => return None,
        })
    }

    /// The label of its nodes.
    pub fn label(self) -> &'static str {
        match self {
            Self::Phone => "Phone",
            Self::Email => "Email",
            Self::Address => "Address",
            Self::GovernmentId => "GovernmentId",
            Self::Reference => "Reference",
            Self::AccountIdentifier => "AccountIdentifier",
        }
    }
}
