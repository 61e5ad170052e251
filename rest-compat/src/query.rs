//! Queries, read strictly: a parameter that nobody asked for, or one given twice, is a mistake that its sender wants
//! to hear of. All faults are told at once.
//!
//! A handler asks for the parameters it knows, one by one; whatever it did not ask for is unknown. What it asked for
//! comes as an `Option`, `None` where it is absent or faulty, and [`Query::finish`] lets it on only when nothing was
//! faulty.

use graph_schema::{
    date::{Date, Timestamp},
    enum_name::EnumName,
    fault::Fault,
    id::{Id, IdKind},
};
use resolvers::{OffsetPage, explore::SortDirection};

use crate::fault::Failure;

/// Most items a page may have, by the document.
pub(crate) const MAX_LIMIT: i64 = 1000;
/// Items of a page where the document names no default.
pub(crate) const DEFAULT_LIMIT: i64 = 100;
/// The document's int32.
const MAX_OFFSET: i64 = i32::MAX as i64;

/// What a value must be, when it is not.
type Read<T> = Result<T, String>;

/// A query whose parameters have not all been asked for yet.
pub(crate) struct Query {
    given: Vec<(String, String)>,
    known: Vec<&'static str>,
    faults: Vec<Fault>,
}

impl Query {
    /// Splits and decodes a query (what follows the `?`).
    pub(crate) fn read(text: &str) -> Self {
        let mut query = Self { given: Vec::new(), known: Vec::new(), faults: Vec::new() };
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (decoded(name), decoded(value)) {
                (Some(name), Some(value)) => query.given.push((name, value)),
                (Some(name), None) => query.fault(name, BADLY_ENCODED),
                (None, _) => query.fault("query", BADLY_ENCODED),
            }
        }
        query
    }

    /// A parameter that may be absent.
    pub(crate) fn optional<T>(&mut self, name: &'static str, read: impl FnOnce(&str) -> Read<T>) -> Option<T> {
        let mut values = self.take(name);
        if values.len() > 1 {
            self.fault(name, "must be given once");
            return None;
        }
        let value = values.pop()?;
        self.reading(name, &value, read)
    }

    /// A parameter that must be there.
    pub(crate) fn required<T>(&mut self, name: &'static str, read: impl FnOnce(&str) -> Read<T>) -> Option<T> {
        let known_faults = self.faults.len();
        let absent = !self.given.iter().any(|(given, _)| given == name);
        let value = self.optional(name, read);
        if absent && self.faults.len() == known_faults {
            self.fault(name, "is required");
        }
        value
    }

    /// A list: commas, repetition, or both. `None` when the parameter is absent.
    pub(crate) fn list<T>(&mut self, name: &'static str, read: impl Fn(&str) -> Read<T>) -> Option<Vec<T>> {
        let values = self.take(name);
        if values.is_empty() {
            return None;
        }
        let items = values.iter().flat_map(|value| value.split(','));
        Some(items.filter_map(|item| self.reading(name, item, &read)).collect())
    }

    /// `limit` and `offset`.
    pub(crate) fn page(&mut self, default_limit: i64) -> OffsetPage {
        let limit = self.optional("limit", |text| whole(text, 1..=MAX_LIMIT));
        let offset = self.optional("offset", |text| whole(text, 0..=MAX_OFFSET));
        OffsetPage { limit: limit.unwrap_or(default_limit), offset: offset.unwrap_or(0) }
    }

    /// `limit` and `offset` where the document has no pages: nothing when neither is given.
    pub(crate) fn page_if_given(&mut self) -> Option<OffsetPage> {
        let is_given = self.given.iter().any(|(name, _)| name == "limit" || name == "offset");
        let page = self.page(MAX_LIMIT);
        is_given.then_some(page)
    }

    /// Fields to sort by, the most important first; `-` before one turns it round.
    pub(crate) fn sort<F: Copy>(&mut self, name: &'static str, fields: &[(&'static str, F)]) -> Vec<(F, SortDirection)> {
        let mut seen: Vec<&str> = Vec::new();
        let mut sort = Vec::new();
        let Some(value) = self.optional(name, text) else {
            return sort;
        };
        for item in value.split(',') {
            let (wanted, direction) = match item.strip_prefix('-') {
                Some(wanted) => (wanted, SortDirection::Descending),
                None => (item, SortDirection::Ascending),
            };
            match fields.iter().find(|(known, _)| *known == wanted) {
                None => {
                    let known: Vec<&str> = fields.iter().map(|(known, _)| *known).collect();
                    let known = known.join(", ");
                    self.fault(name, format!("can't sort by {wanted:?}; sortable are {known}, each with - before it for descending"));
                }
                Some((known, _)) if seen.contains(known) => {
                    self.fault(name, format!("names {known} twice"));
                }
                Some((known, field)) => {
                    seen.push(known);
                    sort.push((*field, direction));
                }
            }
        }
        sort
    }

    /// `value`, when the whole query was in order.
    pub(crate) fn finish<T>(mut self, value: Option<T>) -> Result<T, Failure> {
        let unknown: Vec<String> = self.given.drain(..).map(|(name, _)| name).collect();
        let known = match self.known.as_slice() {
            [] => "there are none here".to_owned(),
            known => format!("known are {}", known.join(", ")),
        };
        for name in unknown {
            self.fault(name, format!("is not a parameter of this operation; {known}"));
        }
        match value {
            Some(value) if self.faults.is_empty() => Ok(value),
            _ => Err(Failure::Unreadable(self.faults)),
        }
    }

    fn fault(&mut self, name: impl Into<String>, problem: impl Into<String>) {
        self.faults.push(Fault::new(name, problem));
    }

    fn take(&mut self, name: &'static str) -> Vec<String> {
        self.known.push(name);
        let taken = self.given.extract_if(.., |(given, _)| given == name);
        taken.map(|(_, value)| value).collect()
    }

    fn reading<T>(&mut self, name: &'static str, value: &str, read: impl FnOnce(&str) -> Read<T>) -> Option<T> {
        match read(value) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.fault(name, problem);
                None
            }
        }
    }
}

/// Two moments, the first not after the second; `names` are their parameters.
pub(crate) fn in_order(from: Option<Timestamp>, to: Option<Timestamp>, names: [&str; 2]) -> Result<(), Failure> {
    match (from, to) {
        (Some(from), Some(to)) if to < from => {
            let fault = Fault::new(names[1], format!("must not be before {}", names[0]));
            Err(Failure::Invalid(vec![fault]))
        }
        _ => Ok(()),
    }
}

/// Any text that is not empty.
pub(crate) fn text(value: &str) -> Read<String> {
    if value.is_empty() { Err("must not be empty".to_owned()) } else { Ok(value.to_owned()) }
}

/// `true` or `false`.
pub(crate) fn boolean(value: &str) -> Read<bool> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

/// A date-time of RFC 3339.
pub(crate) fn date_time(value: &str) -> Read<Timestamp> {
    // An offset's `+` that was not percent-encoded has been decoded as a blank, and no date-time has one.
    Timestamp::parse(&value.replace(' ', "+")).ok_or_else(|| "must be a date-time as RFC 3339 writes it, such as 2020-06-21T06:30:59Z".to_owned())
}

/// A calendar date.
pub(crate) fn date(value: &str) -> Read<Date> {
    Date::parse(value).ok_or_else(|| "must be a date that exists, as YYYY-MM-DD".to_owned())
}

/// The id of a record.
pub(crate) fn id<K: IdKind>(value: &str) -> Read<Id<K>> {
    Id::parse(value).map_err(str::to_owned)
}

/// One of an enum's names.
pub(crate) fn one_of<E: EnumName>(value: &str) -> Read<E> {
    E::named(value).ok_or_else(|| format!("must be one of {}", E::names().join(", ")))
}

/// A whole number, in digits, within a range.
pub(crate) fn whole(value: &str, range: std::ops::RangeInclusive<i64>) -> Read<i64> {
    let digits = value.bytes().all(|b| b.is_ascii_digit());
    let number = value.parse().ok().filter(|number| digits && range.contains(number));
    number.ok_or_else(|| format!("must be an integer from {} to {}", range.start(), range.end()))
}

const BADLY_ENCODED: &str = "must be UTF-8, percent-encoded";

/// Percent-decoded, `+` as a blank; `None` when it is not UTF-8 or a `%` stands alone.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => hex(bytes.next()?)? * 16 + hex(bytes.next()?)?,
            byte => byte,
        });
    }
    String::from_utf8(decoded).ok()
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use graph_schema::channel_location::ChannelLocationType;

    use super::*;

    fn faults<T>(result: Result<T, Failure>) -> Vec<String> {
        match result {
            Err(Failure::Unreadable(faults)) => faults.iter().map(Fault::to_string).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn pages_are_bounded_and_have_a_default() {
        let table = [
            ("", Some((100, 0))),
            ("limit=1&offset=0", Some((1, 0))),
            ("limit=1000&offset=2147483647", Some((1000, 2_147_483_647))),
            ("limit=0", None),
            ("limit=1001", None),
            ("limit=-1", None),
            ("limit=%2B1", None),
            ("limit=1.0", None),
            ("limit=", None),
            ("limit=99999999999999999999", None),
            ("offset=-1", None),
            ("offset=2147483648", None),
        ];
        for (text, wanted) in table {
            let mut query = Query::read(text);
            let page = query.page(DEFAULT_LIMIT);
            let page = query.finish(Some((page.limit, page.offset))).ok();
            assert_eq!(page, wanted, "{text}");
        }
    }

    #[test]
    fn all_faults_are_told_at_once() {
        let mut query = Query::read("limit=x&offset=-2&flag=yes&flag=no&typo=1&a=%zz");
        let page = query.page(DEFAULT_LIMIT);
        let flag = query.optional("flag", boolean);
        let from = query.required("from", date_time);
        assert_eq!((page.limit, flag, from), (DEFAULT_LIMIT, None, None));
        let faults = faults(query.finish(from));
        let wanted = [
            "a: must be UTF-8, percent-encoded",
            "limit: must be an integer from 1 to 1000",
            "offset: must be an integer from 0 to 2147483647",
            "flag: must be given once",
            "from: is required",
            "typo: is not a parameter of this operation; known are limit, offset, flag, from",
        ];
        assert_eq!(faults, wanted);
    }

    #[test]
    fn a_required_value_is_told_once_when_it_is_wrong() {
        let mut query = Query::read("from=yesterday");
        let from = query.required("from", date_time);
        assert_eq!(faults(query.finish(from)).len(), 1);
    }

    #[test]
    fn date_times_may_have_a_bare_plus() {
        for text in ["2020-06-21T08:30:59+02:00", "2020-06-21T08%3A30%3A59%2B02:00", "2020-06-21T06:30:59Z"] {
            let mut query = Query::read(&format!("from={text}"));
            let from = query.required("from", date_time);
            assert_eq!(query.finish(from).unwrap().millis(), 1_592_721_059_000, "{text}");
        }
        for text in ["2020-06-21", "2020-06-21T06:30:59", "2020-06-21 06:30:59Z", ""] {
            let mut query = Query::read(&format!("from={text}"));
            let from = query.optional("from", date_time);
            assert!(query.finish(Some(from)).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_take_commas_and_repetition() {
        let read = |text: &str| {
            let mut query = Query::read(text);
            let ids = query.list("ids.in[]", super::text);
            query.finish(Some(ids))
        };
        let wanted = Some(vec!["a b".to_owned(), "c".to_owned(), "d".to_owned()]);
        assert_eq!(read("ids.in[]=a+b,c&ids.in%5B%5D=d"), Ok(wanted));
        assert_eq!(read(""), Ok(None));
        assert_eq!(faults(read("ids.in[]=a,,b")), ["ids.in[]: must not be empty"]);
        assert_eq!(faults(read("ids.in=a")).len(), 1);
    }

    #[test]
    fn sorting_knows_its_fields() {
        let read = |text: &str| {
            let mut query = Query::read(text);
            let sort = query.sort("sort_by", &[("id", 1), ("type", 2)]);
            query.finish(Some(sort))
        };
        assert_eq!(read("sort_by=-type,id"), Ok(vec![(2, SortDirection::Descending), (1, SortDirection::Ascending)]));
        let unknown = faults(read("sort_by=city"));
        assert!(unknown[0].contains("sortable are id, type"), "{unknown:?}");
        assert_eq!(faults(read("sort_by=id,-id")), ["sort_by: names id twice"]);
        assert_eq!(faults(read("sort_by=")), ["sort_by: must not be empty"]);
    }

    #[test]
    fn names_of_enums_are_exact() {
        assert_eq!(one_of("ATM"), Ok(ChannelLocationType::Atm));
        let wrong: Read<ChannelLocationType> = one_of("atm");
        assert_eq!(wrong.unwrap_err(), "must be one of ATM, BRANCH, OTHER");
    }

    #[test]
    fn the_end_is_not_before_the_start() {
        let at = |millis| Some(Timestamp(millis));
        assert_eq!(in_order(at(1), at(1), ["a", "b"]), Ok(()));
        assert_eq!(in_order(None, at(1), ["a", "b"]), Ok(()));
        assert!(matches!(in_order(at(2), at(1), ["a", "b"]), Err(Failure::Invalid(_))));
    }
}
