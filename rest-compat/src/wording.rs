//! How REST puts what an operation could not do. The operations say what is the case; these are its words, each beginning with where.

use resolvers::{CaseConflict, CaseConflictKind, Conflict, ObjectKind, Role, TokenFault, Unrecognised};

/// Why credentials do not count.
pub fn unauthenticated(reason: Unrecognised) -> &'static str {
    match reason {
        Unrecognised::Key => "x-api-key: this key is not known, or was revoked",
        Unrecognised::Client => "the client is not known, its secret is wrong, or it was revoked",
        Unrecognised::Token(TokenFault::Malformed) => "authorization: the token is refused: this is no token",
        Unrecognised::Token(TokenFault::UnknownIssuer) => "authorization: the token is refused: its issuer is not known here",
        Unrecognised::Token(TokenFault::UnknownKey) => "authorization: the token is refused: its key is not known",
        Unrecognised::Token(TokenFault::NotValid) => "authorization: the token is refused: it is not valid, or has expired",
        Unrecognised::Token(TokenFault::Expired) => "authorization: the token is refused: it has expired",
        Unrecognised::Token(TokenFault::ClientRevoked) => "authorization: the token is refused: its client was revoked",
        Unrecognised::Token(TokenFault::UserDisabled) => "authorization: the token is refused: its user is not enabled",
        Unrecognised::Token(TokenFault::NoRole) => "authorization: the token is refused: neither it nor its user's groups give a role here",
    }
}

/// That a role is not for this.
pub fn forbidden(role: Role) -> String {
    format!("credentials: the role {role} may not do this")
}

pub(crate) fn not_found(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::Actor => "id: there is no actor with this id",
        ObjectKind::ExtendedInformation => "id: there is no extended information of an actor with this id",
        ObjectKind::Transaction => "id: there is no transaction with this id",
        ObjectKind::Observation => "id: there is no observation with this id",
        ObjectKind::AccountRole => "the actor has no role on this account: the relation does not exist",
        ObjectKind::Case => "id: there is no case with this id",
        ObjectKind::CaseActor => "actor_id: the case has no such actor",
        ObjectKind::File => "id: there is no file with this id",
        ObjectKind::User => "id: there is no user with this id",
        ObjectKind::SegmentationCategory => "id: there is no segmentation category with this id",
        ObjectKind::SegmentationGroup => "id: there is no segmentation group with this id",
        ObjectKind::SegmentationOwner => "actorId: the actor is no owner of this group",
        ObjectKind::SegmentationActor => "actorId: there is no actor with this id",
        ObjectKind::RequestForData => "id: there is no request for data with this id",
        ObjectKind::RequestForDataSchema => "type: there is no schema of this type",
        ObjectKind::ApiKey => "id: there is no such key, or it was revoked before",
        ObjectKind::BulkCase => "id: no case with this id has come in bulk within the last 30 days",
        ObjectKind::Webhook => "id: there is no webhook with this id",
        ObjectKind::Delivery => "id: there is no delivery with this id",
        ObjectKind::Client => "id: there is no such client, or it was revoked before",
    }
}

/// What a request collides with.
pub fn conflict(conflict: Conflict) -> &'static str {
    match conflict {
        Conflict::IdempotencyKeyInUse => "idempotency-key: the first request with this key is still under way",
        Conflict::NameTaken => "name: must be unique, and another has this one",
        Conflict::UsernameTaken => "username: must be unique, and another has this one",
        Conflict::LastAdministrator => "id: is the last credential of an administrator that works; make another one first",
        Conflict::UserExists => "userId: there is a user with this id",
    }
}

/// Why something can't be done with a case as it stands.
pub fn case_conflict(conflict: &CaseConflict) -> String {
    let current = &conflict.current;
    match conflict.kind {
        CaseConflictKind::Stale => format!("expectedVersion: the case has changed since; it has version {} now", current.version),
        CaseConflictKind::NotAllowed => {
            format!("action: can't be done while the case is {}; can be: {}", current.status, current.actions.join(", "))
        }
    }
}

/// Too many wrong credentials came from an address.
pub const TOO_MANY_GUESSES: &str = "credentials: too many wrong ones came from this address; try again later";

/// The service can't be used now.
pub(crate) const UNAVAILABLE: &str = "the service can't do this now; try again later";

/// It took too long, and is over.
pub(crate) const TOO_LONG: &str = "this took longer than it may and was not done; ask for less, or try again later";
