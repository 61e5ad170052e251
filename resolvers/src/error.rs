//! What an operation may answer instead of its result. Faces turn it into a status (REST) or an error (GraphQL), last of all.

use std::fmt;
use std::time::Duration;

use cypher::without_values;
use graph_schema::fault::{Fault, Unacceptable};

use crate::{Action, CaseConflict, FileFault, Roles};

/// Why an operation was not done. It says what is the case and not how to put it: each face has its own words. Only [`Error::Internal`] and the
/// log know anything of the inside. As a text it is for the log, and has no value of a record in it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The request can't be read: 400.
    #[error("unreadable, by {} faults", .0.len())]
    Unreadable(Vec<Fault>),
    /// It reads well but breaks the schema or a rule: 422, or 400 where the operation does not list 422.
    #[error("invalid, by {} faults", .0.len())]
    Invalid(Vec<Fault>),
    /// Credentials are missing or wrong: 401.
    #[error("unauthenticated: {0}")]
    Unauthenticated(Unrecognised),
    /// Too many wrong credentials came from this address, and these were not looked at: 429.
    #[error("too many wrong credentials")]
    TooManyGuesses { retry_after: Duration },
    /// The credentials are right, but none of their roles allows this: 403.
    #[error("forbidden: {roles}, {action:?}")]
    Forbidden { roles: Roles, action: Action },
    /// There is no such thing: 404.
    #[error("not found: {kind:?}")]
    NotFound { kind: ObjectKind, id: String },
    /// What comes behind a position of the change feed is kept no more; `oldest` is the first position behind which all is.
    #[error("forgotten: behind {oldest} all is kept")]
    Forgotten { oldest: i64 },
    /// It would collide with something: 409.
    #[error("conflict: {0:?}")]
    Conflict(Conflict),
    /// It can't be done with a case as it stands: 409.
    #[error("conflict: {:?}", .0.kind)]
    CaseConflict(Box<CaseConflict>),
    /// One record is more than is taken at once: 413.
    #[error("too large: {0}")]
    TooLarge(TooLarge),
    /// A file of a type that is not taken, or not of the type that its name says: 415.
    #[error("unsupported file: {0}")]
    UnsupportedFile(FileFault),
    /// The database can't be used now, or too much is under way: 503. Whether a write was done is not known; sending it again is safe.
    #[error("unavailable")]
    Unavailable { retry_after: Duration },
    /// It took longer than it may, and is over; a write was not done.
    #[error("too long")]
    TooLong,
    /// The service lacks a setting for it, or has a wrong one, which the text names: only who runs it can help. 500.
    #[error("misconfigured: {0}")]
    Misconfigured(String),
    /// A defect of ours; the text is for the log.
    #[error("internal: {}", without_values(.0))]
    Internal(String),
}

/// What may not be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    Actor,
    /// What an actor was extended by, such as a merchant's details.
    ExtendedInformation,
    Transaction,
    /// One whose record has come.
    Observation,
    /// Of an actor on an account; its id is the actor's.
    AccountRole,
    Case,
    /// Of a case; its id is the actor's.
    CaseActor,
    File,
    User,
    SegmentationCategory,
    SegmentationGroup,
    /// Of a group; its id is the actor's.
    SegmentationOwner,
    /// That is to own a group.
    SegmentationActor,
    RequestForData,
    /// Its id is the type's name.
    RequestForDataSchema,
    /// One that is not revoked.
    ApiKey,
    /// One that is not revoked.
    Client,
    /// One that came in bulk within the last 30 days.
    BulkCase,
    /// One that was not removed.
    Webhook,
    Delivery,
    /// One that is shown to the caller.
    Job,
    /// Of a rule for an actor.
    Snooze,
    /// Of a party and an entry of a watchlist.
    ClearedMatch,
    Watchlist,
    /// One that was not imported, and is not too old.
    WatchlistUpload,
}

impl ObjectKind {
    /// The kind in one word, for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            ObjectKind::Actor => "Actor",
            ObjectKind::ExtendedInformation => "ExtendedInformation",
            ObjectKind::Transaction => "Transaction",
            ObjectKind::Observation => "Observation",
            ObjectKind::AccountRole => "AccountRole",
            ObjectKind::Case => "Case",
            ObjectKind::CaseActor => "CaseActor",
            ObjectKind::File => "File",
            ObjectKind::User => "User",
            ObjectKind::SegmentationCategory => "SegmentationCategory",
            ObjectKind::SegmentationGroup => "SegmentationGroup",
            ObjectKind::SegmentationOwner => "SegmentationOwner",
            ObjectKind::SegmentationActor => "Actor",
            ObjectKind::RequestForData => "RequestForData",
            ObjectKind::RequestForDataSchema => "RequestForDataSchema",
            ObjectKind::ApiKey => "ApiKey",
            ObjectKind::Client => "Client",
            ObjectKind::BulkCase => "BulkCase",
            ObjectKind::Webhook => "Webhook",
            ObjectKind::Delivery => "Delivery",
            ObjectKind::Job => "Job",
            ObjectKind::Snooze => "Snooze",
            ObjectKind::ClearedMatch => "ClearedMatch",
            ObjectKind::Watchlist => "Watchlist",
            ObjectKind::WatchlistUpload => "WatchlistUpload",
        }
    }
}

/// What a request collides with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// Another request with its idempotency key is under way.
    IdempotencyKeyInUse,
    /// The name that something is to have must be unique, and another has it.
    NameTaken,
    /// The same of a user's name.
    UsernameTaken,
    /// There is a user with the id that a new one is to have.
    UserExists,
    /// No other credential of an administrator works.
    LastAdministrator,
}

/// Of what one write has too much: it would keep the database, and those who write beside it, for too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooLarge {
    /// Text, in bytes.
    Bytes { are: usize, most: usize },
    /// Other things that it names.
    Links { are: usize, most: usize },
    /// Content of a file, in bytes.
    File { most: usize },
}

impl fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Bytes { are, most } => write!(formatter, "one record would take {are} bytes to keep, more than the {most} that are taken"),
            TooLarge::File { most } => write!(formatter, "the file is larger than {} MB", most >> 20),
            TooLarge::Links { are, most } => {
                write!(formatter, "one record names {are} others, more than the {most} that are taken at once; send several")
            }
        }
    }
}

/// Why credentials are nobody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrecognised {
    /// No such API key, or it was revoked.
    Key,
    /// No such client, another secret, or it was revoked.
    Client,
    /// A token that does not count.
    Token(TokenFault),
}

/// Why a token does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenFault {
    /// It can't be read.
    Malformed,
    /// Signed as an outside issuer does, and none is configured.
    UnknownIssuer,
    /// The issuer has no such key.
    UnknownKey,
    /// Wrongly signed, for somebody else, incomplete, or expired.
    NotValid,
    Expired,
    /// The client that got it was revoked since.
    ClientRevoked,
    /// Whom it names is not enabled.
    UserDisabled,
    /// Neither it nor the groups of whom it names give a role here.
    NoRole,
}

impl Unrecognised {
    /// The reason in one word, for the audit log.
    pub fn as_str(self) -> &'static str {
        match self {
            Unrecognised::Key => "UNKNOWN_KEY",
            Unrecognised::Client => "UNKNOWN_CLIENT",
            Unrecognised::Token(TokenFault::Malformed) => "MALFORMED_TOKEN",
            Unrecognised::Token(TokenFault::UnknownIssuer) => "UNKNOWN_ISSUER",
            Unrecognised::Token(TokenFault::UnknownKey) => "UNKNOWN_SIGNING_KEY",
            Unrecognised::Token(TokenFault::NotValid) => "INVALID_TOKEN",
            Unrecognised::Token(TokenFault::Expired) => "EXPIRED_TOKEN",
            Unrecognised::Token(TokenFault::ClientRevoked) => "REVOKED_CLIENT",
            Unrecognised::Token(TokenFault::UserDisabled) => "DISABLED_USER",
            Unrecognised::Token(TokenFault::NoRole) => "NO_ROLE",
        }
    }
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The answer of an operation.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// One fault of a value.
    pub fn invalid(at: &str, problem: impl Into<String>) -> Self {
        Error::Invalid(vec![Fault::new(at, problem)])
    }

    /// Why somebody who was not recognised is not let in, in one word for the audit log.
    pub fn refusal_of_a_stranger(&self) -> Option<&'static str> {
        match self {
            Error::Unauthenticated(reason) => Some(reason.as_str()),
            Error::TooManyGuesses { .. } => Some("TOO_MANY_GUESSES"),
            _ => None,
        }
    }

    /// There is none of this kind with this id.
    pub fn not_found(kind: ObjectKind, id: &str) -> Self {
        Error::NotFound { kind, id: id.to_owned() }
    }
}

impl From<Unacceptable> for Error {
    fn from(unacceptable: Unacceptable) -> Self {
        match unacceptable {
            Unacceptable::Unreadable(faults) => Error::Unreadable(faults),
            Unacceptable::Invalid(faults) => Error::Invalid(faults),
        }
    }
}

impl From<cypher::Error> for Error {
    fn from(error: cypher::Error) -> Self {
        match error {
            cypher::Error::TimeLimit { .. } => Error::TooLong,
            cypher::Error::Unavailable { .. } | cypher::Error::OutcomeUnknown { .. } => {
                tracing::warn!(%error, "database unavailable");
                Error::Unavailable { retry_after: Duration::from_secs(2) }
            }
            cypher::Error::Conflict { .. } => {
                tracing::warn!(%error, "conflict that retries did not solve");
                Error::Unavailable { retry_after: Duration::from_secs(1) }
            }
            cypher::Error::Constraint { .. } | cypher::Error::Rejected { .. } => Error::Internal(error.to_string()),
        }
    }
}
