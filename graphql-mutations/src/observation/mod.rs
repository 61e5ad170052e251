//! What people do with observations.

pub mod action;
pub mod alerts;
pub mod feedback;
