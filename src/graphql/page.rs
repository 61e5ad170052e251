//! Relay pages: `first`/`after` forward, `last`/`before` backward, opaque cursors that hold the key behind which a page begins.

use async_graphql::connection::CursorType;
use async_graphql::{Context, Error, Result, SelectionField};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use resolvers::explore::Way;

/// Items of a page when neither `first` nor `last` is given.
pub const DEFAULT_SIZE: usize = 10;
/// The most items of a page. The statements `transaction/page_newest` and `page_oldest` name it, and one more, as a number.
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
    pub fn wanted<C: ListCursor>(&self, context: &Context<'_>, listing: Listing) -> Result<Wanted<C>> {
        let size = |name: &str, value: i32| match usize::try_from(value) {
            Ok(size) if (1..=MOST).contains(&size) => Ok(size),
            _ => Err(Error::new(format!("{name}: must be 1 to {MOST}"))),
        };
        let cursor = |name: &str, text: &Option<String>| match text {
            Some(text) => {
                let wrong = || Error::new(format!("{name}: must be a cursor of this list in this order"));
                C::read(listing, text).map(Some).ok_or_else(wrong)
            }
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

/// The list that a page is of: whose it is and what it is sorted by. A cursor carries it, because a place in one list is none in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listing {
    /// Such as the label of its statement; without blanks, as is the sort.
    pub list: &'static str,
    pub sort: &'static str,
}

impl Listing {
    /// A list with one order.
    pub fn of(list: &'static str) -> Self {
        Self { list, sort: "key" }
    }

    fn cursor(self, place: &str) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(format!("{} {} {place}", self.list, self.sort))
    }

    /// The place that a cursor of this list names.
    fn place(self, cursor: &str) -> Option<String> {
        let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
        let place = text.strip_prefix(self.list)?.strip_prefix(' ')?.strip_prefix(self.sort)?.strip_prefix(' ')?;
        Some(place.to_owned())
    }
}

/// A cursor, which is read together with the list it must be of.
pub trait ListCursor: CursorType + Sized {
    /// The cursor of a list, if it is one.
    fn read(listing: Listing, text: &str) -> Option<Self>;
}

/// A cursor that is a text key.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyCursor {
    pub listing: Listing,
    pub key: String,
}

impl ListCursor for KeyCursor {
    fn read(listing: Listing, text: &str) -> Option<Self> {
        Some(Self { listing, key: listing.place(text)? })
    }
}

impl CursorType for KeyCursor {
    type Error = &'static str;

    fn decode_cursor(_: &str) -> std::result::Result<Self, Self::Error> {
        Err("a cursor is read with its list")
    }

    fn encode_cursor(&self) -> String {
        self.listing.cursor(&self.key)
    }
}

/// A cursor that is a number and, where numbers are the same, a text.
#[derive(Debug, Clone, PartialEq)]
pub struct SortCursor {
    pub listing: Listing,
    pub key: f64,
    pub tie: String,
}

impl ListCursor for SortCursor {
    fn read(listing: Listing, text: &str) -> Option<Self> {
        let place = listing.place(text)?;
        let (key, tie) = place.split_once(' ')?;
        // The bits, because a decimal text would have to come back as the very same number.
        let key = f64::from_bits(u64::from_str_radix(key, 16).ok()?);
        key.is_finite().then(|| Self { listing, key, tie: tie.to_owned() })
    }
}

impl CursorType for SortCursor {
    type Error = &'static str;

    fn decode_cursor(_: &str) -> std::result::Result<Self, Self::Error> {
        Err("a cursor is read with its list")
    }

    fn encode_cursor(&self) -> String {
        self.listing.cursor(&format!("{:x} {}", self.key.to_bits(), self.tie))
    }
}

#[cfg(test)]
mod tests {
    use cypher::statements;

    use super::*;

    #[test]
    fn cursors_come_back_as_they_went_and_to_no_other_list() {
        let listing = Listing { list: "account/transactions", sort: "AMOUNT" };
        for (key, tie) in [(0.1 + 0.2, "a b c"), (-1e300, "")] {
            let cursor = SortCursor { listing, key, tie: tie.into() };
            let text = cursor.encode_cursor();
            assert_eq!(SortCursor::read(listing, &text), Some(cursor));
            for other in [Listing { sort: "CREATED_AT", ..listing }, Listing { list: "actor/transactions", ..listing }, Listing::of("account/actors")]
            {
                assert_eq!(SortCursor::read(other, &text), None, "{other:?}");
            }
        }
        let listing = Listing::of("actor/accounts");
        let key = KeyCursor { listing, key: "person-1 OWNER \u{fc}".into() };
        assert_eq!(KeyCursor::read(listing, &key.encode_cursor()), Some(key));
        let infinite = SortCursor { listing, key: f64::NAN, tie: String::new() };
        for wrong in ["", "!!", "eA", &infinite.encode_cursor()] {
            assert_eq!(SortCursor::read(listing, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_longest_page_of_transactions_fits_its_statement() {
        for statement in [statements::transaction::PAGE_NEWEST, statements::transaction::PAGE_OLDEST] {
            assert!(statement.text.contains(&format!("LIMIT {}\n", MOST + 1)), "{}", statement.label);
        }
    }
}
