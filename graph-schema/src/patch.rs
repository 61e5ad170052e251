//! Fields of a request that changes something: a field that is absent stays as it is, one that is null is taken away where it may be absent.

use serde::{Deserialize, Deserializer};

/// Reads a field that may be taken away: `Some(None)` for null. A field that is left out is not read at all.
pub(crate) fn clearable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Reads a field that must not be null: it may change, and may not be absent.
pub(crate) fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
