//! The graph database: statements, and the two engines that run them. No rules live here.
//!
//! A statement is a `.cypher` file ([`statements`]). It runs unchanged on either engine behind the [`Engine`] port: Neo4j over Bolt, or the
//! embedded one in this process. It takes and answers with plain values ([`Params`], [`Row`]); rows are read into structs ([`Reading`]), so that an
//! answer that is not what it is taken for is an error. What the values mean is known to whoever asks.
//! What both answer alike, [`rules`] check; a statement that comes as data is a [`LoadedStatement`]. [`migrate()`] gives a store its constraints and indexes.

// Modules, the lowest first: error nodelay scan value graph packing statement read_row reading statements areas stamps hints bolt made embedded rules
// loaded port migrate.

mod areas;
mod bolt;
mod embedded;
mod error;
pub mod graph;
mod hints;
mod loaded;
mod made;
mod migrate;
mod nodelay;
mod packing;
mod port;
mod read_row;
mod reading;
pub mod rules;
mod scan;
mod stamps;
mod statement;
pub mod statements;
mod value;

// Whoever waits for an `async fn` of another crate compiles its body again, here with all of a driver. What is boxed is compiled here alone; what is not has a
// type of its caller's.
use async_recursion::async_recursion as boxed;

pub use bolt::{Bolt, BoltAddress};
pub use embedded::Embedded;
pub use error::{Error, without_values};
pub use loaded::{AskedStatement, CheckedFile, Fault, FolderError, LoadedRows, LoadedStatement, Parameter, ParameterType, check_folder};
pub use migrate::{is_migrated, migrate};
pub use port::{Engine, Transaction};
pub use reading::{KnownReading, Reading};
pub use stamps::{Areas, Journal, Moment, Note, Stamps, Stripe, Taken};
pub use statement::{Statement, WriteStatement};
pub use value::{Key, Params, Row, Value, map};
