//! What people do with cases.

pub mod actors;
pub mod decision;
pub mod describing;
pub mod lists;
pub mod making;
pub mod moving;
pub mod request;
pub mod revising;
pub mod work;
pub mod workflow;
