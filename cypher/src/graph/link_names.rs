//! Links by their names. Each field of each document is looked for, so that nobody goes through all links.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::links::ALL;
use super::{Link, Node};

/// All links, by both parts of their names.
static BY_NAME: LazyLock<HashMap<&str, HashMap<&str, &Link>>> = LazyLock::new(|| {
    let mut by_owner = HashMap::<_, HashMap<_, _>>::new();
    for link in ALL {
        let (owner, field) = link.name.split_once('.').unwrap_or(("", link.name));
        by_owner.entry(owner).or_default().insert(field, link);
    }
    by_owner
});

/// The link with this public name.
pub fn link(node: &Node, field: &str) -> Option<&'static Link> {
    let owner = if node.is_identity() { "Identity" } else { node.label };
    BY_NAME.get(owner)?.get(field).copied()
}

impl Node {
    /// Whether it is what identifies actors or accounts: to GraphQL those are one type.
    pub fn is_identity(&self) -> bool {
        matches!(self.label, "Phone" | "Email" | "Address" | "GovernmentId" | "Reference" | "AccountIdentifier")
    }
}
