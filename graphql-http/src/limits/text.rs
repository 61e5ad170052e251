//! A look at a document's text that costs nearly nothing: how many tokens there are, and how far its brackets go into one another.

/// What a text was found to have.
#[derive(Debug, PartialEq)]
pub struct Scanned {
    /// Names, numbers and texts count one each, as does every other sign.
    pub tokens: usize,
    /// The most brackets, of any kind, that are open at once.
    pub brackets: usize,
}

/// Reads on to the end. None: a text of several lines is never closed, so that the rest could be read in two ways.
///
/// Brackets in texts and comments are none. Where something is malformed, what is counted behind it does not matter: the parser stops there.
pub fn scan(text: &str) -> Option<Scanned> {
    let bytes = text.as_bytes();
    let (mut tokens, mut open, mut brackets, mut at) = (0_usize, 0_usize, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        if byte == b'#' {
            at = end_of_comment(bytes, at);
            continue;
        }
        if byte.is_ascii_whitespace() || byte == b',' {
            at += 1;
            continue;
        }
        tokens += 1;
        at = match byte {
            b'"' => end_of_text(bytes, at)?,
            _ if is_of_a_word(byte) => end_of(bytes, at, is_of_a_word),
            _ => at + 1,
        };
        match byte {
            b'{' | b'[' | b'(' => open += 1,
            b'}' | b']' | b')' => open = open.saturating_sub(1),
            _ => {}
        }
        brackets = brackets.max(open);
    }
    Some(Scanned { tokens, brackets })
}

fn is_of_a_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The first place at or behind `from` where the bytes are no longer so.
fn end_of(bytes: &[u8], from: usize, so: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|byte| !so(*byte)).map_or(bytes.len(), |length| from + length)
}

/// The place behind a comment that begins at `from`: where its line ends.
pub fn end_of_comment(bytes: &[u8], from: usize) -> usize {
    end_of(bytes, from, |byte| byte != b'\n' && byte != b'\r')
}

/// What a text of several lines begins and ends with.
const FENCE: &[u8] = b"\"\"\"";

/// Whether the text that begins at `from` is one of several lines.
pub fn is_block(bytes: &[u8], from: usize) -> bool {
    bytes[from..].starts_with(FENCE)
}

/// The place behind a text that begins at `from`; none where one of several lines is never closed.
pub fn end_of_text(bytes: &[u8], from: usize) -> Option<usize> {
    if is_block(bytes, from) {
        let inside = from + FENCE.len();
        let ends = |at: &usize| bytes[*at..].starts_with(FENCE) && (*at == inside || bytes[*at - 1] != b'\\');
        return (inside..bytes.len()).find(ends).map(|at| at + FENCE.len());
    }
    let mut at = from + 1;
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') => return Some(at + 1),
            Some(b'\n' | b'\r') | None => return Some(at.min(bytes.len())),
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_signs_and_texts() {
        for (text, tokens, brackets) in [
            ("", 0, 0),
            ("{ account(id: \"a b\") { id } }", 11, 2),
            ("{ a # { [ (\n b }", 4, 1),
            ("{ a(x: \"]])) \\\" }} {{{{\", y: [1]) }", 13, 3),
            ("{ a(x: \"\"\" } \\\"\"\" \" }}} \"\"\") }", 8, 2),
            ("{ a(x: \"\"\"\"\"\") }", 8, 2),
            ("} } } { {", 5, 2),
            ("\"never closed", 1, 0),
            ("\"ends with a \\", 1, 0),
        ] {
            assert_eq!(scan(text), Some(Scanned { tokens, brackets }), "{text}");
        }
        assert_eq!(scan("{ a(x: \"\"\"\" [[[[ }"), None);
    }
}
