//! What can be told of the types without a server, and walks on both engines.

mod at_once;
mod descriptions;
mod exact;
mod page;
mod schema;
mod walks;
