//! Whether a content is a text, and in which encoding, while it comes: evidence is kept as somebody has it, and what a spreadsheet or an old program wrote
//! is often in UTF-16 or Windows-1252.

use std::cmp::Ordering;

/// Which encodings are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encodings {
    /// UTF-8 alone, as JSON has it.
    Utf8,
    /// UTF-8, UTF-16 of either order of bytes, Windows-1252.
    Any,
}

/// How a text begins that says how it is encoded.
pub const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";
pub const LITTLE_MARK: &[u8] = b"\xFF\xFE";
pub const BIG_MARK: &[u8] = b"\xFE\xFF";
/// So much of the beginning tells the encoding, where no mark does.
const HEAD: usize = 64;
/// Bytes that are no character in Windows-1252.
const NOT_IN_1252: [u8; 5] = [0x81, 0x8D, 0x8F, 0x90, 0x9D];

/// Looks at a text while it comes.
pub struct TextReader {
    taken: Encodings,
    /// The first bytes, until they tell the encoding.
    head: Option<Vec<u8>>,
    form: Form,
}

enum Form {
    Bytes(BytesText),
    Units(UnitsText),
}

impl TextReader {
    pub fn of(taken: Encodings) -> Self {
        Self { taken, head: Some(Vec::new()), form: Form::Bytes(BytesText::new(taken)) }
    }

    /// Takes the next part; the error says what it is not.
    pub fn take(&mut self, part: &[u8]) -> Result<(), &'static str> {
        match self.head.take() {
            None => self.form.take(part),
            Some(mut head) => {
                head.extend_from_slice(part);
                if head.len() < HEAD {
                    self.head = Some(head);
                    return Ok(());
                }
                self.begin(&head)
            }
        }
    }

    fn begin(&mut self, head: &[u8]) -> Result<(), &'static str> {
        let big = match head {
            [0xFF, 0xFE, ..] => Some(false),
            [0xFE, 0xFF, ..] => Some(true),
            _ if head.starts_with(UTF_8_MARK) => None,
            _ => first_is_large(&head[..head.len().min(HEAD)]),
        };
        if let Some(big) = big.filter(|_| self.taken == Encodings::Any) {
            self.form = Form::Units(UnitsText { big, ..UnitsText::default() });
        }
        let mark = [UTF_8_MARK, LITTLE_MARK, BIG_MARK].into_iter().find(|mark| head.starts_with(mark));
        let is_mark = matches!((&self.form, mark), (Form::Units(_), Some(_)) | (Form::Bytes(_), Some(UTF_8_MARK)));
        self.form.take(&head[mark.filter(|_| is_mark).map_or(0, <[u8]>::len)..])
    }

    /// Nothing more comes.
    pub fn end(mut self) -> Result<(), &'static str> {
        if let Some(head) = self.head.take() {
            self.begin(&head)?;
        }
        match self.form {
            Form::Bytes(text) => text.end(),
            Form::Units(text) => text.end(),
        }
    }
}

/// Whether the first byte of each unit is the larger one, in a text without a mark that is in UTF-16. Whatever its script, it has blanks, digits or
/// ends of lines, whose larger byte is zero; no other text has any zeros.
fn first_is_large(head: &[u8]) -> Option<bool> {
    let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    match (zeros(0).cmp(&zeros(1)), head) {
        (Ordering::Less, _) | (Ordering::Equal, [1..=255, 0, ..]) => Some(false),
        (Ordering::Greater, _) | (Ordering::Equal, [0, 1..=255, ..]) => Some(true),
        (Ordering::Equal, _) => None,
    }
}

impl Form {
    fn take(&mut self, part: &[u8]) -> Result<(), &'static str> {
        match self {
            Self::Bytes(text) => text.take(part),
            Self::Units(text) => text.take(part),
        }
    }
}

const NOT_UTF_8: &str = "it is no text in UTF-8";
const NO_TEXT: &str = "it is no text in UTF-8, UTF-16 or Windows-1252";
const HAS_CONTROLS: &str = "it is no text: it has control characters";

fn is_no_part_of_a_text(sign: char) -> bool {
    sign.is_control() && !matches!(sign, '\t' | '\n' | '\r' | '\u{C}')
}

/// A text in UTF-8, or in Windows-1252: whichever it is, the lower half is the same.
struct BytesText {
    taken: Encodings,
    /// Whether it is UTF-8 so far.
    utf_8: bool,
    /// The beginning of a letter whose end has not come yet.
    letter: Vec<u8>,
    /// Whether it has controls that UTF-8 has only beyond the lower half.
    has_high_controls: bool,
    /// Whether it has what is nothing in Windows-1252.
    not_1252: bool,
    /// How it begins: in Windows-1252 nearly anything is a text, and a few other types of files look like one.
    start: Vec<u8>,
}

/// How files of other types begin that may be without control characters. Two or three letters may begin a text as well, such as `BM`, `MZ` or `ID3`.
const OTHERS: [&[u8]; 4] = [b"%PDF", b"{\\rtf", b"%!PS", b"\xFF\xD8\xFF"];
/// So much of the beginning is kept to know another type by.
const START: usize = 5;

impl BytesText {
    fn new(taken: Encodings) -> Self {
        Self { taken, utf_8: true, letter: Vec::new(), has_high_controls: false, not_1252: false, start: Vec::new() }
    }

    fn take(&mut self, part: &[u8]) -> Result<(), &'static str> {
        if part.iter().any(|byte| byte.is_ascii() && is_no_part_of_a_text(char::from(*byte))) {
            return Err(HAS_CONTROLS);
        }
        let room = START.saturating_sub(self.start.len()).min(part.len());
        self.start.extend_from_slice(&part[..room]);
        self.not_1252 |= self.taken == Encodings::Utf8 || part.iter().any(|byte| NOT_IN_1252.contains(byte));
        if self.utf_8 {
            self.take_utf_8(part);
        }
        if self.utf_8 || !self.not_1252 { Ok(()) } else { Err(self.problem()) }
    }

    fn take_utf_8(&mut self, part: &[u8]) {
        let mut joined = std::mem::take(&mut self.letter);
        joined.extend_from_slice(part);
        let text = match std::str::from_utf8(&joined) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() => {
                self.letter = joined[error.valid_up_to()..].to_vec();
                std::str::from_utf8(&joined[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => {
                self.utf_8 = false;
                return;
            }
        };
        self.has_high_controls |= text.chars().any(is_no_part_of_a_text);
    }

    fn is_of_another_type(&self) -> bool {
        OTHERS.iter().any(|other| self.start.starts_with(other))
    }

    fn problem(&self) -> &'static str {
        match self.taken {
            Encodings::Utf8 => NOT_UTF_8,
            Encodings::Any => NO_TEXT,
        }
    }

    fn end(self) -> Result<(), &'static str> {
        match self.utf_8 && self.letter.is_empty() {
            true if self.has_high_controls => Err(HAS_CONTROLS),
            true => Ok(()),
            false if self.not_1252 || self.taken == Encodings::Utf8 || self.is_of_another_type() => Err(self.problem()),
            false => Ok(()),
        }
    }
}

/// A text in UTF-16.
#[derive(Default)]
struct UnitsText {
    big: bool,
    /// A byte whose other half has not come yet.
    half: Option<u8>,
    /// The first of a pair of units.
    high: Option<u16>,
}

impl UnitsText {
    fn take(&mut self, part: &[u8]) -> Result<(), &'static str> {
        for byte in part {
            let Some(first) = self.half.take() else {
                self.half = Some(*byte);
                continue;
            };
            let unit = if self.big { u16::from_be_bytes([first, *byte]) } else { u16::from_le_bytes([first, *byte]) };
            self.unit(unit)?;
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16) -> Result<(), &'static str> {
        match (self.high.take(), unit) {
            (Some(_), 0xDC00..=0xDFFF) => Ok(()),
            (Some(_), _) | (None, 0xDC00..=0xDFFF) => Err(NO_TEXT),
            (None, 0xD800..=0xDBFF) => {
                self.high = Some(unit);
                Ok(())
            }
            (None, _) if char::from_u32(unit.into()).is_some_and(is_no_part_of_a_text) => Err(HAS_CONTROLS),
            (None, _) => Ok(()),
        }
    }

    fn end(self) -> Result<(), &'static str> {
        if self.half.is_none() && self.high.is_none() { Ok(()) } else { Err(NO_TEXT) }
    }
}
