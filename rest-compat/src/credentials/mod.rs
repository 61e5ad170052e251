//! Tokens for stored clients, and the administration of keys and clients.

pub(crate) mod admin;
mod token_request;

crate::operation::operations!(token_request);
