//! Types of files: which are taken, and whether a content is of the type that its name says.

use std::io::{self, Read};

use bytes::Bytes;
use serde::de::IgnoredAny;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::FileFault;

/// A type of file that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
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
const KINDS: [(&str, FileKind); 12] = [
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

    fn is_text(self) -> bool {
        matches!(self, Self::Json | Self::Txt | Self::Csv)
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
const OLE: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
/// How an archive begins.
const ZIP: &[u8] = b"PK\x03\x04";
/// So much of the beginning and of the end is kept to know a type by.
const KEPT: usize = 64 << 10;

/// Looks at a content while it comes.
pub(crate) struct Inspection {
    kind: FileKind,
    head: Vec<u8>,
    tail: Vec<u8>,
    /// The beginning of a letter whose end has not come yet.
    letter: Vec<u8>,
    json: Option<JsonReader>,
}

impl Inspection {
    pub fn of(kind: FileKind) -> Self {
        let json = (kind == FileKind::Json).then(JsonReader::start);
        Self { kind, head: Vec::new(), tail: Vec::new(), letter: Vec::new(), json }
    }

    /// Takes the next part of it; the error says as soon as that is clear that it is of no such type.
    pub async fn take(&mut self, part: &Bytes) -> Result<(), FileFault> {
        if self.kind.is_text() {
            self.take_text(part)?;
            if let Some(json) = &mut self.json {
                json.take(part).await;
            }
            return Ok(());
        }
        let room = KEPT.saturating_sub(self.head.len()).min(part.len());
        self.head.extend_from_slice(&part[..room]);
        self.tail.extend_from_slice(part);
        self.tail.drain(..self.tail.len().saturating_sub(KEPT));
        Ok(())
    }

    fn take_text(&mut self, part: &[u8]) -> Result<(), FileFault> {
        let mut joined = std::mem::take(&mut self.letter);
        joined.extend_from_slice(part);
        let text = match std::str::from_utf8(&joined) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() => {
                self.letter = joined[error.valid_up_to()..].to_vec();
                std::str::from_utf8(&joined[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return Err(self.fault("it is no text in UTF-8")),
        };
        if text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{C}')) {
            return Err(self.fault("it is no text: it has control characters"));
        }
        Ok(())
    }

    /// Nothing more comes.
    pub async fn end(mut self) -> Result<(), FileFault> {
        if self.kind.is_text() {
            if !self.letter.is_empty() {
                return Err(self.fault("it is no text in UTF-8"));
            }
            return match self.json.take() {
                Some(json) => json.end().await.map_err(|problem| self.fault(&format!("it is no JSON: {problem}"))),
                None => Ok(()),
            };
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
            let mut text = Parts { coming, part: Bytes::new() };
            serde_json::from_reader::<_, IgnoredAny>(&mut text).map(drop).map_err(|error| error.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;

    async fn is(extension: &str, content: &[u8]) -> bool {
        let mut inspection = Inspection::of(FileKind::of(extension).unwrap());
        // In pieces that cut letters and words.
        for part in content.chunks(3) {
            if inspection.take(&Bytes::copy_from_slice(part)).await.is_err() {
                return false;
            }
        }
        inspection.end().await.is_ok()
    }

    fn archive(name: &str) -> Vec<u8> {
        [ZIP, &[0; 26], name.as_bytes(), b"...", b"PK\x01\x02", name.as_bytes()].concat()
    }

    #[tokio::test]
    async fn content_decides() {
        let contents: [(&[&str], Vec<u8>); 10] = [
            (&["jpg", "jpeg"], b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec()),
            (&["png"], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
            (&["gif"], b"GIF89a\x01\0\x01\0".to_vec()),
            (&["pdf"], b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec()),
            (&["doc", "xls"], [OLE.as_slice(), &[0; 64]].concat()),
            (&["docx"], archive("word/document.xml")),
            (&["xlsx"], archive("xl/workbook.xml")),
            (&["json", "txt", "csv"], r#" {"größe": [1e5, "€"]} "#.as_bytes().to_vec()),
            (&["txt", "csv"], "a;b\r\nü\t€\n".as_bytes().to_vec()),
            (&[], archive("other.xml")),
        ];
        for (right, content) in &contents {
            for (extension, _) in KINDS {
                assert_eq!(is(extension, content).await, right.contains(&extension), "{extension} of {right:?}");
            }
        }
        for wrong in [&b"\xC3"[..], b"\xFF\xFEa\0", b"a\0b", b"\x1b[2J"] {
            assert!(!is("txt", wrong).await && !is("csv", wrong).await, "{wrong:?}");
        }
        for wrong in ["", "{", "{} {}", "nothing"] {
            assert!(!is("json", wrong.as_bytes()).await, "{wrong}");
        }
        for unknown in ["exe", "html", "svg", "pptx", ""] {
            assert!(FileKind::of(unknown).is_err(), "{unknown}");
        }
    }

    #[tokio::test]
    async fn large_json_is_read_as_it_comes() {
        let mut inspection = Inspection::of(FileKind::Json);
        inspection.take(&Bytes::from_static(b"[0")).await.unwrap();
        for _ in 0..100 {
            inspection.take(&Bytes::from(",1".repeat(10_000))).await.unwrap();
        }
        inspection.take(&Bytes::from_static(b"]")).await.unwrap();
        assert_eq!(inspection.end().await, Ok(()));
    }
}
