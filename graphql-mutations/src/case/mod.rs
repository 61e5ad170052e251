//! What people do with cases.

pub mod decision;
pub mod describing;
pub mod moving;
pub mod request;
pub mod work;
pub mod workflow;
