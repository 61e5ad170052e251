//! Deliveries: bringing events to the webhooks that want them.

pub mod address;
