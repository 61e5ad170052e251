//! What tests and benchmarks need that is no part of the product: a real Neo4j server, without Docker.
//!
//! [`neo4j::available`] says whether there can be one here, [`neo4j::shared`] is the one that all tests of a process use, and
//! [`neo4j::Neo4j::start`] makes a private one that a test may stop, start again, kill or silence.

pub mod neo4j;
