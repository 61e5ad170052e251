//! Postal addresses, whoever wrote them.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    Identity, IdentityRules, of,
    text::{folded, joined, one_line},
};
use crate::actor::AddressRecord;

/// Usual abbreviations of countries: `COUNTRIES: SHORT=LONG …`; a `-` before the short form says that it may end a longer word.
const ABBREVIATIONS: &str = include_str!("../../data/address_abbreviations.txt");
/// Countries whose addresses have no abbreviations of their own, and addresses without a country.
const ANYWHERE: &str = "*";

/// The abbreviations of one country.
#[derive(Debug, Default, Clone)]
struct Abbreviations {
    /// Words, folded; to nothing for a word that is as often left out.
    words: HashMap<String, String>,
    endings: Vec<(String, String)>,
}

impl IdentityRules {
    /// An address by all its parts, without regard to case, script forms, blanks, punctuation and the usual abbreviations of its country.
    pub fn address(&self, address: &AddressRecord) -> Option<Identity> {
        let parts = [&address.line1, &address.line2, &address.postcode, &address.city, &address.state, &address.country].map(of);
        let is_placeholder = parts.map(|part| !part.trim().is_empty() && self.placeholders.is_text(part));
        let abbreviations = Abbreviations::of(of(&address.country));
        let key: Vec<String> = parts
            .iter()
            .zip(is_placeholder)
            .enumerate()
            .map(|(at, (part, is_placeholder))| match at {
                _ if is_placeholder => String::new(),
                0 | 1 => abbreviations.written_out(&folded(part)),
                _ => folded(part),
            })
            .collect();
        // What is left of an address whose street is not known is where very many live.
        let is_known = key.iter().any(|part| !part.is_empty()) && !(is_placeholder.contains(&true) && key[0].is_empty() && key[1].is_empty());
        if !is_known {
            return None;
        }
        // Both lines and the town are joined: whether a house number or a postcode went into the next field is chance.
        let id = [joined(&key[..4], " "), key[4].clone(), key[5].clone()].join("|");
        let [line1, line2, postcode, city, state, country] = parts.map(one_line);
        let town = joined(&[postcode, city], " ");
        Identity::new(id, &joined(&[line1, line2, town, state, country], ", "))
    }
}

impl Abbreviations {
    fn of(country: &str) -> &'static Self {
        static ALL: LazyLock<HashMap<String, Abbreviations>> = LazyLock::new(|| Abbreviations::read(ABBREVIATIONS));
        static NONE: LazyLock<Abbreviations> = LazyLock::new(Abbreviations::default);
        ALL.get(country.trim().to_uppercase().as_str()).or_else(|| ALL.get(ANYWHERE)).unwrap_or(&NONE)
    }

    fn read(text: &str) -> HashMap<String, Self> {
        let mut all: HashMap<String, Self> = HashMap::new();
        for (countries, pairs) in text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':')) {
            for country in countries.split_whitespace() {
                let known = all.entry(country.to_owned()).or_default();
                for (short, long) in pairs.split_whitespace().filter_map(|pair| pair.split_once('=')) {
                    let (long, ending) = (folded(long), short.strip_prefix('-'));
                    match ending {
                        Some(ending) => known.endings.push((folded(ending), long)),
                        None => drop(known.words.insert(folded(short), long)),
                    }
                }
            }
        }
        all
    }

    /// Folded words, the short ones written out.
    fn written_out(&self, words: &str) -> String {
        let words: Vec<String> = words.split(' ').map(|word| self.long(word)).filter(|word| !word.is_empty()).collect();
        words.join(" ")
    }

    fn long(&self, word: &str) -> String {
        if let Some(long) = self.words.get(word) {
            return long.clone();
        }
        let ending = self.endings.iter().find_map(|(short, long)| Some((word.strip_suffix(short.as_str()).filter(|rest| !rest.is_empty())?, long)));
        ending.map_or_else(|| word.to_owned(), |(rest, long)| format!("{rest}{long}"))
    }
}

#[cfg(test)]
mod tests;
