//! How far two words are from each other, letter by letter.
//!
//! The cost of a letter that is changed, missing or in another place, in hundredths of a letter: what is often confused (vowels, letters that
//! sound or look alike, a letter that is doubled) costs less than what is not. The same both ways.

/// Words are compared up to this many letters.
pub const LONGEST: usize = 40;
/// A letter changed for any other.
pub const LETTER: u16 = 100;
const TRANSPOSED: u16 = 70;
const DOUBLED: u16 = 35;
const VOWEL_MISSING: u16 = 65;
const WEAK_MISSING: u16 = 60;
const VOWEL_CHANGED: u16 = 45;

/// Pairs of letters that are confused, by what one for the other costs.
const CONFUSED: [(u16, &[&[u8; 2]]); 3] = [
    (
        30,
        &[
            b"iy", b"ij", b"jy", b"kq", b"ck", b"cq", b"vw", b"sz", b"o0", b"l1", b"i1", b"s5", b"e3", b"a4", b"b8", b"uw", b"uv", b"ou", b"g9",
            b"z2", b"t7",
        ],
    ),
    (
        50,
        &[
            b"bp", b"dt", b"gk", b"cs", b"cz", b"bv", b"fv", b"gj", b"hk", b"gh", b"gq", b"fp", b"ae", b"ei", b"il", b"kx", b"sx", b"xz", b"jz",
            b"gc", b"cj",
        ],
    ),
    (75, &[b"mn", b"lr", b"ht", b"fh", b"dz", b"st", b"rn", b"uy", b"hj", b"tz", b"hx"]),
];

const fn place(letter: u8) -> usize {
    match letter {
        b'a'..=b'z' => (letter - b'a') as usize,
        b'0'..=b'9' => (letter - b'0') as usize + 26,
        _ => 36,
    }
}

const fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

static CHANGED: [[u16; 37]; 37] = changed();

const fn changed() -> [[u16; 37]; 37] {
    let mut costs = [[LETTER; 37]; 37];
    let mut first = 0;
    while first < 37 {
        let mut second = 0;
        while second < 37 {
            if first == second {
                costs[first][second] = 0;
            } else if first < 26 && second < 26 && is_vowel(b'a' + first as u8) && is_vowel(b'a' + second as u8) {
                costs[first][second] = VOWEL_CHANGED;
            }
            second += 1;
        }
        first += 1;
    }
    let mut class = CONFUSED.len();
    while class > 0 {
        class -= 1;
        let (cost, pairs) = CONFUSED[class];
        let mut at = 0;
        while at < pairs.len() {
            let (first, second) = (place(pairs[at][0]), place(pairs[at][1]));
            costs[first][second] = cost;
            costs[second][first] = cost;
            at += 1;
        }
    }
    costs
}

/// What it costs that the letter at this place is not in the other word.
fn missing(word: &[u8], at: usize) -> u16 {
    let letter = word[at];
    if at > 0 && word[at - 1] == letter && !letter.is_ascii_digit() {
        DOUBLED
    } else if is_vowel(letter) {
        VOWEL_MISSING
    } else if letter == b'h' {
        WEAK_MISSING
    } else {
        LETTER
    }
}

/// The cheapest way from one word to the other, in hundredths of a letter; more than `most` when it costs more.
pub fn distance(first: &[u8], second: &[u8], most: u16) -> u16 {
    let (first, second) = (&first[..first.len().min(LONGEST)], &second[..second.len().min(LONGEST)]);
    let mut rows = [[0u16; LONGEST + 1]; 3];
    for at in 0..second.len() {
        rows[0][at + 1] = rows[0][at] + missing(second, at);
    }
    let (mut older, mut old, mut new) = (2, 0, 1);
    let mut least_before = 0;
    for i in 0..first.len() {
        let gone = missing(first, i);
        rows[new][0] = rows[old][0] + gone;
        let mut least = rows[new][0];
        let costs = &CHANGED[place(first[i])];
        for j in 0..second.len() {
            let mut best = rows[old][j] + costs[place(second[j])];
            best = best.min(rows[old][j + 1] + gone).min(rows[new][j] + missing(second, j));
            if i > 0 && j > 0 && first[i] == second[j - 1] && first[i - 1] == second[j] {
                best = best.min(rows[older][j - 1] + TRANSPOSED);
            }
            rows[new][j + 1] = best;
            least = least.min(best);
        }
        // Costs only grow from row to row, and letters in another place reach over one row.
        if least > most && least_before > most {
            return u16::MAX;
        }
        least_before = least;
        (older, old, new) = (old, new, older);
    }
    rows[old][second.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_often_confused_costs_less() {
        let cost = |first: &str, second: &str| distance(first.as_bytes(), second.as_bytes(), 1_000);
        assert_eq!(cost("lavrov", "lavrov"), 0);
        assert_eq!(cost("merkel", "merxel"), LETTER.min(50));
        assert!(cost("angela", "anglea") < cost("angela", "anteta"));
        assert!(cost("basharr", "bashar") < cost("basharm", "bashar"));
        assert!(cost("sech1n", "sechin") < cost("sechtn", "sechin"));
        assert!(cost("mohamed", "muhamad") < LETTER);
        assert_eq!(cost("", "b"), LETTER);
        assert_eq!(cost("", ""), 0);
    }
}
