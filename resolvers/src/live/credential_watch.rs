//! Watching the credential of one connection.

use std::sync::Arc;
use std::time::Duration;

use cypher::Engine;
use graph_schema::date::Timestamp;
use tokio::sync::watch;

use super::credentials::{Connection, CredentialKind, Standing};
use super::tail::{Seat, Tail};
use crate::clock::Clock;
use crate::policy::Roles;

/// A clock may be set: how far a token's end is, is looked at again after this long.
const CLOCK_HOLDS: Duration = Duration::from_secs(10);

/// Why a credential is good no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialEnd {
    /// The token's time is over.
    Expired,
    /// The key or the client was revoked, or the user is not enabled any more or has other roles now: who comes again is asked who he is.
    Revoked,
}

/// Watches the credential of a caller until it is dropped.
pub struct CredentialWatch {
    /// Nothing for the service itself, and the operator of its machine.
    registered: Option<Registered>,
    expires_at: Option<Timestamp>,
    clock: Arc<dyn Clock>,
}

struct Registered {
    tail: Tail,
    id: String,
    connection: Connection,
    standing: watch::Receiver<Standing>,
    _seat: Seat,
}

impl CredentialWatch {
    /// Watches from now on. `stored` is what the store knows the credential by, and the roles that it gave; one that has ended before is found by the first
    /// look.
    pub(super) fn begin(
        stored: Option<(&str, CredentialKind, Roles)>,
        ends: (Option<Timestamp>, Arc<dyn Clock>),
        tail: &Tail,
        engine: &Engine,
    ) -> Self {
        let registered = stored.map(|(id, kind, roles)| {
            let (connection, standing) = tail.credentials().enter(id, kind, roles);
            Registered { tail: tail.clone(), id: id.to_owned(), connection, standing, _seat: tail.watch(engine) }
        });
        let (expires_at, clock) = ends;
        Self { registered, expires_at, clock }
    }

    /// Waits until the credential is good no more, and says why; for ever where that never comes.
    pub async fn ended(&mut self) -> CredentialEnd {
        let Self { registered, expires_at, clock } = self;
        let is_revoked = async {
            if let Some(registered) = registered {
                let connection = registered.connection;
                let has_ended = registered.standing.wait_for(|standing| connection.is_ended_by(*standing)).await.is_ok();
                if has_ended {
                    return;
                }
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            biased;
            () = is_revoked => CredentialEnd::Revoked,
            () = is_expired(*expires_at, &**clock) => CredentialEnd::Expired,
        }
    }
}

/// Waits for a token's end.
async fn is_expired(at: Option<Timestamp>, clock: &dyn Clock) {
    let Some(at) = at else { return std::future::pending::<()>().await };
    loop {
        let left = at.millis().saturating_sub(clock.now().millis());
        match u64::try_from(left) {
            Ok(left) if left > 0 => tokio::time::sleep(Duration::from_millis(left).min(CLOCK_HOLDS)).await,
            _ => return,
        }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.tail.credentials().leave(&self.id, &self.connection);
    }
}
