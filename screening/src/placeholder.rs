//! What stands where a name is missing: nobody.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::words::words;

/// `N/A`, `NOTPROVIDED`, `unknown`, `0000000000`, `none@none.com` and their like, which match nothing. The list is `data/placeholders.txt`.
pub fn is_placeholder(text: &str) -> bool {
    static KNOWN: LazyLock<FxHashSet<String>> = LazyLock::new(|| {
        let lines = include_str!("../data/placeholders.txt").lines().filter(|line| !line.starts_with('#'));
        lines.map(plain).filter(|line| !line.is_empty()).collect()
    });
    let plain = plain(text);
    let first = plain.as_bytes().first().copied();
    // One and the same letter or digit three times or more, or digits alone in a row from 1.
    let repeated =
        plain.len() >= 3 && plain.bytes().all(|byte| Some(byte) == first) && first.is_some_and(|byte| byte.is_ascii_digit() || byte == b'x');
    plain.is_empty() || repeated || "1234567890".starts_with(&plain) && plain.len() > 3 || KNOWN.contains(&plain)
}

fn plain(text: &str) -> String {
    words(text).into_iter().map(|word| word.text).collect()
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn placeholders_are_known_however_they_are_written() {
        for text in
            ["N/A", "n.a.", "NOTPROVIDED", "Not Provided", "unknown", "UNKNOWN ", "0000000000", "none@none.com", "", " - ", "XXXX", "неизвестно", "?"]
        {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["Nana", "Ann", "Na Li", "Xi Xi", "Noname Industries", "Test Valley Ltd", "1111 Holdings"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
