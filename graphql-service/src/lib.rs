//! GraphQL: what the service does itself, and who has asked it to. Jobs, runs and rules of detection, scores and rules of risk, watchlists, and the change
//! feed. None of it is a node of a walk. What the filters and orders of all lists share is here, too. Types that lead to nodes are in `graphql-api`, which
//! merges the queries and mutations of this crate with its own.

// Modules, the lowest first: filtering orders flow principal connection rule_input job watchlist screening risk segmentation detection change_feed query.

pub mod change_feed;
mod connection;
pub mod detection;
pub mod filtering;
pub mod flow;
pub mod job;
pub mod orders;
pub mod principal;
pub mod query;
pub mod risk;
mod rule_input;
pub mod screening;
pub mod segmentation;
pub mod watchlist;
