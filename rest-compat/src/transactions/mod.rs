//! Transactions, one record a request.

mod add_transaction;
mod get_transaction;

crate::operation::operations!(add_transaction, get_transaction);
