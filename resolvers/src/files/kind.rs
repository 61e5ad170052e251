//! Types of files: which are taken, and whether a content is of the type that its name says.

use std::io::{self, Read};

use bytes::Bytes;
use serde::de::IgnoredAny;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::FileFault;
use super::macros::MacroSearch;
use super::text::{Encodings, TextReader, UTF_8_MARK};

/// A type of file that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Jpg,
    Png,
    Gif,
    Pdf,
    Doc,
    Docx,
    Xls,
    Xlsx,
    Json,
    Txt,
    Csv,
}

/// Every type, by the extensions that names of its files have.
pub const KINDS: [(&str, FileKind); 12] = [
    ("jpg", FileKind::Jpg),
    ("jpeg", FileKind::Jpg),
    ("png", FileKind::Png),
    ("gif", FileKind::Gif),
    ("pdf", FileKind::Pdf),
    ("doc", FileKind::Doc),
    ("docx", FileKind::Docx),
    ("xls", FileKind::Xls),
    ("xlsx", FileKind::Xlsx),
    ("json", FileKind::Json),
    ("txt", FileKind::Txt),
    ("csv", FileKind::Csv),
];

impl FileKind {
    /// The type that an extension stands for.
    pub fn of(extension: &str) -> Result<Self, FileFault> {
        let found = KINDS.iter().find(|(known, _)| *known == extension);
        found.map(|(_, kind)| *kind).ok_or_else(|| FileFault::Extension { known: KINDS.map(|(known, _)| known).join(", ") })
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Pdf => "application/pdf",
            Self::Doc => "application/msword",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Xls => "application/vnd.ms-excel",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Json => "application/json",
            Self::Txt => "text/plain",
            Self::Csv => "text/csv",
        }
    }

    /// In which encodings a file of this type is taken, where it is a text.
    fn encodings(self) -> Option<Encodings> {
        match self {
            Self::Json => Some(Encodings::Utf8),
            Self::Txt | Self::Csv => Some(Encodings::Any),
            _ => None,
        }
    }

    /// Whether there is another type for those of this one that have programs inside.
    fn has_no_macros(self) -> bool {
        matches!(self, Self::Docx | Self::Xlsx)
    }

    /// Whether a content that is no text is of this type, by how it begins and ends.
    fn is_that_of(self, head: &[u8], tail: &[u8]) -> bool {
        let found = infer::get(head).map(|found| found.mime_type());
        // Of the parts of a document only the names in the archive tell what it is; they may stand anywhere in it.
        let has_part = |name: &[u8]| [head, tail].iter().any(|place| place.windows(name.len()).any(|part| part == name));
        match self {
            // Both lie in the same container, and which of them it is stands where only they know.
            Self::Doc | Self::Xls => head.starts_with(&OLE),
            Self::Docx => head.starts_with(ZIP) && has_part(b"word/document.xml"),
            Self::Xlsx => head.starts_with(ZIP) && has_part(b"xl/workbook."),
            kind => found == Some(kind.media_type()),
        }
    }
}

/// How a file of the older formats of Office begins.
pub const OLE: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
/// How an archive begins.
pub const ZIP: &[u8] = b"PK\x03\x04";
/// So much of the beginning and of the end is kept to know a type by.
const KEPT: usize = 64 << 10;

/// Looks at a content while it comes.
pub struct Inspection {
    kind: FileKind,
    head: Vec<u8>,
    tail: Vec<u8>,
    text: Option<TextReader>,
    json: Option<JsonReader>,
    macros: Option<MacroSearch>,
}

impl Inspection {
    pub fn of(kind: FileKind) -> Self {
        let json = (kind == FileKind::Json).then(JsonReader::start);
        let (text, macros) = (kind.encodings().map(TextReader::of), kind.has_no_macros().then(MacroSearch::default));
        Self { kind, head: Vec::new(), tail: Vec::new(), text, json, macros }
    }

    /// Takes the next part of it; the error says as soon as that is clear that it is of no such type.
    pub async fn take(&mut self, part: &Bytes) -> Result<(), FileFault> {
        if let Some(text) = &mut self.text {
            text.take(part).map_err(|problem| self.fault(problem))?;
            if let Some(json) = &mut self.json {
                json.take(part).await;
            }
            return Ok(());
        }
        if let Some(macros) = &mut self.macros {
            macros.take(part);
        }
        let room = KEPT.saturating_sub(self.head.len()).min(part.len());
        self.head.extend_from_slice(&part[..room]);
        self.tail.extend_from_slice(part);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT));
        Ok(())
    }

    /// Nothing more comes.
    pub async fn end(mut self) -> Result<(), FileFault> {
        if let Some(text) = self.text.take() {
            text.end().map_err(|problem| self.fault(problem))?;
            return match self.json.take() {
                Some(json) => json.end().await.map_err(|problem| self.fault(&format!("it is no JSON: {problem}"))),
                None => Ok(()),
            };
        }
        if self.macros.take().is_some_and(MacroSearch::end) {
            return Err(self.fault("it has macros"));
        }
        let (kind, head, tail) = (self.kind, std::mem::take(&mut self.head), std::mem::take(&mut self.tail));
        if kind.is_that_of(&head, &tail) {
            return Ok(());
        }
        let problem =
            infer::get(&head).map_or_else(|| "its content is of another type".to_owned(), |found| format!("its content is {}", found.mime_type()));
        Err(self.fault(&problem))
    }

    fn fault(&self, problem: &str) -> FileFault {
        FileFault::Content { wanted: self.kind.media_type(), problem: problem.to_owned() }
    }
}

/// Reads JSON while it comes, to see whether it is that, and keeps nothing of it.
struct JsonReader {
    parts: mpsc::Sender<Bytes>,
    reading: JoinHandle<Result<(), String>>,
}

impl JsonReader {
    fn start() -> Self {
        let (parts, coming) = mpsc::channel(1);
        let reading = tokio::task::spawn_blocking(move || {
            let (mut text, mut head) = (Parts { coming, part: Bytes::new() }, Vec::new());
            text.by_ref().take(UTF_8_MARK.len() as u64).read_to_end(&mut head).map_err(|error| error.to_string())?;
            let head = head.strip_prefix(UTF_8_MARK).unwrap_or(&head);
            serde_json::from_reader::<_, IgnoredAny>(head.chain(text)).map(drop).map_err(|error| error.to_string())
        });
        Self { parts, reading }
    }

    async fn take(&mut self, part: &Bytes) {
        // An error says that the reader has seen enough; it will say why.
        let _ = self.parts.send(part.clone()).await;
    }

    async fn end(self) -> Result<(), String> {
        drop(self.parts);
        self.reading.await.unwrap_or_else(|error| Err(error.to_string()))
    }
}

/// Parts that come in, to be read one after the other.
struct Parts {
    coming: mpsc::Receiver<Bytes>,
    part: Bytes,
}

impl Read for Parts {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() {
            match self.coming.blocking_recv() {
                Some(part) => self.part = part,
                None => return Ok(0),
            }
        }
        let count = place.len().min(self.part.len());
        place[..count].copy_from_slice(&self.part.split_to(count));
        Ok(count)
    }
}
