//! Columns of CSV files by their names, and what is wrong with a file, by line and column.

use std::fmt;
use std::io;
use std::ops::ControlFlow;

use csv::{ByteRecord, ReaderBuilder};

use super::bounded::Bounded;
use super::faults::Faults;
use super::quotes::{Begun, Watched};
use crate::evidence::PartialDate;

/// One thing that is wrong in a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub line: u64,
    pub column: String,
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "line {}", self.line)?;
        if !self.column.is_empty() {
            write!(out, ", column `{}`", self.column)?;
        }
        write!(out, ": {}", self.what)
    }
}

/// Everything that is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// In the order of the lines.
    pub fn new(mut problems: Vec<Problem>) -> Problems {
        problems.sort_by_key(|problem| problem.line);
        Problems(problems)
    }
}

/// A line of a file with the columns that were asked for, in the order in which they were.
pub struct Line {
    pub number: u64,
    pub fields: Vec<String>,
}

/// Columns that a file must have, and those that it may have.
pub struct Columns {
    pub must: &'static [&'static str],
    pub may: &'static [&'static str],
}

impl Columns {
    fn name(&self, at: usize) -> &'static str {
        self.must.get(at).or_else(|| self.may.get(at - self.must.len())).copied().unwrap_or_default()
    }

    /// Gives each line of a file with a header away until nobody wants more; what cannot be read as CSV or UTF-8 is a problem.
    pub fn each(&self, input: impl io::Read, faults: &mut Faults, mut take: impl FnMut(Line, &mut Faults) -> ControlFlow<()>) {
        let mut places: Option<(Vec<Option<usize>>, usize)> = None;
        each_record(input, faults, |record, Begun { line: number, spans }, faults| {
            let Some((places, width)) = &places else {
                places = Some((self.places(record, number, &mut faults.problems), record.len()));
                return ControlFlow::Continue(());
            };
            if record.len() != *width {
                let what = format!("{} fields where the header has {width}", record.len());
                faults.problems.push(Problem { line: number, column: String::new(), what });
                return ControlFlow::Continue(());
            }
            let fields = places.iter().enumerate().map(|(at, place)| {
                let bytes = place.and_then(|place| record.get(place)).unwrap_or_default();
                std::str::from_utf8(bytes).map(str::trim).unwrap_or_else(|_| {
                    faults.problems.push(Problem { line: number, column: self.name(at).into(), what: "is not UTF-8".into() });
                    ""
                })
            });
            let fields: Vec<String> = fields.map(str::to_owned).collect();
            if let Some(opened) = spans {
                for (at, _) in fields.iter().enumerate().filter(|(_, field)| field.contains(['\r', '\n'])) {
                    let what = format!("has a line break in it; its quote is opened in line {opened}");
                    let told = if at < self.must.len() { &mut faults.problems } else { &mut faults.notes };
                    told.push(Problem { line: number, column: self.name(at).into(), what });
                }
            }
            if places[..self.must.len()].iter().all(Option::is_some) {
                return take(Line { number, fields }, faults);
            }
            ControlFlow::Continue(())
        });
        if places.is_none() && faults.problems.is_empty() {
            let what = format!("the file is empty; a header with {} is expected", self.must.join(", "));
            faults.problems.push(Problem { line: 1, column: String::new(), what });
        }
    }

    fn places(&self, header: &ByteRecord, line: u64, problems: &mut Vec<Problem>) -> Vec<Option<usize>> {
        let names: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).trim_start_matches('\u{feff}').trim().to_ascii_lowercase()).collect();
        let place = |column: &&str| names.iter().position(|name| name == column);
        for column in self.must.iter().filter(|column| place(column).is_none()) {
            problems.push(Problem { line, column: (*column).into(), what: format!("is missing; the header has {}", names.join(", ")) });
        }
        self.must.iter().chain(self.may).map(place).collect()
    }
}

/// Gives each record of a CSV file away with where it begins, until nobody wants more. Records may differ in how many fields they have. A quote that is
/// not closed makes one field of all that comes behind it, so it is a problem, and so is a field that has other records in it.
pub fn each_record(input: impl io::Read, faults: &mut Faults, mut take: impl FnMut(&ByteRecord, Begun, &mut Faults) -> ControlFlow<()>) {
    let mut reader = ReaderBuilder::new().flexible(true).has_headers(false).from_reader(Watched::new(Bounded::new(input)));
    let mut record = ByteRecord::new();
    let problem = |line, what| Problem { line, column: String::new(), what };
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(false) => {
                let open = reader.get_ref().open();
                return faults.problems.extend(open.map(|line| problem(line, "a quote is opened and not closed before the file ends".into())));
            }
            Ok(true) => {}
            Err(error) => {
                let quote = reader.get_ref().open().map(|line| format!("; a quote is opened in line {line} and not closed")).unwrap_or_default();
                return faults.problems.push(problem(reader.get_ref().line_of_next(), format!("cannot be read: {error}{quote}")));
            }
        }
        let mut begun = reader.get_mut().take_begun();
        if begun.spans.is_some() && begun.spans == reader.get_ref().open() {
            // It goes on to the end of the file, and is told there.
            begun.spans = None;
        }
        if let Some(opened) = begun.spans.filter(|_| hides_records(&record)) {
            let what = format!("a field has what looks like another line of the list in it; its quote is opened in line {opened}");
            faults.problems.push(problem(begun.line, what));
        }
        let flow = take(&record, begun, faults);
        faults.bound();
        if flow.is_break() {
            return;
        }
        reader.get_mut().input.refill();
    }
}

/// Whether a line in one of the fields has as many fields as the record itself.
fn hides_records(record: &ByteRecord) -> bool {
    let is_record = |line: &[u8]| line.iter().filter(|byte| **byte == b',').count() + 1 >= record.len().max(3);
    record.iter().any(|field| field.split(|byte| matches!(*byte, b'\r' | b'\n')).skip(1).any(is_record))
}

/// A text without the byte order mark of UTF-8, which spreadsheets write before it.
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Parts of a field that are separated by `;`.
pub fn parts(field: &str) -> impl Iterator<Item = &str> {
    field.split(';').map(str::trim).filter(|part| !part.is_empty())
}

/// The dates of a field; what is none is noted.
pub fn dates(field: &str, line: u64, column: &str, notes: &mut Vec<Problem>) -> Vec<PartialDate> {
    parts(field).filter_map(|part| date(part, line, column, notes)).collect()
}

/// A date; of a span (`1950 to 1955`) its beginning. What is none is noted.
pub fn date(text: &str, line: u64, column: &str, notes: &mut Vec<Problem>) -> Option<PartialDate> {
    let date = PartialDate::read(text.split(" to ").next().unwrap_or(text));
    let what = match date {
        None => Some(format!("`{text}` is no date (1952, 1952-12 or 1952-12-03) and is not used")),
        Some((_, true)) => Some(format!("`{text}` may be two days: of it the year alone is used; write 1952-12-03")),
        Some((_, false)) => None,
    };
    notes.extend(what.map(|what| Problem { line, column: column.into(), what }));
    date.map(|(date, _)| date)
}
