//! The type of the streams.

use async_graphql::Result;
use futures::stream::BoxStream;

/// The events of a topic, as they come. An error ends the stream, but for a gap.
pub type Events<T> = BoxStream<'static, Result<T>>;
