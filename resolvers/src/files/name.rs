//! Names of files: what somebody calls a file, made such that it is a name wherever it comes to, and never a path.

use crate::{Error, Result};

/// Most characters of a name.
const MAX_CHARS: usize = 255;
/// Most characters that are kept of a name as it was given.
const MAX_GIVEN: usize = 1_000;

/// A name that is one on any system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileName(String);

impl FileName {
    /// The name in what was given: what stands behind the last separator, without what nobody sees and what turns the order of letters around.
    pub fn of(given: &str) -> Result<Self> {
        let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
        let visible: String = last.chars().filter(|c| !is_invisible(*c)).map(|c| if is_special(c) { '_' } else { c }).collect();
        // A name that begins with a dot is hidden on some systems, one that ends so is another on others.
        let name = visible.trim().trim_matches('.').trim();
        if name.is_empty() || !name.contains('.') {
            return Err(Error::invalid("file", "needs a filename with an extension, such as report.pdf"));
        }
        Ok(Self(shortened(name)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands behind the last dot, in small letters.
    pub fn extension(&self) -> String {
        self.0.rsplit('.').next().unwrap_or_default().to_lowercase()
    }
}

/// A name as it was given, as far as it can be shown.
pub(crate) fn as_given(given: &str) -> String {
    given.chars().take(MAX_GIVEN).map(|c| if is_invisible(c) { '\u{FFFD}' } else { c }).collect()
}

/// Control characters, and those that turn or hide what stands around them.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}')
}

/// What means something to a shell or a file system.
fn is_special(c: char) -> bool {
    matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*')
}

/// At most as long as a name may be; the extension stays.
fn shortened(name: &str) -> String {
    let count = name.chars().count();
    let Some((stem, extension)) = name.rsplit_once('.').filter(|_| count > MAX_CHARS) else { return name.to_owned() };
    let extension: String = extension.chars().take(20).collect();
    let stem: String = stem.chars().take(MAX_CHARS - 1 - extension.chars().count()).collect();
    format!("{stem}.{extension}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_a_path() {
        let table = [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd.txt", "passwd.txt"),
            ("a/b.txt", "b.txt"),
            (r"C:\Users\x\b.txt", "b.txt"),
            (r"..\..\b.txt", "b.txt"),
            ("a\0b.txt", "ab.txt"),
            ("a\r\nb.txt", "ab.txt"),
            ("Überweisung 1.pdf", "Überweisung 1.pdf"),
            ("収入.csv", "収入.csv"),
            // Shown as report.fdp… where the mark turns what follows.
            ("report\u{202E}fdp.txt", "reportfdp.txt"),
            (" .hidden.txt. ", "hidden.txt"),
            ("a:b?.txt", "a_b_.txt"),
            ("x.tar.json", "x.tar.json"),
        ];
        for (given, wanted) in table {
            assert_eq!(FileName::of(given).as_ref().map(FileName::as_str).unwrap_or_default(), wanted, "{given:?}");
        }
        for nothing in ["", ".", "..", "../..", "a/", "passwd", "\0", "\u{202E}", "..."] {
            assert!(FileName::of(nothing).is_err(), "{nothing:?}");
        }
        let long = FileName::of(&format!("{}.pdf", "ü".repeat(500))).unwrap();
        assert_eq!((long.as_str().chars().count(), long.extension().as_str()), (MAX_CHARS, "pdf"));
        assert_eq!(as_given("a\0/b\u{202E}"), "a\u{FFFD}/b\u{FFFD}");
    }
}
