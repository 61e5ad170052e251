//! Characters that a document writes by two escapes, or by one of variable length, as the parser takes them.
//!
//! async-graphql-parser 7.2.1 knows `\u` with four digits, and of those no half of a pair (`\ud83d\ude00`), which is how JSON encoders write what lies
//! beyond the first 65,536 characters; and it does not know `\u{1F600}`. The specification has both (section 2.9.4). So such a character is put into
//! its text as it is, before the document is parsed. Half a pair, and whatever is no character, is left for the parser to refuse where it stands: the
//! blanks that follow a text which became shorter keep all that comes behind it in its column.

use std::borrow::Cow;

use super::text::{end_of_comment, end_of_text, is_block};

/// The document with such characters in its texts. Comments and texts of several lines have no escapes, and stay as they are.
pub fn without_long_escapes(document: &str) -> Cow<'_, str> {
    if !document.contains("\\u") {
        return Cow::Borrowed(document);
    }
    let bytes = document.as_bytes();
    let (mut written, mut at, mut from) = (String::new(), 0, 0);
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'#' => end_of_comment(bytes, at),
            b'"' => end_of_text(bytes, at).unwrap_or(bytes.len()),
            _ => at + 1,
        };
        if byte == b'"'
            && !is_block(bytes, at)
            && let Some(text) = rewritten(&document[at..end])
        {
            written.push_str(&document[from..at]);
            written.push_str(&text);
            from = end;
        }
        at = end;
    }
    if from == 0 {
        return Cow::Borrowed(document);
    }
    written.push_str(&document[from..]);
    Cow::Owned(written)
}

/// A text, quotes and all, with blanks behind it for the signs that it has fewer; none where nothing of it changes.
fn rewritten(text: &str) -> Option<String> {
    // One that is never closed is refused as it is.
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    let (mut written, mut rest, mut fewer, mut changed) = (String::from("\""), inside, 0_usize, false);
    while let Some(at) = rest.find('\\') {
        written.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((sign, length)) = long_escape(rest) {
            let before = written.chars().count();
            push(&mut written, sign);
            fewer += length.saturating_sub(written.chars().count() - before);
            rest = &rest[length..];
            changed = true;
        } else {
            // The backslash, and what it stands before.
            let length = 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
            written.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    written.push_str(rest);
    written.push('"');
    written.extend(std::iter::repeat_n(' ', fewer));
    changed.then_some(written)
}

/// The character that such an escape at the beginning stands for, and how long the escape is.
fn long_escape(text: &str) -> Option<(char, usize)> {
    if let Some(braced) = text.strip_prefix("\\u{") {
        let (digits, _) = braced.split_once('}')?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let digits = is_number.then(|| digits.trim_start_matches('0')).filter(|digits| digits.len() <= 6)?;
        let number = if digits.is_empty() { 0 } else { u32::from_str_radix(digits, 16).ok()? };
        let length = text.len() - braced.len() + braced.find('}')? + 1;
        return char::from_u32(number).map(|sign| (sign, length));
    }
    let high = four_digits(text)?;
    let low = four_digits(text.get(6..)?)?;
    let mut pair = char::decode_utf16([high, low]);
    match (pair.next(), pair.next()) {
        (Some(Ok(sign)), None) => Some((sign, 12)),
        _ => None,
    }
}

fn four_digits(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

/// A character as it may stand in a text.
fn push(text: &mut String, sign: char) {
    match sign {
        '"' | '\\' => text.extend(['\\', sign]),
        _ if sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}' | '\u{FEFF}') => text.push_str(&format!("\\u{:04X}", u32::from(sign))),
        _ => text.push(sign),
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::Value;
    use async_graphql::parser::parse_query;
    use async_graphql::parser::types::Selection;
    use proptest::prelude::*;

    use super::*;

    /// The argument of the document's one field, as it is parsed.
    fn argument(document: &str) -> Result<String, String> {
        let document = parse_query(&*without_long_escapes(document)).map_err(|error| error.to_string())?;
        let operation = document.operations.iter().next().expect("an operation").1;
        let Selection::Field(field) = &operation.node.selection_set.node.items[0].node else { panic!("no field") };
        match field.node.arguments[0].1.node.clone().into_const() {
            Some(Value::String(text)) => Ok(text),
            other => panic!("{other:?}"),
        }
    }

    fn read(literal: &str) -> Result<String, String> {
        argument(&format!("{{ a(b: \"{literal}\") }}"))
    }

    #[test]
    fn pairs_and_long_escapes_are_one_character() {
        for (literal, wanted) in [
            (r"x\ud83d\ude00", "x😀"),
            (r"\uD83D\uDE00\uD83D\uDE01", "😀😁"),
            (r"\u{1F600}", "😀"),
            (r"\u{0001f600}y", "😀y"),
            (r"\u{10FFFF}", "\u{10FFFF}"),
            (r"\u{E9}\u{22}\u{5C}\u{A}\u{0}", "é\"\\\n\0"),
            (r"\u{2028}\u{FEFF}", "\u{2028}\u{FEFF}"),
            (r"\u00e9\\ud83d\\ude00", r"é\ud83d\ude00"),
            (r"\\\ud83d\ude00\\", "\\😀\\"),
            (r#"\"\ud83d\ude00\""#, "\"😀\""),
        ] {
            assert_eq!(read(literal).as_deref(), Ok(wanted), "{literal}");
        }
    }

    #[test]
    fn what_is_no_character_is_refused_where_it_stands() {
        for literal in [
            r"\ud83d",
            r"\ude00",
            r"\ude00\ud83d",
            r"\ud83dx\ude00",
            r"\ud83d\ud83d\ude00",
            r"\u{D83D}",
            r"\u{110000}",
            r"\u{}",
            r"\u{1F600",
            r"\u{G}",
        ] {
            let problem = read(literal).expect_err(literal);
            assert!(problem.contains(" 1:"), "{problem}");
        }
    }

    #[test]
    fn what_comes_behind_keeps_its_place() {
        for document in ["{ a(b: \"\\ud83d\\ude00\\u{1F600}\") ! }", "{ a(b: \"ééééééé\")        ! }\n"] {
            let long = without_long_escapes(document);
            assert_eq!(long.chars().position(|sign| sign == '!'), document.chars().position(|sign| sign == '!'), "{document}");
        }
    }

    #[test]
    fn comments_and_texts_of_several_lines_stay() {
        for document in [
            "{ a } # \"\\ud83d\\ude00\"\r\n",
            "{ a(b: \"\"\"\\ud83d\\ude00 \\\"\"\" \\u{1F600}\"\"\") }",
            "{ a(b: \"\"\"\\ud83d",
            "{ a(b: \"\\ud83d\\ude00",
            "{ a(b: \"\\ud83d\\ude00\n\") }",
            "\\ud83d\\ude00",
            "{ a(b: \"\\\\ud83d\\\\ude00\") }",
            "{ a(b: \"\\",
        ] {
            assert_eq!(without_long_escapes(document), document);
        }
        let mixed = "{ a(b: \"\", c: \"\\ud83d\\ude00\") } # \\ud83d\\ude00";
        assert_eq!(without_long_escapes(mixed), "{ a(b: \"\", c: \"😀\"           ) } # \\ud83d\\ude00");
    }

    /// As encoders write that keep to ASCII.
    fn in_ascii(text: &str) -> String {
        let json = serde_json::to_string(text).expect("a text");
        let escaped = |sign: char| {
            let mut units = [0; 2];
            sign.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>()
        };
        json.chars().map(|sign| if sign.is_ascii() { sign.to_string() } else { escaped(sign) }).collect()
    }

    proptest! {
        #[test]
        fn any_text_of_a_json_encoder_is_read_as_it_was(text in any::<String>(), before in any::<String>()) {
            let document = format!("{{ a(b: {}, c: {}) }} # {}", in_ascii(&text), in_ascii(&before), in_ascii(&before));
            prop_assert_eq!(argument(&document), Ok(text.clone()));
            let long: String = text.chars().map(|sign| format!("\\u{{{:X}}}", u32::from(sign))).collect();
            prop_assert_eq!(read(&long), Ok(text));
        }

        #[test]
        fn any_document_is_parsed_or_refused(document in "[ {}a:()\"\\\\ud83e0#\n]{0,60}") {
            let _ = parse_query(&*without_long_escapes(&document));
        }
    }
}
