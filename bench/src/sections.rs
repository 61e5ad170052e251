//! What is measured, a file for each section of the report.

pub mod embedded;
pub mod graphql;
pub mod import;
pub mod ingest;
pub mod rows;
pub mod start;
