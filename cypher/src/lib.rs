//! The graph database: statements, engines, repositories. No rules live here.
//!
//! A statement is a `.cypher` file ([`statements`]). It runs unchanged on either engine behind the [`Engine`] port: Neo4j over Bolt, or the
//! embedded one in this process. A [`repository`] turns an area's rows into the types of `graph-schema`.

mod bolt;
mod embedded;
mod error;
mod migrate;
mod nodelay;
mod port;
mod statement;
pub mod statements;
mod value;

pub use bolt::{Bolt, BoltAddress};
pub use embedded::Embedded;
pub use error::Error;
pub use migrate::{is_migrated, migrate};
pub use port::{Engine, Transaction};
pub use statement::Statement;
pub use value::{Key, Params, Row, Value, map};
