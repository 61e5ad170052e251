//! A file that is read record by record, each of which is bounded: a quote that is never closed, or an element that never ends, must not fill the memory.

use std::io::{self, BufRead, Read};

/// The most bytes of one record.
pub const LARGEST_RECORD: usize = 1 << 20;

/// A file of which only so much is given out until [`Bounded::refill`] is called.
pub struct Bounded<R> {
    input: R,
    left: usize,
    /// The line that is read, from 1 on. Counted where the file is read by [`BufRead`].
    line: u64,
}

impl<R> Bounded<R> {
    pub fn new(input: R) -> Bounded<R> {
        Bounded { input, left: LARGEST_RECORD, line: 1 }
    }

    /// A record has ended: the next one may have as many bytes again.
    pub fn refill(&mut self) {
        self.left = LARGEST_RECORD;
    }

    pub fn line(&self) -> u64 {
        self.line
    }

    /// Whether a record was larger than it may be.
    pub fn is_exhausted(&self) -> bool {
        self.left == 0
    }
}

/// What is wrong with a record that is too large.
pub fn too_large() -> String {
    format!("one entry takes more than the {} MiB that it may", LARGEST_RECORD >> 20)
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(too_large()));
        }
        let most = out.len().min(self.left);
        let read = self.input.read(&mut out[..most])?;
        self.left -= read;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(io::Error::other(too_large()));
        }
        let there = self.input.fill_buf()?;
        Ok(&there[..there.len().min(self.left)])
    }

    fn consume(&mut self, amount: usize) {
        if amount == 0 {
            return;
        }
        // What is there already is given again, without reading.
        if let Ok(there) = self.input.fill_buf() {
            let taken = &there[..amount.min(there.len())];
            self.line += taken.iter().map(|byte| u64::from(*byte == b'\n')).sum::<u64>();
        }
        self.left = self.left.saturating_sub(amount);
        self.input.consume(amount);
    }
}

/// A file without the byte order mark of UTF-8, which spreadsheets write before it.
///
/// # Errors
/// The file cannot be read.
pub fn without_mark_of(mut input: impl BufRead) -> io::Result<impl BufRead> {
    let mut head = Vec::with_capacity(3);
    input.by_ref().take(3).read_to_end(&mut head)?;
    if head == b"\xef\xbb\xbf" {
        head.clear();
    }
    Ok(io::Cursor::new(head).chain(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_bounded_and_the_next_one_begins_anew() {
        let mut input = Bounded::new(io::repeat(b'a').take(3 * LARGEST_RECORD as u64));
        let mut out = Vec::new();
        assert!(input.read_to_end(&mut out).is_err());
        assert_eq!(out.len(), LARGEST_RECORD);
        assert!(input.is_exhausted());
        input.refill();
        assert!(input.read(&mut [0; 16]).is_ok_and(|read| read == 16));
    }

    #[test]
    fn lines_are_counted_and_a_mark_is_no_part_of_the_text() {
        let mut input = Bounded::new(without_mark_of(&b"\xef\xbb\xbfa\nb\n"[..]).expect("it is read"));
        let mut line = String::new();
        input.read_line(&mut line).expect("a line");
        assert_eq!((line.as_str(), input.line()), ("a\n", 2));
    }
}
