//! Whether the lines of an address say where somebody lives, and not only in which town.

use std::{collections::HashSet, sync::LazyLock};

use super::ABBREVIATIONS;
use crate::identity::text::folded;

/// Words that say no place by themselves.
const WORDS: &str = include_str!("../../../data/address_words.txt");
const HOUSES: &str = "[houses]\n";
/// Most digits of the number of a house behind the name of its town: more are a postcode.
const HOUSE_NUMBER: usize = 3;

/// Words that are a place with a number only, and words that stand beside the number of a house.
struct CommonWords {
    streets: HashSet<String>,
    houses: HashSet<String>,
}

impl CommonWords {
    fn known() -> &'static Self {
        static KNOWN: LazyLock<CommonWords> = LazyLock::new(|| {
            let (streets, houses) = WORDS.split_once(HOUSES).unwrap_or((WORDS, ""));
            let words = |text: &str| text.lines().filter(|line| !line.starts_with(['#', '['])).flat_map(str::split_whitespace).map(folded).collect();
            let (mut streets, houses): (HashSet<String>, HashSet<String>) = (words(streets), words(houses));
            let pairs = ABBREVIATIONS.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
            streets.extend(pairs.filter_map(|pair| pair.split_once('=')).flat_map(|(short, long)| [folded(short), folded(long)]));
            streets.retain(|word| !houses.contains(word));
            CommonWords { streets, houses }
        });
        &KNOWN
    }
}

/// Whether the lines, in folded words, name a street, a box or a house. `town` is the postcode, then the city, then all else that names where it is.
pub(super) fn is_street(lines: &str, town: &[String]) -> bool {
    let common = CommonWords::known();
    let town_words: HashSet<&str> = town.iter().flat_map(|part| part.split(' ')).filter(|word| !word.is_empty()).collect();
    let has_city = town.get(1).is_some_and(|city| !city.is_empty());
    let (mut is_common, mut is_town, mut is_town_numbered, mut numbers) = (false, false, false, 0);
    let (mut is_named, mut is_house_number) = (false, false);
    for word in lines.split(' ').filter(|word| !word.is_empty()) {
        let of_town = town_words.contains(word);
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            numbers += usize::from(!of_town);
            is_house_number |= !of_town && word.len() <= HOUSE_NUMBER;
            is_town_numbered |= is_town && !of_town && word.len() <= HOUSE_NUMBER;
        } else if of_town {
            is_town = true;
        } else if common.streets.contains(word) {
            is_common = true;
        } else if !common.houses.contains(word) && !is_letter(word) {
            is_named = true;
            // Scripts without blanks write the number within.
            is_house_number |= word.contains(|c: char| c.is_ascii_digit());
        }
    }
    // Where postcodes have letters, one is a few houses; else a number alone needs another (a block and its houses).
    let postcode = town.first().map_or("", String::as_str);
    let is_fine = postcode.contains(|c: char| c.is_ascii_digit()) && postcode.contains(char::is_alphabetic);
    // Where no city is said, a name may be the city's.
    if is_named && (has_city || is_house_number || is_fine) {
        return true;
    }
    let is_somewhere = town.iter().take(2).any(|part| !part.is_empty());
    (is_common && numbers > 0) || is_town_numbered || (is_fine && numbers > 0) || (is_somewhere && numbers > 1)
}

/// A letter by itself, as behind the number of a house. In scripts without an alphabet one sign is a word.
fn is_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c < '\u{2e80}') && chars.next().is_none()
}
