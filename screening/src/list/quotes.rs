//! Where the records of a CSV file begin, and its quotes. The reader of CSV tells neither: it takes `\r\n` for the end of a line before the line has ended,
//! and closes a quote that is still open at the end of the file.

use std::collections::VecDeque;
use std::io::{self, Read};

/// Where a record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// From 1 on.
    pub line: u64,
    /// Where the first quote of the record is opened that has a line break in it.
    pub spans: Option<u64>,
}

/// A file of CSV that is looked at while it is read.
pub struct Watched<R> {
    pub input: R,
    line: u64,
    state: State,
    /// Those that were read and not asked for, in their order.
    begun: VecDeque<Begun>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a record: line breaks are passed over.
    Record,
    /// Before a field.
    Field,
    /// In a field without quotes, or behind its quotes.
    Bare,
    /// In quotes that were opened in a line.
    Quoted(u64),
    /// At a quote in quotes: the end of the field, or the first of two.
    Quote(u64),
}

impl<R> Watched<R> {
    pub fn new(input: R) -> Watched<R> {
        Watched { input, line: 1, state: State::Record, begun: VecDeque::new() }
    }

    /// Where the next record begins; once for each record, after it was read.
    pub fn take_begun(&mut self) -> Begun {
        self.begun.pop_front().unwrap_or(Begun { line: self.line, spans: None })
    }

    /// The line in which the record begins that is to be read next.
    pub fn line_of_next(&self) -> u64 {
        self.begun.front().map_or(self.line, |begun| begun.line)
    }

    /// Where the quote was opened that is open after all that was read.
    pub fn open(&self) -> Option<u64> {
        match self.state {
            State::Quoted(line) => Some(line),
            State::Record | State::Field | State::Bare | State::Quote(_) => None,
        }
    }

    fn see(&mut self, byte: u8) {
        let is_break = matches!(byte, b'\r' | b'\n');
        if self.state == State::Record && !is_break {
            self.begun.push_back(Begun { line: self.line, spans: None });
            self.state = State::Field;
        }
        self.state = match (self.state, byte) {
            (State::Quoted(opened), b'"') => State::Quote(opened),
            (State::Quoted(opened), _) => {
                if let Some(begun) = self.begun.back_mut().filter(|_| is_break) {
                    begun.spans.get_or_insert(opened);
                }
                State::Quoted(opened)
            }
            (State::Field, b'"') => State::Quoted(self.line),
            (State::Quote(opened), b'"') => State::Quoted(opened),
            _ if is_break => State::Record,
            (_, b',') => State::Field,
            _ => State::Bare,
        };
        self.line += u64::from(byte == b'\n');
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(out)?;
        for byte in &out[..read] {
            self.see(*byte);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_simple;
    use super::*;

    #[test]
    fn records_begin_where_the_reader_of_csv_finds_them() {
        let text = "a,b\r\n\r\n\"x\n\"\"y\",2\n\n3,\"4\" \"\r5,6\r\n7,\"8";
        let mut watched = Watched::new(text.as_bytes());
        watched.read_to_end(&mut Vec::new()).expect("it is read");
        assert_eq!(watched.open(), Some(7));
        let begun: Vec<_> = watched.begun.iter().map(|begun| (begun.line, begun.spans)).collect();
        assert_eq!(begun, [(1, None), (3, Some(3)), (6, None), (6, None), (7, None)]);
        let records = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_bytes()).into_byte_records().count();
        assert_eq!(records, begun.len());
    }

    fn told(text: &str) -> Vec<String> {
        read_simple(text.as_bytes()).expect_err("it is wrong").0.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_are_counted_alike_however_they_end() {
        for line_break in ["\n", "\r\n"] {
            let text = ["id,schema,name", "1,Person,A", "", "2,Person,", "3,Person"].join(line_break);
            assert_eq!(told(&text), ["line 4, column `name`: is empty", "line 5: 2 fields where the header has 3"], "{line_break:?}");
        }
    }

    #[test]
    fn a_quote_that_is_not_closed_hides_nothing() {
        let open = "id,schema,name\nb3,Person,x\nb4,Person,\"open\nb5,Person,z\n";
        assert_eq!(told(open), ["line 3: a quote is opened and not closed before the file ends"]);
        let later = told(&format!("{open}b6,Person,\"y\"\nb7,Person,w\n"));
        assert_eq!(later[0], "line 3: a field has what looks like another line of the list in it; its quote is opened in line 3");
        assert_eq!(later[1], "line 3, column `name`: has a line break in it; its quote is opened in line 3");
        let other = "id,schema,name,remarks\nb4,Person,x,\"open\nb5,Person,z,\"\n";
        assert_eq!(told(other).len(), 1);
    }

    #[test]
    fn values_that_are_not_names_may_have_several_lines() {
        let text = "id,schema,name,aliases,remarks\n1,Person,\"Ada Quill\n\",\"A.\nQuill\",\"Main street,\nValletta\"\n";
        let read = read_simple(text.as_bytes()).expect("a list");
        assert_eq!((read.items.len(), read.notes.len(), read.notes[0].column.as_str()), (1, 1, "aliases"));
    }
}
