//! Relay pages: `first`/`after` forward, `last`/`before` backward, opaque cursors that hold the key behind which a page begins.

use async_graphql::connection::CursorType;
use async_graphql::{Context, Error, Result, SelectionField};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use resolvers::explore::Way;

/// Items of a page when neither `first` nor `last` is given.
pub const DEFAULT_SIZE: usize = 10;
/// The most items of a page.
pub const MOST: usize = 500;

/// The arguments of a connection.
pub struct PageArguments {
    pub first: Option<i32>,
    pub after: Option<String>,
    pub last: Option<i32>,
    pub before: Option<String>,
}

/// What is asked for: so many items behind a cursor, one way or the other.
pub struct Wanted<C> {
    /// Items of the page.
    pub size: usize,
    pub after: Option<C>,
    pub way: Way,
    /// Whether it must be known if there are more.
    more: bool,
}

impl PageArguments {
    /// Whether the page is the first of the list's own order: what a chain of links can take.
    pub fn is_plain(&self) -> bool {
        self.after.is_none() && self.last.is_none() && self.before.is_none()
    }

    /// Checks the arguments.
    pub fn wanted<C: CursorType>(&self, context: &Context<'_>) -> Result<Wanted<C>> {
        let size = |name: &str, value: i32| match usize::try_from(value) {
            Ok(size) if (1..=MOST).contains(&size) => Ok(size),
            _ => Err(Error::new(format!("{name}: must be 1 to {MOST}"))),
        };
        let cursor = |name: &str, text: &Option<String>| match text {
            Some(text) => C::decode_cursor(text).map(Some).map_err(|_| Error::new(format!("{name}: this is no cursor of this list"))),
            None => Ok(None),
        };
        let more = selects(context.field(), "pageInfo");
        match (self.first, self.last) {
            (Some(_), Some(_)) => Err(Error::new("first and last: ask for one of them")),
            (None, Some(last)) if self.after.is_none() => {
                Ok(Wanted { size: size("last", last)?, after: cursor("before", &self.before)?, way: Way::Backward, more })
            }
            (first, None) if self.before.is_none() => {
                let size = first.map_or(Ok(DEFAULT_SIZE), |first| size("first", first))?;
                Ok(Wanted { size, after: cursor("after", &self.after)?, way: Way::Forward, more })
            }
            _ => Err(Error::new("use first with after, or last with before")),
        }
    }
}

impl<C> Wanted<C> {
    /// How many to fetch: one more than the page where `pageInfo` is asked for.
    pub fn limit(&self) -> usize {
        self.size + usize::from(self.more)
    }

    /// The page out of what was fetched, in the list's own order, and whether there is a previous and a next one.
    pub fn page<T>(&self, mut fetched: Vec<T>) -> (Vec<T>, bool, bool) {
        let more = fetched.len() > self.size;
        fetched.truncate(self.size);
        match self.way {
            Way::Forward => (fetched, self.after.is_some(), more),
            Way::Backward => {
                fetched.reverse();
                (fetched, more, self.after.is_some())
            }
        }
    }
}

/// Whether a field selects another directly.
pub fn selects(field: SelectionField<'_>, name: &str) -> bool {
    field.selection_set().any(|selected| selected.name() == name)
}

/// What a page costs: its items, each with what is asked of it.
pub fn cost(first: Option<i32>, last: Option<i32>, child: usize) -> usize {
    let size = first.or(last).and_then(|size| usize::try_from(size).ok()).unwrap_or(DEFAULT_SIZE);
    1 + size.min(MOST) * child
}

/// A cursor that is a text key.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyCursor(pub String);

impl CursorType for KeyCursor {
    type Error = &'static str;

    fn decode_cursor(text: &str) -> std::result::Result<Self, Self::Error> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| "not base64")?;
        String::from_utf8(bytes).map(Self).map_err(|_| "not text")
    }

    fn encode_cursor(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(&self.0)
    }
}

/// A cursor that is a number and, where numbers are the same, a text.
#[derive(Debug, Clone, PartialEq)]
pub struct SortCursor(pub f64, pub String);

impl CursorType for SortCursor {
    type Error = &'static str;

    fn decode_cursor(text: &str) -> std::result::Result<Self, Self::Error> {
        let KeyCursor(text) = KeyCursor::decode_cursor(text)?;
        let (key, tie) = text.split_once(' ').ok_or("not a number and a text")?;
        // The bits, because a decimal text would have to come back as the very same number.
        let bits = u64::from_str_radix(key, 16).map_err(|_| "not a number")?;
        Ok(Self(f64::from_bits(bits), tie.to_owned()))
    }

    fn encode_cursor(&self) -> String {
        KeyCursor(format!("{:x} {}", self.0.to_bits(), self.1)).encode_cursor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_come_back_as_they_went() {
        for cursor in [SortCursor(0.1 + 0.2, "a b c".into()), SortCursor(-1e300, String::new())] {
            assert_eq!(SortCursor::decode_cursor(&cursor.encode_cursor()), Ok(cursor));
        }
        let key = KeyCursor("person-1 OWNER ü".into());
        assert_eq!(KeyCursor::decode_cursor(&key.encode_cursor()), Ok(key));
        assert!(SortCursor::decode_cursor("!!").is_err());
    }
}
