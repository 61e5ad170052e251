//! The credentials that have an open connection.
//!
//! A request asks for itself; a connection lasts. So all credentials with an open connection are looked at together, once a second, by the statement that
//! looks for changes ([`super::tail`]).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// What a credential is, as far as it matters where it is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CredentialKind {
    /// An API key.
    Key,
    /// A token, of a client or a user.
    Token,
}

/// All of them by their ids, which no two share.
#[derive(Default)]
pub(super) struct Credentials(Mutex<HashMap<String, Watched>>);

struct Watched {
    kind: CredentialKind,
    connections: usize,
    has_ended: watch::Sender<bool>,
}

impl Credentials {
    fn locked(&self) -> MutexGuard<'_, HashMap<String, Watched>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ids of API keys, and of clients and users with tokens.
    pub fn ids(&self) -> (Vec<String>, Vec<String>) {
        let (mut keys, mut tokens) = (Vec::new(), Vec::new());
        for (id, watched) in self.locked().iter() {
            let ids = if watched.kind == CredentialKind::Key { &mut keys } else { &mut tokens };
            ids.push(id.clone());
        }
        (keys, tokens)
    }

    /// Notes that a credential has ended.
    pub fn end(&self, id: &str) {
        if let Some(watched) = self.locked().get(id) {
            watched.has_ended.send_replace(true);
        }
    }

    /// One more connection of a credential. What is given tells when it has ended.
    pub fn enter(&self, id: &str, kind: CredentialKind) -> watch::Receiver<bool> {
        let mut all = self.locked();
        let watched = all.entry(id.to_owned()).or_insert_with(|| Watched { kind, connections: 0, has_ended: watch::Sender::new(false) });
        watched.connections += 1;
        watched.has_ended.subscribe()
    }

    /// One connection less.
    pub fn leave(&self, id: &str) {
        let mut all = self.locked();
        if let Some(watched) = all.get_mut(id) {
            watched.connections -= 1;
            if watched.connections == 0 {
                all.remove(id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_of_one_credential_are_looked_at_once() {
        let credentials = Credentials::default();
        let (first, second) = (credentials.enter("key-1", CredentialKind::Key), credentials.enter("key-1", CredentialKind::Key));
        let _user = credentials.enter("user-1", CredentialKind::Token);
        assert_eq!(credentials.ids(), (vec!["key-1".to_owned()], vec!["user-1".to_owned()]));
        credentials.end("key-1");
        credentials.end("nobody");
        assert!(*first.borrow() && *second.borrow());
        credentials.leave("key-1");
        assert_eq!(credentials.ids().0.len(), 1, "the other connection is there");
        credentials.leave("key-1");
        assert_eq!(credentials.ids().0.len(), 0);
    }
}
