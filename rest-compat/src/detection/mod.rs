//! Detection: the batch that looks for suspicious patterns.

mod initialize_batch;

crate::operation::operations!(initialize_batch);
