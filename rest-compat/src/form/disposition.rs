//! What a part of a form says it is: its name, and what its file is called.
//!
//! RFC 7578 wants a file's name in UTF-8, as it is; browsers do so. Other clients send `filename*` (RFC 8187), with a plain `filename` beside it for
//! who can't read that.

/// What a part says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Disposition {
    pub(super) name: Option<String>,
    plain: Option<String>,
    /// As it is written.
    extended: Option<String>,
}

impl Disposition {
    /// Reads the header's value. What stands there twice counts once, the first time.
    pub(super) fn read(value: &[u8]) -> Self {
        let text = String::from_utf8_lossy(value);
        let mut said = Self::default();
        for (name, value) in parameters(&text) {
            let place = match name.as_str() {
                "name" => &mut said.name,
                "filename" => &mut said.plain,
                "filename*" => &mut said.extended,
                _ => continue,
            };
            place.get_or_insert(value);
        }
        said
    }

    /// What the file is called, empty when that is not said; the error says what is wrong with `filename*`.
    pub(super) fn file_name(&self) -> Result<String, String> {
        match &self.extended {
            Some(text) => extended(text),
            None => Ok(self.plain.clone().unwrap_or_default()),
        }
    }
}

/// The parameters behind the header's first word; names in small letters.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.find(';').map_or("", |at| &text[at..]);
    while let Some(parameter) = rest.strip_prefix(';') {
        let Some(equals) = parameter.find(['=', ';']) else { break };
        let (name, value) = parameter.split_at(equals);
        let Some(value) = value.strip_prefix('=') else {
            rest = value;
            continue;
        };
        let (value, behind) = match value.trim_start().strip_prefix('"') {
            Some(quoted) => quoted_text(quoted),
            None => {
                let end = value.find(';').unwrap_or(value.len());
                (value[..end].trim().to_owned(), &value[end..])
            }
        };
        found.push((name.trim().to_ascii_lowercase(), value));
        rest = behind.find(';').map_or("", |at| &behind[at..]);
    }
    found
}

/// The text up to its closing quote, and what stands behind it. A backslash stands for itself, as in paths of Windows, but before a quote.
fn quoted_text(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        match (sign, signs.peek()) {
            ('"', _) => return (value, &text[at + 1..]),
            ('\\', Some((_, '"'))) => {
                value.push('"');
                signs.next();
            }
            _ => value.push(sign),
        }
    }
    (value, "")
}

/// The text that `charset'language'percent-encoded` stands for.
fn extended(text: &str) -> Result<String, String> {
    let wrong = || "its filename* must be as UTF-8''report%20%C3%BC.pdf".to_owned();
    let mut parts = text.splitn(3, '\'');
    let (Some(charset), Some(_), Some(encoded)) = (parts.next(), parts.next(), parts.next()) else { return Err(wrong()) };
    let bytes = percent_decoded(encoded).ok_or_else(wrong)?;
    match charset.to_ascii_lowercase().as_str() {
        "utf-8" => String::from_utf8(bytes).map_err(|_| wrong()),
        // The other one of RFC 5987: each byte is the character of that number.
        "iso-8859-1" => Ok(bytes.into_iter().map(char::from).collect()),
        _ => Err(wrong()),
    }
}

fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte == b'%' {
            let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
            bytes.push(u8::try_from(digit(0)? * 16 + digit(1)?).ok()?);
            rest = &behind[2..];
        } else if byte.is_ascii() && !byte.is_ascii_control() {
            bytes.push(byte);
        } else {
            return None;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(value: &str) -> (Option<String>, Result<String, String>) {
        let said = Disposition::read(value.as_bytes());
        (said.name.clone(), said.file_name())
    }

    #[test]
    fn names_are_read_in_every_spelling() {
        for (value, wanted) in [
            (r#"form-data; name="file"; filename="a b.txt""#, "a b.txt"),
            (r#"form-data; name=file; filename=a.txt"#, "a.txt"),
            (r#"form-data; filename="ü;=\".txt" ; name="file""#, "ü;=\".txt"),
            (r#"form-data; name="file"; filename="C:\new\b.txt""#, r"C:\new\b.txt"),
            ("form-data; name=\"file\"; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
            ("form-data; name=\"file\"; filename*=utf-8'en'a.txt; filename=\"b.txt\"", "a.txt"),
            ("form-data; filename=\"b.txt\"; FileName*=UTF-8''%C3%BC.txt; name=\"file\"", "ü.txt"),
            ("form-data; name=\"file\"; filename*=iso-8859-1''%FC.txt", "ü.txt"),
            ("form-data; name=\"file\"; filename*=\"UTF-8''%C3%BC.txt\"", "ü.txt"),
            ("form-data; name=\"file\"; x; filename = \"a.txt\"; filename=\"b.txt\"", "a.txt"),
            ("form-data; name=\"file\"", ""),
            (r#"form-data; name="file"; myfilename="a.txt""#, ""),
        ] {
            assert_eq!(name(value), (Some("file".to_owned()), Ok(wanted.to_owned())), "{value}");
        }
        for wrong in ["UTF-8''%C3.txt", "UTF-8''%zz.txt", "UTF-8''a%2", "a.txt", "utf-16''a.txt", "UTF-8''ü.txt"] {
            assert!(name(&format!("form-data; name=file; filename*={wrong}")).1.is_err(), "{wrong}");
        }
        for nothing in ["", "form-data", ";", ";;=;\"", "form-data; filename=\"a.txt"] {
            assert_eq!(name(nothing).0, None, "{nothing}");
        }
    }

    proptest! {
        #[test]
        fn any_name_comes_back(wanted in "\\PC{0,40}") {
            let encoded: String = wanted.bytes().map(|byte| format!("%{byte:02X}")).collect();
            prop_assert_eq!(name(&format!("form-data; name=file; filename*=UTF-8''{encoded}")).1, Ok(wanted.clone()));
            // What a browser sends: a quote is percent-encoded, all else is as it is.
            let plain = wanted.trim_end_matches('\\').replace('"', "%22");
            prop_assert_eq!(name(&format!("form-data; name=\"file\"; filename=\"{plain}\"")).1, Ok(plain));
        }
    }
}
