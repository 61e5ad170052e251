//! What is measured, a file for each section of the report.

pub mod builds;
pub mod bulk;
pub mod cache;
pub mod counts;
pub mod detection;
pub mod embedded;
pub mod facade;
pub mod fairness;
pub mod graphql;
pub mod guessing;
pub mod import;
pub mod ingest;
pub mod live;
pub mod mixed;
pub mod queues;
pub mod reads;
pub mod rescreening;
pub mod rows;
pub mod same_work;
pub mod screening;
pub mod sizes;
pub mod start;
pub mod streams;
pub mod supernodes;
pub mod walks;
pub mod webhooks;
