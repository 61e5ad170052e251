//! Users: people who work with the platform. An administrator makes them, or they are made when the first token comes in that a trusted issuer has
//! given them. Whom a case was assigned to before is a placeholder until then.
//!
//! - [`admin`]: making users and changing them.
//! - [`arrival`]: whose token of an outside issuer this is.
//! - [`read`]: reading and listing them.

pub(crate) mod admin;
pub(crate) mod arrival;
mod read;

use sha2::{Digest, Sha256};

pub use arrival::RolesOfGroups;
pub(crate) use arrival::{Arrival, Known};

use crate::unique_name::NameSpace;

/// The label of users.
const USER: &str = "User";

/// The place of usernames.
fn usernames() -> NameSpace {
    NameSpace::of("username")
}

/// The id of the user whom an issuer knows by this subject: the same on every instance, whoever sees it first. It can't be that of a key or a client,
/// nor one that another issuer's subject leads to.
pub fn id_of_subject(issuer: &str, subject: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(issuer.len().to_be_bytes());
    digest.update(issuer.as_bytes());
    digest.update(subject.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest.finalize()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid().to_string()
}

/// How a user is called where there is room for one name.
pub fn caption(username: &str, first: Option<&str>, last: Option<&str>) -> String {
    let names: Vec<&str> = first.into_iter().chain(last).collect();
    if names.is_empty() { username.to_owned() } else { names.join(" ") }
}

/// Each once, in the order in which they were said.
pub fn distinct(groups: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    groups.into_iter().filter(|group| seen.insert(group.clone())).collect()
}
