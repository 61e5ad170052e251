//! Bulk ingestion, and how far its cases are.

mod bulk_ingest;
mod get_bulk_case_ingestion_status;
mod get_cases_in_dead_letter_queue;

crate::operation::operations!(bulk_ingest, get_bulk_case_ingestion_status, get_cases_in_dead_letter_queue);

/// Where bulk requests go.
pub const BULK_PATH: &str = bulk_ingest::OPERATION.path;
/// The most bytes of a bulk request: 32 MB, of 2^20 bytes each.
pub const BULK_BYTES: usize = 32 << 20;
