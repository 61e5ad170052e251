//! Where lines come from: a folder of files, or the sample network bundled with the program.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::checkpoint::{Checkpoint, Position};
use super::{Line, List, Outcome};

/// Lines of a batch, and about the most bytes. The store writes 500 lines in one transaction; several transactions of a batch can be under way
/// side by side, while the next batch waits for all of them.
const BATCH_LINES: usize = 2_000;
const BATCH_BYTES: usize = 4 << 20;
/// A longer line is no record, and its file none of ours.
const LONGEST_LINE: u64 = 32 << 20;

/// How some programs begin a text in UTF-8: it says nothing, and is no part of the first line.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// All lists there are, and how much of them was done before. Weights are bytes of files or lines of what is made: they only show how far it is.
pub struct Source<'a> {
    readers: Vec<Reader<'a>>,
    pub weight: u64,
    pub weight_skipped: u64,
    pub lines_skipped: u64,
}

/// A list that is read batch by batch.
pub struct Reader<'a> {
    pub list: List,
    lines: Lines<'a>,
    at: Position,
}

enum Lines<'a> {
    File { path: PathBuf, file: BufReader<File> },
    Made(Box<dyn Iterator<Item = String> + Send + 'a>),
}

/// Lines that go to the target together.
pub struct Batch {
    pub lines: Vec<Line>,
    /// What became of lines that are no text.
    pub unreadable: Vec<(u64, Outcome)>,
    /// Where the list goes on afterwards.
    pub end: Position,
    pub weight: u64,
}

/// A line as it was read, and its weight.
type Weighed = (Result<String, Outcome>, u64);

impl<'a> Source<'a> {
    fn new(readers: Vec<Reader<'a>>, weight: u64) -> Self {
        let weight_skipped = readers.iter().map(|reader| reader.at.offset).sum();
        let lines_skipped = readers.iter().map(|reader| reader.at.line).sum();
        Self { readers, weight, weight_skipped, lines_skipped }
    }

    /// The files of a folder, each from where the checkpoint says. A folder without any of them is an error.
    pub fn folder(folder: &Path, checkpoint: &Checkpoint) -> anyhow::Result<Self> {
        let mut readers = Vec::new();
        let mut weight = 0;
        for list in List::ALL {
            let path = folder.join(list.name()).with_extension("ndjson");
            if path.is_file() {
                let from = checkpoint.position(list);
                let (reader, length) = Reader::open(list, &path, from).with_context(|| path.display().to_string())?;
                weight += length;
                readers.push(reader);
            }
        }
        if readers.is_empty() {
            bail!("{}: there is no actors.ndjson, accounts.ndjson, … in it", folder.display());
        }
        Ok(Self::new(readers, weight))
    }

    /// Lists that are made while they are read: the sample network's.
    pub fn made(lists: impl IntoIterator<Item = sample::List<'a>>) -> anyhow::Result<Self> {
        let mut readers = Vec::new();
        let mut weight = 0;
        for made in lists {
            let Some(list) = List::ALL.into_iter().find(|list| list.name() == made.name) else { bail!("unknown list {}", made.name) };
            weight += made.length as u64;
            readers.push(Reader { list, lines: Lines::Made(made.lines), at: Position::default() });
        }
        Ok(Self::new(readers, weight))
    }

    /// The lists, in the order they are imported.
    pub fn into_readers(self) -> Vec<Reader<'a>> {
        self.readers
    }
}

impl Reader<'_> {
    /// The reader of a file, and the file's length.
    fn open(list: List, path: &Path, from: Position) -> anyhow::Result<(Self, u64)> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let at = if follows_a_line(&mut file, from, length)? {
            from
        } else {
            tracing::warn!(list = list.name(), "the file is not the one an earlier run began: it is read from its beginning");
            Position::default()
        };
        file.seek(SeekFrom::Start(at.offset))?;
        let lines = Lines::File { path: path.to_owned(), file: BufReader::with_capacity(1 << 18, file) };
        Ok((Self { list, lines, at }, length))
    }

    /// The next lines, or `None` at the end. Blank lines are passed over.
    pub fn next_batch(&mut self) -> anyhow::Result<Option<Batch>> {
        let mut batch = Batch { lines: Vec::new(), unreadable: Vec::new(), end: self.at, weight: 0 };
        let mut bytes = 0;
        while batch.lines.len() < BATCH_LINES && bytes < BATCH_BYTES {
            let Some((line, weight)) = self.next_line()? else { break };
            self.at.line += 1;
            self.at.offset += weight;
            batch.weight += weight;
            match line {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => {
                    bytes += text.len();
                    batch.lines.push(Line { number: self.at.line, text });
                }
                Err(outcome) => batch.unreadable.push((self.at.line, outcome)),
            }
        }
        batch.end = self.at;
        Ok((batch.weight > 0).then_some(batch))
    }

    fn next_line(&mut self) -> anyhow::Result<Option<Weighed>> {
        match &mut self.lines {
            Lines::Made(lines) => Ok(lines.next().map(|text| (Ok(text), 1))),
            Lines::File { path, file } => {
                let mut bytes = Vec::with_capacity(512);
                let read = file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).with_context(|| path.display().to_string())?;
                if read as u64 == LONGEST_LINE {
                    bail!("{}:{}: a line of more than 32 MiB", path.display(), self.at.line + 1);
                }
                if self.at.offset == 0 && bytes.starts_with(MARK) {
                    bytes.drain(..MARK.len());
                }
                let text = String::from_utf8(bytes).map_err(|_| Outcome::Refused(vec!["line: must be UTF-8".into()]));
                Ok((read > 0).then_some((text, read as u64)))
            }
        }
    }
}

/// Whether a file can go on from a position: it must reach as far, and a line must end there.
fn follows_a_line(file: &mut File, position: Position, length: u64) -> anyhow::Result<bool> {
    let Some(before) = position.offset.checked_sub(1) else { return Ok(true) };
    if position.offset > length {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::Start(before))?;
    file.read_exact(&mut last)?;
    // The last line of a file that was read to its end may have no line end.
    Ok(last == *b"\n" || position.offset == length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(reader: &mut Reader) -> (Vec<(u64, String)>, Vec<u64>) {
        let (mut lines, mut unreadable) = (Vec::new(), Vec::new());
        while let Some(batch) = reader.next_batch().expect("a readable file") {
            lines.extend(batch.lines.into_iter().map(|line| (line.number, line.text.trim_end().to_owned())));
            unreadable.extend(batch.unreadable.into_iter().map(|(number, _)| number));
        }
        (lines, unreadable)
    }

    #[test]
    fn lines_keep_their_numbers_past_blank_and_unreadable_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("actors.ndjson");
        std::fs::write(&path, b"{\"a\":1}\n\n\xff\n{\"a\":2}\r\n{\"a\":3}").expect("a file");
        let (mut reader, length) = Reader::open(List::Actors, &path, Position::default()).expect("a reader");
        let (lines, unreadable) = read_all(&mut reader);
        assert_eq!(lines, [(1, "{\"a\":1}".to_owned()), (4, "{\"a\":2}".to_owned()), (5, "{\"a\":3}".to_owned())]);
        assert_eq!((unreadable, reader.at), (vec![3], Position { offset: length, line: 5 }));
    }

    #[test]
    fn a_mark_at_the_start_is_no_part_of_the_first_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("actors.ndjson");
        std::fs::write(&path, "\u{feff}{\"a\":1}\n\u{feff}{}\n").expect("a file");
        let (mut reader, length) = Reader::open(List::Actors, &path, Position::default()).expect("a reader");
        assert_eq!(read_all(&mut reader).0, [(1, "{\"a\":1}".to_owned()), (2, "\u{feff}{}".to_owned())]);
        assert_eq!(reader.at, Position { offset: length, line: 2 });
    }

    #[test]
    fn a_file_goes_on_where_a_line_ends_and_otherwise_begins_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("actors.ndjson");
        std::fs::write(&path, "one\ntwo\nthree\n").expect("a file");
        let lines_from = |offset, line| {
            let (mut reader, _) = Reader::open(List::Actors, &path, Position { offset, line }).expect("a reader");
            read_all(&mut reader).0
        };
        assert_eq!(lines_from(8, 2), [(3, "three".to_owned())]);
        assert_eq!(lines_from(14, 3), []);
        assert_eq!(lines_from(7, 2).len(), 3, "in the middle of a line");
        assert_eq!(lines_from(99, 9).len(), 3, "past the end");
    }

    #[test]
    fn batches_are_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("actors.ndjson");
        std::fs::write(&path, "{}\n".repeat(4_201)).expect("a file");
        let source = Source::folder(folder.path(), &Checkpoint::read(folder.path(), "t").expect("none")).expect("a source");
        let mut readers = source.into_readers();
        let sizes: Vec<usize> = std::iter::from_fn(|| readers[0].next_batch().expect("a batch")).map(|batch| batch.lines.len()).collect();
        assert_eq!(sizes, [2_000, 2_000, 201]);
    }
}
