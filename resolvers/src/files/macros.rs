//! Programs inside an office file: a document that has some is of another type than one that has none, whatever its name ends with.

use std::io::Write;

use flate2::write::DeflateDecoder;
use memchr::memmem::find;

/// What names of parts with programs have in them, in small letters: VBA, and the macro sheets of older Excel.
const PARTS: [&[u8]; 3] = [b"vbaproject.bin", b"vbadata.xml", b"xl/macrosheets/"];
/// What the list of a document's parts says where there are programs, in small letters, whatever their parts are called.
const TYPES: [&[u8]; 3] = [b"macroenabled", b"vbaproject", b"macrosheet"];
/// The part with that list.
const LIST: &[u8] = b"[content_types].xml";
/// How the entry of a part begins in the archive, and how much stands there before its name.
pub const ENTRY: &[u8] = b"PK\x03\x04";
const HEAD: usize = 30;
/// What is kept from one part of the content to the next: no name that is looked for is longer.
const OVERLAP: usize = 256;
/// The most bytes that the list takes, compressed and not. Those of real documents have some thousands.
const LIST_BYTES: usize = 1 << 20;

/// Looks for programs in a document while it comes.
#[derive(Default)]
pub struct MacroSearch {
    found: bool,
    /// The end of what came before.
    before: Vec<u8>,
    list: List,
}

/// The list of the document's parts.
#[derive(Default)]
enum List {
    #[default]
    NotMet,
    Coming(Inflating),
    Read,
}

impl MacroSearch {
    pub fn take(&mut self, part: &[u8]) {
        if self.found {
            return;
        }
        let kept = self.before.len();
        let mut joined = std::mem::take(&mut self.before);
        joined.extend_from_slice(part);
        if let List::Coming(list) = &mut self.list {
            list.take(part);
        } else if matches!(self.list, List::NotMet)
            && let Some(begin) = begin_of_list(&joined, kept)
        {
            let mut list = Inflating::of(&joined[begin..]);
            list.take(&joined[begin + HEAD..]);
            self.list = List::Coming(list);
        }
        if let List::Coming(list) = &self.list
            && list.is_over()
        {
            self.found |= list.names_programs();
            self.list = List::Read;
        }
        let small = joined.to_ascii_lowercase();
        self.found |= PARTS.iter().any(|name| find(&small, name).is_some());
        self.before = joined.split_off(joined.len().saturating_sub(OVERLAP));
    }

    /// Whether there are some; nothing more comes.
    pub fn end(self) -> bool {
        self.found || matches!(self.list, List::Coming(list) if list.names_programs())
    }
}

/// Where the entry of the list begins, as far as it is there with its name. One that ended in what came before was seen then.
fn begin_of_list(joined: &[u8], kept: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = find(&joined[from..], ENTRY).map(|at| from + at) {
        let name = joined.get(at + HEAD..at + HEAD + LIST.len());
        if name.is_some_and(|name| name.eq_ignore_ascii_case(LIST)) && at + HEAD + LIST.len() > kept.min(joined.len()) {
            return Some(at);
        }
        from = at + ENTRY.len();
    }
    None
}

/// The list, on its way out of the archive.
struct Inflating {
    /// Bytes before its content: the rest of the entry's head.
    skip: usize,
    /// Bytes of its content, as far as that is said.
    left: usize,
    content: Content,
}

enum Content {
    Plain(Vec<u8>),
    Deflated(DeflateDecoder<Bounded>),
    /// It ended, or could not be read on.
    Over(Vec<u8>),
}

/// Keeps no more than it may.
#[derive(Default)]
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > LIST_BYTES {
            return Err(std::io::Error::other("too long"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Inflating {
    /// `entry`: from its beginning, at least as far as its name.
    fn of(entry: &[u8]) -> Self {
        let number = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
        let skip = usize::from(number(26)) + usize::from(number(28));
        if number(8) != 0 {
            return Self { skip, left: LIST_BYTES, content: Content::Deflated(DeflateDecoder::new(Bounded::default())) };
        }
        // What is stored as it is has its length in front of it.
        let length = usize::from(number(18)) | usize::from(number(20)) << 16;
        Self { skip, left: length.min(LIST_BYTES), content: Content::Plain(Vec::new()) }
    }

    fn take(&mut self, part: &[u8]) {
        let skipped = self.skip.min(part.len());
        self.skip -= skipped;
        let part = &part[skipped..][..self.left.min(part.len() - skipped)];
        self.left -= part.len();
        let over = match &mut self.content {
            Content::Plain(text) => {
                text.extend_from_slice(part);
                false
            }
            // It takes nothing of what stands behind its end.
            Content::Deflated(decoder) => {
                let mut rest = part;
                let ended = loop {
                    match decoder.write(rest) {
                        _ if rest.is_empty() => break false,
                        Ok(0) | Err(_) => break true,
                        Ok(taken) => rest = &rest[taken..],
                    }
                };
                decoder.flush().is_err() || ended
            }
            Content::Over(_) => false,
        };
        let over = over || self.left == 0;
        if over {
            self.content = Content::Over(std::mem::take(self.text_mut()));
        }
    }

    fn text_mut(&mut self) -> &mut Vec<u8> {
        match &mut self.content {
            Content::Plain(text) | Content::Over(text) => text,
            Content::Deflated(decoder) => &mut decoder.get_mut().0,
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.content, Content::Over(_))
    }

    fn names_programs(&self) -> bool {
        let text = match &self.content {
            Content::Plain(text) | Content::Over(text) => text,
            Content::Deflated(decoder) => &decoder.get_ref().0,
        };
        let small = text.to_ascii_lowercase();
        TYPES.iter().any(|name| find(&small, name).is_some())
    }
}
