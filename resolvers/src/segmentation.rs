//! Segmentation: categories, groups within them, who is in a group, who owns it.
//!
//! - [`named`]: making categories and groups and changing them; what both have in common is that their names are unique.
//! - [`read`]: reading and listing them, and those who are in them.
//! - [`members`]: putting actors into groups and taking them out; [`joining`]: the same for an item of a bulk list.
//! - [`owners`]: whose a group is.
//!
//! Nothing here is ever removed but memberships and ownerships, so that what was found once is there still.

mod joining;
mod members;
mod named;
mod owners;
mod read;

pub(crate) use joining::JoinGroup;

use graph_schema::id::SegmentationGroupId;

use crate::{Caller, Error, ObjectKind};

/// Who did something: the id, and the name that they had then, which is all that REST shows.
struct By {
    id: String,
    name: String,
}

impl By {
    fn of(caller: &Caller) -> Self {
        Self { id: caller.id.clone(), name: caller.name.clone() }
    }
}

/// There is no such group.
fn no_group(id: &SegmentationGroupId) -> Error {
    Error::not_found(ObjectKind::SegmentationGroup, id.as_str())
}
