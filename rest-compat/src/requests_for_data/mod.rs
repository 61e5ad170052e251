//! Requests for data, and the schemas of their types.

mod get_request;
mod get_schema;
mod get_schemas;
mod record_schema;
mod reject_request;
mod reject_request_below_api;

crate::operation::operations!(get_request, reject_request, reject_request_below_api, record_schema, get_schemas, get_schema);
