//! The type of the streams.

use async_graphql::Result;
use futures::stream::BoxStream;

/// The events of a topic, as they come: `in_time`, so that each has the time of a request for its result. An error ends the stream, but for a gap.
///
/// What an event has shown is noted in the audit log by whoever carries the operation out, before it is sent.
pub type Events<T> = BoxStream<'static, Result<T>>;
