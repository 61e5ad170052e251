//! The credentials that have an open connection.
//!
//! A request asks for itself; a connection lasts. So all credentials with an open connection are looked at together, once a second, by the statement that
//! looks for changes ([`super::tail`]).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::policy::Roles;

/// What a credential is, as far as it matters where it is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialKind {
    /// An API key.
    Key,
    /// A token, of a client or a user.
    Token,
    /// A token whose user has the roles of the groups that are kept of him.
    TokenByGroups,
}

/// Says what groups give a user.
pub type RolesByGroups = Box<dyn Fn(&[String]) -> Option<Roles> + Send + Sync>;

/// How a credential stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is good, as far as anybody has looked.
    Good,
    /// It is good, and these roles are what the user's groups give now.
    Gives(Option<Roles>),
    Ended,
}

/// All of them by their ids, which no two share.
#[derive(Default)]
pub struct Credentials(Mutex<HashMap<String, Watched>>);

struct Watched {
    is_key: bool,
    connections: usize,
    /// Those of them whose roles follow groups.
    by_groups: usize,
    standing: watch::Sender<Standing>,
}

/// The ids that are looked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CredentialIds {
    pub keys: Vec<String>,
    /// Clients and users with tokens.
    pub tokens: Vec<String>,
    /// Those of them whose groups matter.
    pub users: Vec<String>,
}

impl Credentials {
    fn locked(&self) -> MutexGuard<'_, HashMap<String, Watched>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ids of all credentials.
    pub fn ids(&self) -> CredentialIds {
        let mut ids = CredentialIds::default();
        for (id, watched) in self.locked().iter() {
            let of_kind = if watched.is_key { &mut ids.keys } else { &mut ids.tokens };
            of_kind.push(id.clone());
            if watched.by_groups > 0 {
                ids.users.push(id.clone());
            }
        }
        ids
    }

    /// Notes that a credential has ended.
    pub fn end(&self, id: &str) {
        self.set(id, Standing::Ended);
    }

    /// Notes what the groups of a user give now.
    pub fn give(&self, id: &str, roles: Option<Roles>) {
        self.set(id, Standing::Gives(roles));
    }

    /// What has ended stays so.
    fn set(&self, id: &str, now: Standing) {
        if let Some(watched) = self.locked().get(id) {
            watched.standing.send_if_modified(|standing| {
                let is_new = *standing != now && *standing != Standing::Ended;
                if is_new {
                    *standing = now;
                }
                is_new
            });
        }
    }

    /// One more connection of a credential. What is given tells how it stands.
    pub fn enter(&self, id: &str, kind: CredentialKind) -> watch::Receiver<Standing> {
        let mut all = self.locked();
        let watched = all.entry(id.to_owned()).or_insert_with(|| Watched {
            is_key: kind == CredentialKind::Key,
            connections: 0,
            by_groups: 0,
            standing: watch::Sender::new(Standing::Good),
        });
        watched.connections += 1;
        watched.by_groups += usize::from(kind == CredentialKind::TokenByGroups);
        watched.standing.subscribe()
    }

    /// One connection less, of the kind that it has come as.
    pub fn leave(&self, id: &str, kind: CredentialKind) {
        let mut all = self.locked();
        if let Some(watched) = all.get_mut(id) {
            watched.connections -= 1;
            watched.by_groups -= usize::from(kind == CredentialKind::TokenByGroups);
            if watched.connections == 0 {
                all.remove(id);
            }
        }
    }
}
