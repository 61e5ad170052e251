//! Actors, and what is known of them.

mod add_actor;
mod add_actor_associates;
mod add_actor_exclusion;
mod add_actor_extended_info;
mod add_actor_risk_assessment;
mod add_actor_risk_score;
mod get_actor;
mod get_actor_extended_info;
mod get_actor_risk_score;

crate::operation::operations!(
    add_actor,
    get_actor,
    add_actor_associates,
    add_actor_exclusion,
    add_actor_risk_assessment,
    add_actor_extended_info,
    get_actor_extended_info,
    add_actor_risk_score,
    get_actor_risk_score,
);
