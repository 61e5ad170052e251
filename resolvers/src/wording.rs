//! How a face puts what an operation could not do, where both say it in the same words, each sentence beginning with where.

use crate::{CaseConflict, CaseConflictKind, Conflict, Gap, GapReason, Roles, TokenFault, Unrecognised};

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

/// That no role of the caller allows this.
pub fn forbidden(roles: Roles) -> String {
    let named = if roles.iter().count() == 1 { "the role" } else { "the roles" };
    format!("credentials: {named} {roles} may not do this")
}

/// That a part of the change feed is kept no more.
pub fn forgotten(oldest: i64) -> String {
    format!("after: what comes behind it is kept no more; begin at {oldest}, and read anew what may have changed before")
}

/// That one who follows changes is not told of some.
pub fn gap(gap: &Gap) -> String {
    let why = match gap.reason {
        GapReason::Forgotten => "are kept no more",
        GapReason::TooFarBehind => "are too many to be told one by one",
        GapReason::Unreadable => "can't be read",
    };
    format!(
        "changes behind {} {why}: events go on behind {}; read anew what is shown, or, where it is kept, `changes(after: \"{}\")`",
        gap.after,
        gap.resumes_after,
        gap.after.set()
    )
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

/// A defect of ours, of which only the log has the reason.
pub const DEFECT: &str = "service: something went wrong here; x-request-id names the entry in the log";
