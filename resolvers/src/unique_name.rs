//! Names of which there may be one only, where the name is not the id of what has it.
//!
//! Each is a node of its own, `(:UniqueName {id, holder})`, which whoever wants the name locks first: of two that want it at once, on one instance or on
//! two, one comes second and finds it taken.

use cypher::{Key, Value, map};

use crate::{Conflict, Error, Result};

/// The place in which a name must be the only one of its kind, such as a category for the names of its groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameSpace(String);

impl NameSpace {
    pub fn of(kind: &str) -> Self {
        Self(format!("{kind}:"))
    }

    /// The same within something that has an id of the service's own making.
    pub fn within(kind: &str, id: &str) -> Self {
        Self(format!("{kind}:{id}:"))
    }

    /// The id of the node of a name.
    pub fn id(&self, name: &str) -> String {
        format!("{}{name}", self.0)
    }
}

/// A name that somebody wants to have from now on in place of the one before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renaming {
    /// The ids of the names' nodes: that of the new one, and that of the former; neither where nothing changes.
    pub claimed: Option<String>,
    pub released: Option<String>,
}

impl Renaming {
    /// Decides about a name that is wanted: whose it is (`holder`) was read under its lock.
    pub fn decide(space: &NameSpace, holder: Option<&str>, of: &str, before: &str, wanted: Option<&str>) -> Result<Self> {
        match wanted {
            Some(wanted) if wanted != before && holder.is_none_or(|holder| holder == of) => {
                Ok(Self { claimed: Some(space.id(wanted)), released: Some(space.id(before)) })
            }
            Some(wanted) if wanted != before => Err(Error::Conflict(Conflict::NameTaken)),
            _ => Ok(Self::default()),
        }
    }

    /// The row for a statement that changes what has the name.
    pub fn row(&self, id: &str, props: Vec<(Key, Value)>) -> Value {
        let names = |name: &Option<String>| Value::List(name.iter().map(|name| name.as_str().into()).collect());
        map([("id", id.into()), ("props", Value::Map(props)), ("claimed", names(&self.claimed)), ("released", names(&self.released))])
    }
}
