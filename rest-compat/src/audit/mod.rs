//! Who read or changed what.

mod get_audit_logs;

crate::operation::operations!(get_audit_logs);
