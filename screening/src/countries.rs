//! Countries by their codes, however they are written.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The code of ISO 3166-1 in small letters; what is no country that is known, as it is, in small letters.
pub fn code(text: &str) -> String {
    known(text).map_or_else(|| text.trim().to_lowercase().replace('.', ""), str::to_owned)
}

/// The code of a country that is known, by its code or by one of its names.
pub fn known(text: &str) -> Option<&'static str> {
    static CODES: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| {
        let lines = include_str!("../data/countries.tsv").lines().filter_map(|line| line.split_once('\t'));
        lines.flat_map(|(code, names)| std::iter::once(code).chain(names.split(';')).map(move |name| (plain(name), code))).collect()
    });
    CODES.get(&plain(text)).copied()
}

fn plain(text: &str) -> String {
    let text = text.trim().to_lowercase().replace('.', "").replace('’', "'").replace(" & ", " and ");
    // `Gambia, The` and `The Gambia` are Gambia.
    let text = text.strip_prefix("the ").or_else(|| text.strip_suffix(", the")).unwrap_or(&text);
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{code, known};

    #[test]
    fn countries_are_known_by_code_and_by_name() {
        for (text, expected) in [
            ("ru", "ru"),
            ("RU", "ru"),
            ("Russia", "ru"),
            ("UK", "gb"),
            ("United Arab Emirates", "ae"),
            ("U.S.A.", "us"),
            ("Gambia, The", "gm"),
            ("Iran (Islamic Republic of)", "ir"),
            ("suhh", "su"),
            ("Atlantis", "atlantis"),
        ] {
            assert_eq!(code(text), expected);
        }
        assert_eq!(known("Atlantis"), None);
    }
}
