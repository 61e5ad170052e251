//! Relay pages: `first` from the start of a list or `after` a place on, `last` from its end or `before` a place back. With both places a page is of what
//! lies between them. Cursors are opaque, and hold a place of one list in one order and direction.

use async_graphql::connection::{CursorType, PageInfo};
use async_graphql::registry::{MetaType, Registry};
use async_graphql::{Error, Result, SelectionField};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use resolvers::explore::{Begin, LONGEST_PAGE, Link, Page, Place, Slice, SortDirection};

/// Items of a page when neither `first` nor `last` is given.
pub const DEFAULT_SIZE: usize = 10;
/// The most items of a page.
pub const MOST: usize = LONGEST_PAGE;
/// The same of a list that is in the order of time alone.
const MOST_IN_TIME: usize = 200;
/// No page has fewer as its most.
pub const SMALLEST_MOST: usize = if MOST < MOST_IN_TIME { MOST } else { MOST_IN_TIME };

/// The cursor of a list that is in the order of time alone: a moment (epoch milliseconds), and the id of what was at that moment.
pub fn cursor_in_time(at: i64, id: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{at} {id}"))
}

/// The place that such a cursor holds.
fn place_in_time(cursor: &str) -> Option<(i64, String)> {
    let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    let (at, id) = text.split_once(' ')?;
    Some((at.parse().ok()?, id.to_owned()))
}

/// What is asked of such a list: how many, and behind which place.
pub fn page_in_time(first: Option<i32>, after: Option<String>) -> Result<(usize, Option<(i64, String)>)> {
    let first = usize::try_from(first.unwrap_or(DEFAULT_SIZE as i32)).ok().filter(|first| *first <= MOST_IN_TIME);
    let first = first.ok_or_else(|| Error::new(size_problem("first", MOST_IN_TIME)))?;
    let place = |cursor: String| place_in_time(&cursor).ok_or_else(|| Error::new("after: must be a cursor of this list"));
    Ok((first, after.map(place).transpose()?))
}

/// The most items that a page of a field may have by its arguments `first` and `last`. None of a field that is no page. `has`: whether it has an argument.
pub fn most_items(has: impl Fn(&str) -> bool) -> Option<usize> {
    has("after").then(|| if has("last") { MOST } else { MOST_IN_TIME })
}

/// What is said of a size that is too large, or below zero.
pub fn size_problem(name: &str, most: usize) -> String {
    format!("{name}: must be 0 to {most}")
}

/// Where a page of such a list stands, by the cursors of its items.
pub fn page_info<'a>(has_previous_page: bool, has_next_page: bool, mut cursors: impl DoubleEndedIterator<Item = &'a String> + Clone) -> PageInfo {
    let start_cursor = cursors.clone().next().cloned();
    PageInfo { has_previous_page, has_next_page, start_cursor, end_cursor: cursors.next_back().cloned() }
}

/// Describes the arguments `first` and `last` of pages in a schema. They are the same wherever they stand, and async-graphql takes a description at each
/// place alone. What has one keeps it.
pub fn describe_sizes(registry: &mut Registry) {
    let first = format!("How many items, from the beginning of the list or behind `after`: 0 to {MOST}; {DEFAULT_SIZE} when `last` is null, too.");
    let last = format!("How many items, from the end of the list or before `before`: 0 to {MOST}. In the place of `first`.");
    let (of_both_ways, of_one_way) =
        ([("first", first), ("last", last)], [("first", format!("How many items: 0 to {MOST_IN_TIME}; {DEFAULT_SIZE} when null."))]);
    for of_type in registry.types.values_mut() {
        let MetaType::Object { fields, .. } = of_type else { continue };
        for field in fields.values_mut().filter(|field| field.args.contains_key("after")) {
            let described: &[(&str, String)] = if field.args.contains_key("last") { &of_both_ways } else { &of_one_way };
            for (name, text) in described {
                if let Some(argument) = field.args.get_mut(*name) {
                    argument.description.get_or_insert_with(|| text.clone());
                }
            }
        }
    }
}

/// The arguments of a connection.
#[derive(Default)]
pub struct PageArguments {
    pub first: Option<i32>,
    pub after: Option<String>,
    pub last: Option<i32>,
    pub before: Option<String>,
}

/// Where a page begins, and which way it goes. A list has one order; backwards is that order read from its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageDirection {
    Forward,
    Backward,
}

/// Which page of which list, and what of it is to be known.
#[derive(Debug)]
pub struct PageRequest {
    pub listing: CursorScope,
    /// Items of the page.
    size: usize,
    /// Behind which place it begins, in the direction in which it is read, and before which it ends at the latest.
    pub begin: Option<Place>,
    pub until: Option<Place>,
    way: PageDirection,
    asks_for_items: bool,
    asks_for_more: bool,
    asks_for_total: bool,
}

impl PageRequest {
    /// Checks the arguments, and looks what is selected of the connection.
    pub fn read(arguments: &PageArguments, field: SelectionField<'_>, listing: CursorScope) -> Result<Self> {
        let size = |name: &str, value: i32| match usize::try_from(value) {
            Ok(size) if size <= MOST => Ok(size),
            _ => Err(Error::new(size_problem(name, MOST))),
        };
        let place = |name: &str, text: &Option<String>| match text {
            Some(text) => {
                let wrong = || Error::new(format!("{name}: must be a cursor of this list in this order and direction"));
                listing.place(text).map(Some).ok_or_else(wrong)
            }
            None => Ok(None),
        };
        let (size, way) = match (arguments.first, arguments.last) {
            (Some(_), Some(_)) => return Err(Error::new("first and last: ask for one of them")),
            (None, None) if arguments.before.is_some() => return Err(Error::new("before: say with first or last how many")),
            (None, Some(last)) => (size("last", last)?, PageDirection::Backward),
            (first, None) => (first.map_or(Ok(DEFAULT_SIZE), |first| size("first", first))?, PageDirection::Forward),
        };
        let (after, before) = (place("after", &arguments.after)?, place("before", &arguments.before)?);
        let (begin, until) = if way == PageDirection::Forward { (after, before) } else { (before, after) };
        let asks_for_more = selects(field, "pageInfo");
        let asks_for_items = asks_for_more || ((selects(field, "edges") || selects(field, "nodes")) && size > 0);
        Ok(Self { listing, size, begin, until, way, asks_for_items, asks_for_more, asks_for_total: selects(field, "totalCount") })
    }

    /// How many to fetch: one more than the page where `pageInfo` is asked for.
    pub fn limit(&self) -> usize {
        self.size + usize::from(self.asks_for_more)
    }

    /// The order in which it is read.
    pub fn order(&self) -> Page {
        let Page { sort, direction } = self.listing.order;
        Page { sort, direction: if self.way == PageDirection::Backward { direction.reversed() } else { direction } }
    }

    /// Which rows are to be read; none where only their number is wanted.
    pub fn slice(&self) -> Option<Slice> {
        let begin = self.begin.clone().map_or(Begin::AtStart, |place| Begin::Behind(place.into_keys()));
        let until = self.until.clone().map(Place::into_keys);
        self.asks_for_items.then(|| Slice { page: self.order(), limit: self.limit(), begin, until })
    }

    pub fn is_counted(&self) -> bool {
        self.asks_for_total
    }

    /// The page out of what was fetched, in the list's own order, and whether there is a previous and a next one. Where a page begins behind a place, there
    /// is something before it.
    pub fn page<T>(&self, mut fetched: Vec<T>) -> (Vec<T>, bool, bool) {
        let more = fetched.len() > self.size;
        fetched.truncate(self.size);
        match self.way {
            PageDirection::Forward => (fetched, self.begin.is_some(), more),
            PageDirection::Backward => {
                fetched.reverse();
                (fetched, more, self.begin.is_some())
            }
        }
    }
}

/// Whether a field selects another directly.
fn selects(field: SelectionField<'_>, name: &str) -> bool {
    field.selection_set().any(|selected| selected.name() == name)
}

/// A page is not dearer than this for each of its items: whatever is, is refused, and sums of such are numbers still. (async-graphql adds them up
/// without looking for an end.)
pub const DEAREST_ITEM: usize = 1 << 32;

/// What a page costs: its items, each with what is asked of it.
pub fn cost(first: Option<i32>, last: Option<i32>, child: usize) -> usize {
    let size = first.or(last).and_then(|size| usize::try_from(size).ok()).unwrap_or(DEFAULT_SIZE);
    1 + size.min(MOST) * child.min(DEAREST_ITEM)
}

/// What a mutation of several items costs: each item what is asked of its result.
pub fn cost_of_items(items: usize, child: usize) -> usize {
    1 + items.min(MOST) * child.min(DEAREST_ITEM)
}

/// What it costs more to look at all of a list and not at the first of it: a filter does.
pub fn cost_of_filter<F>(filter: &Option<F>) -> usize {
    filter.as_ref().map_or(0, |_| 100)
}

/// The list that a page is of, in its order. A cursor carries the names of both, and the direction, because a place in one list is none in another, and
/// from the same place the other way lies what was seen.
#[derive(Debug, Clone, Copy)]
pub struct CursorScope {
    pub link: &'static Link,
    pub order: Page,
}

impl CursorScope {
    /// What a cursor of this list begins with.
    fn prefix(self) -> String {
        let direction = match self.order.direction {
            SortDirection::Ascending => "ASC",
            SortDirection::Descending => "DESC",
        };
        format!("{} {} {direction} ", self.link.name, self.order.sort.name)
    }

    /// The place that a cursor of this list names.
    pub fn place(self, cursor: &str) -> Option<Place> {
        let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
        Place::read(text.strip_prefix(&self.prefix())?, self.order)
    }
}

/// A place in a list.
pub struct Cursor {
    pub listing: CursorScope,
    pub place: Place,
}

impl CursorType for Cursor {
    type Error = &'static str;

    fn decode_cursor(_: &str) -> std::result::Result<Self, Self::Error> {
        Err("a cursor is read with its list")
    }

    fn encode_cursor(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(format!("{}{}", self.listing.prefix(), self.place.to_text()))
    }
}
