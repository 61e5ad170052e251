//! How GraphQL puts what an operation could not do: a code for programs, with what they can use of it, and a sentence for people.

use async_graphql::{ErrorExtensionValues, ErrorExtensions};
use graph_schema::fault::Fault;
use resolvers::{Conflict, Error, ObjectKind, without_values, wording};

/// An operation's error for a client; nothing of the inside.
pub fn refused(error: Error) -> async_graphql::Error {
    match &error {
        Error::Internal(text) => tracing::error!(error = without_values(text), "internal error"),
        Error::Misconfigured(what) => tracing::error!(error = what, "internal error"),
        _ => {}
    }
    async_graphql::Error::new(message(&error)).extend_with(|_, extensions| extend(extensions, &error))
}

fn extend(extensions: &mut ErrorExtensionValues, error: &Error) {
    extensions.set("code", code(error));
    match error {
        Error::NotFound { kind, id } => {
            extensions.set("kind", kind.as_str());
            extensions.set("id", id.as_str());
        }
        Error::Forbidden { roles, .. } => extensions.set("role", roles.to_string()),
        Error::Forgotten { oldest } => extensions.set("oldest", oldest.to_string()),
        _ => {}
    }
}

fn code(error: &Error) -> &'static str {
    match error {
        Error::Unreadable(_) | Error::Invalid(_) => "INVALID",
        Error::UnsupportedFile(_) => "INVALID",
        Error::Unauthenticated(_) => "UNAUTHENTICATED",
        Error::TooManyGuesses { .. } => "TOO_MANY_REQUESTS",
        Error::Forbidden { .. } => "FORBIDDEN",
        Error::NotFound { .. } => "NOT_FOUND",
        Error::Forgotten { .. } => "FORGOTTEN",
        Error::Conflict(_) | Error::CaseConflict(_) => "CONFLICT",
        Error::TooLarge(_) => "TOO_LARGE",
        Error::Unavailable { .. } => "UNAVAILABLE",
        Error::TooLong => "TIME_LIMIT",
        Error::Misconfigured(_) => "MISCONFIGURED",
        Error::Internal(_) => "INTERNAL",
    }
}

/// The sentence.
pub fn message(error: &Error) -> String {
    match error {
        Error::Unreadable(faults) | Error::Invalid(faults) => faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("; "),
        // Credentials are headers here as there.
        Error::Unauthenticated(reason) => wording::unauthenticated(*reason).to_owned(),
        Error::TooManyGuesses { .. } => wording::TOO_MANY_GUESSES.to_owned(),
        Error::Forbidden { roles, .. } => wording::forbidden(*roles),
        Error::NotFound { kind, id } => match kind {
            ObjectKind::AccountRole => format!("the actor {id} has no role on this account"),
            ObjectKind::ApiKey => format!("there is no API key {id}, or it was revoked before"),
            ObjectKind::BulkCase => format!("no case {id} has come in bulk within the last 30 days"),
            ObjectKind::Client => format!("there is no client {id}, or it was revoked before"),
            ObjectKind::ExtendedInformation => format!("there is no extended information of an actor {id}"),
            ObjectKind::Case => format!("there is no case {id}"),
            ObjectKind::CaseActor => format!("the case has no actor {id}"),
            ObjectKind::File => format!("there is no file {id}"),
            ObjectKind::User => format!("there is no user {id}"),
            ObjectKind::SegmentationCategory => format!("there is no segmentation category {id}"),
            ObjectKind::SegmentationGroup => format!("there is no segmentation group {id}"),
            ObjectKind::SegmentationOwner => format!("the actor {id} is no owner of this group"),
            ObjectKind::Actor | ObjectKind::SegmentationActor => format!("there is no actor {id}"),
            ObjectKind::Observation => format!("there is no observation {id}"),
            ObjectKind::RequestForData => format!("there is no request for data {id}"),
            ObjectKind::RequestForDataSchema => format!("there is no schema of requests for data of the type {id}"),
            ObjectKind::Webhook => format!("there is no webhook {id}"),
            ObjectKind::Delivery => format!("there is no delivery {id}"),
            ObjectKind::Job => format!("there is no job {id}"),
            ObjectKind::Snooze => format!("there is no snooze {id}"),
            ObjectKind::ClearedMatch => format!("there is no cleared match {id}"),
            ObjectKind::Watchlist => format!("there is no watchlist {id}"),
            ObjectKind::WatchlistUpload => {
                format!("there is no upload {id}, or it was imported, or it was removed after its time; upload the file again")
            }
            ObjectKind::Transaction => format!("there is no transaction {id}"),
        },
        Error::Forgotten { oldest } => wording::forgotten(*oldest),
        Error::Conflict(Conflict::IdempotencyKeyInUse) => "the first request with this idempotency key is still under way".to_owned(),
        Error::Conflict(conflict) => wording::conflict(*conflict).to_owned(),
        Error::CaseConflict(conflict) => wording::case_conflict(conflict),
        Error::UnsupportedFile(fault) => fault.to_string(),
        Error::TooLarge(too_large) => too_large.to_string(),
        Error::Unavailable { .. } => "the database can't be used now; try again".to_owned(),
        Error::TooLong => "this took longer than it may; ask for less".to_owned(),
        Error::Misconfigured(what) => what.clone(),
        Error::Internal(_) => "internal error; the log has more under this request's id".to_owned(),
    }
}
