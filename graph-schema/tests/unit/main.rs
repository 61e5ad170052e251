//! Tests of the crate, each in a file of the name of the file that it looks at. What they reach of its inside is in `graph_schema::testing`.

mod bulk;
mod case;
mod code;
mod custom_property;
mod date;
mod days;
mod event;
mod faces;
mod given;
mod identity;
mod json_object;
mod json_text;
mod money;
mod observation;
mod own_schema;
mod screening;
mod segmentation;
mod tree;
mod user;
mod webhook;
mod workflow;
