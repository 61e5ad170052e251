//! What can be told of the types without a server, and walks on both engines.

mod at_once;
mod breaking;
mod conventions;
mod descriptions;
mod exact;
mod guide;
mod lists;
mod live;
mod node_ids;
mod page;
mod schema;
mod viewer;
mod walks;
