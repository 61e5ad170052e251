//! The roles: what a credential, or a group of users, is for. The rights that a role gives stand in [`super::rights`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a credential or a group of users is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Role {
    /// A system that sends records and may read them back.
    Ingest,
    /// A person who investigates.
    Analyst,
    /// A person who answers for the work of analysts and for the rules of detection.
    Supervisor,
    /// A person who checks what was done, and changes nothing.
    Auditor,
    /// Everything, and the credentials of others.
    Admin,
}

impl Role {
    /// All roles, in the order in which they are named everywhere.
    pub const ALL: [Role; 5] = [Role::Ingest, Role::Analyst, Role::Supervisor, Role::Auditor, Role::Admin];

    /// The role's name, as it is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Ingest => "INGEST",
            Role::Analyst => "ANALYST",
            Role::Supervisor => "SUPERVISOR",
            Role::Auditor => "AUDITOR",
            Role::Admin => "ADMIN",
        }
    }

    /// The role's place in a set.
    fn bit(self) -> u8 {
        match self {
            Role::Ingest => 1,
            Role::Analyst => 2,
            Role::Supervisor => 4,
            Role::Auditor => 8,
            Role::Admin => 16,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        Role::ALL.into_iter().find(|role| role.as_str() == text).ok_or_else(|| format!("must be one of {}", Role::ALL.map(Role::as_str).join(", ")))
    }
}

/// The roles of a caller, at least one. A credential has one role; a user has those of the user's groups, and may do what any of them allows.
///
/// As text the roles are separated by commas, so that the text of one role is the role's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Roles(u8);

impl Roles {
    /// The union of roles; `None` where there is none.
    pub fn of(roles: impl IntoIterator<Item = Role>) -> Option<Self> {
        let union = roles.into_iter().fold(0, |union, role| union | role.bit());
        (union != 0).then_some(Self(union))
    }

    /// Whether a role is among them.
    pub fn contain(self, role: Role) -> bool {
        self.0 & role.bit() != 0
    }

    /// Each of them, in the order of [`Role::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.contain(*role))
    }
}

impl From<Role> for Roles {
    fn from(role: Role) -> Self {
        Self(role.bit())
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, role) in self.iter().enumerate() {
            let separator = if at == 0 { "" } else { "," };
            write!(formatter, "{separator}{role}")?;
        }
        Ok(())
    }
}

impl FromStr for Roles {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let roles: Vec<Role> = text.split(',').map(str::parse::<Role>).collect::<std::result::Result<_, _>>()?;
        Roles::of(roles).ok_or_else(|| "must name a role".to_owned())
    }
}

impl From<Roles> for String {
    fn from(roles: Roles) -> Self {
        roles.to_string()
    }
}

impl TryFrom<String> for Roles {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        text.parse()
    }
}
