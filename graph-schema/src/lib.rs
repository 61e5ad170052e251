//! What the graph holds and what may come in.
//!
//! One struct per record says three things at once: its JSON (serde), its GraphQL type (async-graphql)
//! and its OpenAPI schema (utoipa), which is also the schema that checks what comes in.
//! Reading goes `bytes` → [`given::read`] → [`given::Given`], which holds the struct and the text as it
//! came, or → [`fault::Unacceptable`], which names every fault with its path.
//! [`bulk`] holds the snake_case forms of the import and turns them into the single ones;
//! [`identity`] says when two records name the same phone, address, account or party.
//!
//! Its tests are in `tests/`: as unit tests they would have all of it compiled again. What they reach of its inside is listed in [`testing`].

// Modules, the lowest first: code enum_name fault id job json_object json_text event migrations number date audit days delivery money patch
// screening tree given actor account associate detection device input_schema own_schema custom_property request_for_data risk segmentation
// transaction identity case channel_location edge observation bulk reporting user webhook workflow testing.

pub mod account;
pub mod actor;
pub mod associate;
pub mod audit;
pub mod bulk;
pub mod case;
pub mod channel_location;
pub mod code;
pub mod custom_property;
pub mod date;
pub mod days;
pub mod delivery;
pub mod detection;
pub mod device;
pub mod edge;
pub mod enum_name;
pub mod event;
pub mod fault;
pub mod given;
pub mod id;
pub mod identity;
mod input_schema;
pub mod job;
pub mod json_object;
pub mod json_text;
pub mod migrations;
pub mod money;
pub mod number;
pub mod observation;
pub mod own_schema;
mod patch;
pub mod reporting;
pub mod request_for_data;
pub mod risk;
pub mod screening;
pub mod segmentation;
#[doc(hidden)]
pub mod testing;
pub mod transaction;
mod tree;
pub mod user;
pub mod webhook;
pub mod workflow;
