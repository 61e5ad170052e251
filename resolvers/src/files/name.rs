//! Names of files: what somebody calls a file, made such that it is a name wherever it comes to, and never a path.

use crate::{Error, Result};

/// Most characters of a name.
pub const MAX_CHARS: usize = 255;
/// Most characters that are kept of a name as it was given.
const MAX_GIVEN: usize = 1_000;

/// A name that is one on any system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName(String);

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
pub fn as_given(given: &str) -> String {
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
