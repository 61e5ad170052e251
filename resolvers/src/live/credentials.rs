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
    /// It is good, and these roles are what the user's groups give: by a look that says so of the first `arrivals` connections of the process.
    Gives {
        roles: Option<Roles>,
        arrivals: u64,
    },
    Ended,
}

/// One connection.
#[derive(Debug, Clone, Copy)]
pub struct Connection {
    pub kind: CredentialKind,
    /// The roles that it has.
    pub roles: Roles,
    /// How many have come to the process up to this one.
    pub arrival: u64,
}

impl Connection {
    /// Whether its credential is good for it no more. Only where its roles were those of the user's groups do other groups matter, and what was seen of them
    /// before it came does not.
    pub fn is_ended_by(&self, standing: Standing) -> bool {
        match standing {
            Standing::Good => false,
            Standing::Gives { roles, arrivals } => {
                self.kind == CredentialKind::TokenByGroups && self.arrival <= arrivals && roles != Some(self.roles)
            }
            Standing::Ended => true,
        }
    }
}

/// All of them.
#[derive(Default)]
pub struct Credentials(Mutex<Connected>);

#[derive(Default)]
struct Connected {
    /// By their ids, which no two share.
    by_id: HashMap<String, Watched>,
    /// How many connections have come.
    arrivals: u64,
}

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
    /// How many connections had come when they were named.
    pub arrivals: u64,
}

impl Credentials {
    fn locked(&self) -> MutexGuard<'_, Connected> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ids of all credentials.
    pub fn ids(&self) -> CredentialIds {
        let all = self.locked();
        let mut ids = CredentialIds { arrivals: all.arrivals, ..CredentialIds::default() };
        for (id, watched) in &all.by_id {
            let of_kind = if watched.is_key { &mut ids.keys } else { &mut ids.tokens };
            of_kind.push(id.clone());
            if watched.by_groups > 0 {
                ids.users.push(id.clone());
            }
        }
        ids
    }

    /// Notes how a credential stands. What has ended stays so.
    pub fn set(&self, id: &str, now: Standing) {
        if let Some(watched) = self.locked().by_id.get(id) {
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
    pub fn enter(&self, id: &str, kind: CredentialKind, roles: Roles) -> (Connection, watch::Receiver<Standing>) {
        let mut all = self.locked();
        all.arrivals += 1;
        let connection = Connection { kind, roles, arrival: all.arrivals };
        let watched = all.by_id.entry(id.to_owned()).or_insert_with(|| Watched {
            is_key: kind == CredentialKind::Key,
            connections: 0,
            by_groups: 0,
            standing: watch::Sender::new(Standing::Good),
        });
        watched.connections += 1;
        watched.by_groups += usize::from(kind == CredentialKind::TokenByGroups);
        (connection, watched.standing.subscribe())
    }

    /// One connection less.
    pub fn leave(&self, id: &str, connection: &Connection) {
        let mut all = self.locked();
        if let Some(watched) = all.by_id.get_mut(id) {
            watched.connections -= 1;
            watched.by_groups -= usize::from(connection.kind == CredentialKind::TokenByGroups);
            if watched.connections == 0 {
                all.by_id.remove(id);
            }
        }
    }
}
