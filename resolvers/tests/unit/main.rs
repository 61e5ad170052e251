//! Tests of what is inside of the crate, each in a file of the name of the file that it looks at. They reach the inside by `resolvers::testing`.

// The type of an operation's future holds those of everything it waits for: deeper than the compiler's default follows.
#![recursion_limit = "256"]

mod account;
mod audit;
mod bulk;
mod case;
mod change_feed;
mod credential;
mod delivery;
mod derived_id;
mod detection;
mod explain;
mod explore;
mod files;
mod jobs;
mod live;
mod loader;
mod logical_time;
mod long_reads;
mod numbers;
mod observation;
mod policy;
mod queue;
mod risk;
mod screening;
mod transaction;
mod unique_name;
mod user;
mod verification;
mod versioned;
mod warm;
mod watchlist;
mod webhook;
