//! Reports on what detection has noticed, and what it was kept from noticing.

mod get_observation_feedback;
mod get_suppressed_signals;

crate::operation::operations!(get_observation_feedback, get_suppressed_signals);
