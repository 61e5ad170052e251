//! What detection has noticed.

mod add_actors_to_observation;
mod add_observation;
mod get_observation;

crate::operation::operations!(add_observation, get_observation, add_actors_to_observation);
