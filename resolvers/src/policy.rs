//! Who may do what, and what is noted of it.
//!
//! Rights are given by [`Role`]; which role allows which [`Action`] stands in the table of `rights`, for REST, GraphQL and commands alike.
//!
//! The first line of every operation is `let permit = inner.enter(caller, Action::…, Subject::…)?`. It asks the policy and notes reads and
//! refusals for the audit log. Reading takes the [`Permit`] it gives, and so does the audit entry without which there is no write; nothing else makes
//! one, but what the service does by itself: an operation that forgets to ask does not compile.

mod rights;
mod roles;

use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

use graph_schema::date::Timestamp;

pub use rights::Action;
pub use roles::{Role, Roles};

use crate::audit::{Noted, Outcome};
use crate::logical_time::{Acknowledged, LogicalTime};
use crate::{Error, Inner, Result};

/// How a caller showed who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CredentialType {
    ApiKey,
    Token,
    /// A client's secret, for a token.
    Secret,
    /// By being the service, or on its machine.
    System,
}

impl CredentialType {
    /// The one of this name.
    pub(crate) fn named(text: &str) -> Option<Self> {
        [Self::ApiKey, Self::Token, Self::Secret, Self::System].into_iter().find(|means| means.as_str() == text)
    }

    /// As the audit log has it.
    pub fn as_str(self) -> &'static str {
        match self {
            CredentialType::ApiKey => "API_KEY",
            CredentialType::Token => "TOKEN",
            CredentialType::Secret => "CLIENT_SECRET",
            CredentialType::System => "SYSTEM",
        }
    }
}

/// Whom a credential names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identified {
    pub id: String,
    pub name: String,
    pub roles: Roles,
    pub means: CredentialType,
    /// When the credential is good no more: tokens know it, keys hold until they are revoked.
    pub expires_at: Option<Timestamp>,
    /// Whether the roles are those of the groups that are kept of a user, and change with these.
    pub follows_groups: bool,
    /// The id of the user behind it; none behind keys, clients and the service.
    pub user: Option<String>,
}

/// Where a request comes from whose sender is not known yet.
#[derive(Debug, Clone)]
pub struct Origin {
    pub ip: Option<IpAddr>,
    pub request_id: Arc<str>,
}

/// Who asks, in which request. One value a request; its clones share what is noted.
#[derive(Debug, Clone)]
pub struct Caller {
    pub id: String,
    pub name: String,
    pub roles: Roles,
    pub means: CredentialType,
    /// When the credential is good no more, where that is known.
    pub expires_at: Option<Timestamp>,
    /// Whether the roles are those of the groups that are kept of a user, and change with these.
    pub follows_groups: bool,
    /// The id of the user behind the request; none behind keys, clients and the service.
    pub user: Option<String>,
    pub ip: Option<IpAddr>,
    pub request_id: Arc<str>,
    /// Whether all that is read is to come from the store, past the read cache.
    pub past_cache: bool,
    /// What the request has read and was refused, to be told when it ends.
    pub(crate) noted: Noted,
}

impl Caller {
    /// Somebody who was recognised, from an address, in a request.
    pub fn new(identified: Identified, ip: Option<IpAddr>, request_id: Arc<str>) -> Self {
        let Identified { id, name, roles, means, expires_at, follows_groups, user } = identified;
        Self { id, name, roles, means, expires_at, follows_groups, user, ip, request_id, past_cache: false, noted: Noted::default() }
    }

    /// The same caller with notes of its own: for one of several operations of a connection.
    pub fn apart(&self) -> Self {
        Self { noted: Noted::default(), ..self.clone() }
    }

    /// The operator of the machine, by a command: who can open the store may read it.
    pub fn operator(command: &str) -> Self {
        Self::system(command, Role::Admin, Arc::from("none"))
    }

    /// The service itself, or the operator of its machine: `name` says which.
    pub(crate) fn system(name: &str, roles: impl Into<Roles>, request_id: Arc<str>) -> Self {
        let (id, name, roles) = (name.to_owned(), name.to_owned(), roles.into());
        let identified = Identified { id, name, roles, means: CredentialType::System, expires_at: None, follows_groups: false, user: None };
        Self::new(identified, None, request_id)
    }
}

/// What an operation is about, as far as the audit log goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    /// One thing: the label of its node, and its id.
    One(&'static str, &'a str),
    /// Things of a label, found by what they are.
    List(&'static str),
    /// What something that was named already is linked to.
    Linked,
}

/// Somebody was allowed to do what he is about to do.
pub(crate) struct Permit<'c> {
    caller: &'c Caller,
    /// The audit entry that the change leaves, where its id is given beforehand.
    entry: Option<Arc<str>>,
    acknowledged: Acknowledged,
    /// When its bulk request came, of a change that came in one.
    received: Option<Timestamp>,
}

impl<'c> Permit<'c> {
    /// What the service reads for itself: whose key this is, what was answered before.
    pub fn of_service() -> Permit<'static> {
        static SERVICE: LazyLock<Caller> = LazyLock::new(|| Caller::system("service", Role::Admin, Arc::from("none")));
        Permit { caller: &SERVICE, entry: None, acknowledged: Acknowledged::Written, received: None }
    }

    /// Who was allowed.
    pub fn caller(&self) -> &'c Caller {
        self.caller
    }

    /// For a change whose audit entry has this id: where the entry is there, the change was made.
    pub fn leaving(self, entry: &str) -> Self {
        Self { entry: Some(Arc::from(entry)), ..self }
    }

    /// For a change that was acknowledged when its bulk request was taken, which came then.
    pub fn acknowledged_at(self, time: LogicalTime, received: Timestamp) -> Self {
        Self { acknowledged: Acknowledged::Before(time), received: Some(received), ..self }
    }

    /// When the bulk request came that brought the change, where one did.
    pub fn received(&self) -> Option<Timestamp> {
        self.received
    }

    /// When the change is acknowledged.
    pub fn acknowledged(&self) -> Acknowledged {
        self.acknowledged
    }

    /// The id that the audit entry is to have.
    pub fn entry(&self) -> Option<&Arc<str>> {
        self.entry.as_ref()
    }
}

impl Inner {
    /// Lets a caller in, with [`Error::Forbidden`] unless a role of the caller allows the action.
    pub(crate) fn enter<'c>(&self, caller: &'c Caller, action: Action, subject: Subject<'_>) -> Result<Permit<'c>> {
        match may(caller, action) {
            Ok(()) => {
                if action.reads() && self.settings.audited_reads.include(subject) {
                    caller.noted.note(action.name(), subject, Outcome::Success);
                }
                Ok(Permit { caller, entry: None, acknowledged: Acknowledged::Written, received: None })
            }
            Err(error) => {
                caller.noted.note(action.name(), subject, Outcome::Refused);
                Err(error)
            }
        }
    }
}

/// Whether a role of the caller allows the action, without a note of it.
pub(crate) fn may(caller: &Caller, action: Action) -> Result<()> {
    let allowed = action.roles().iter().any(|role| caller.roles.contain(*role));
    if allowed { Ok(()) } else { Err(Error::Forbidden { roles: caller.roles, action }) }
}
