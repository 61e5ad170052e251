//! Countries by their codes, however they are written.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The code of ISO 3166-1 in small letters; what is no country that is known, as it is, in small letters.
pub fn code(text: &str) -> String {
    static CODES: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| {
        let lines = include_str!("../data/countries.tsv").lines().filter_map(|line| line.split_once('\t'));
        lines.flat_map(|(code, names)| names.split(';').map(move |name| (plain(name), code))).collect()
    });
    let small = plain(text);
    CODES.get(&small).map_or_else(|| if small == "uk" { "gb".to_owned() } else { small.clone() }, |code| (*code).to_owned())
}

fn plain(text: &str) -> String {
    text.trim().to_lowercase().replace('.', "")
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn countries_are_known_by_code_and_by_name() {
        for (text, expected) in
            [("ru", "ru"), ("RU", "ru"), ("Russia", "ru"), ("United Arab Emirates", "ae"), ("U.S.A.", "us"), ("Atlantis", "atlantis")]
        {
            assert_eq!(code(text), expected);
        }
    }
}
