//! What is dialled behind a number: an extension, as people write it.

/// Most digits of an extension, as the numbering plan's library has it.
pub(super) const EXTENSION: usize = 9;
/// Most digits before a `#`, or in brackets, that are an extension without a word before it.
const UNNAMED: usize = 5;
/// Most digits behind a stroke: more may be those of a number whose area code stands before it.
const BEHIND_STROKE: usize = 3;
/// The fewest digits of a number behind which a sign is one before an extension.
const FEWEST_BEFORE_SIGN: usize = 5;

/// Words before an extension, as [`caseless`](crate::identity::text::caseless) has them.
const WORDS: [&str; 65] = [
    "ext",
    "extn",
    "xtn",
    "x",
    "extension",
    "p",
    "w", // English, and what telephones dial as a pause.
    "durchwahl",
    "durchw",
    "dw",
    "nebenstelle",
    "nebenst",
    "nebst",
    "nst",
    "klappe",
    "kl",
    "apparat",
    "app",
    "poste",
    "extensión",
    "anexo",
    "interno",
    "int",
    "interna",
    "ramal",
    "extensão",
    "derivação",
    "toestel",
    "tst",
    "doorkiesnummer",
    "doorkiesnr",
    "wewnętrzny",
    "wewn",
    "wew",
    "linka",
    "klapka",
    "klapa",
    "mellék",
    "mell",
    "dahili",
    "dah",
    "anknytning",
    "ankn",
    "anknytn",
    "lokal",
    "lokalnr",
    "lok",
    "alanumero",
    "alanro",
    "доб",
    "добавочный",
    "доп",
    "дополнительный",
    "вн",
    "внутр",
    "внутренний",
    "дод",
    "вътр",
    "εσωτερικο",
    "εσωτ",
    "εσ",
    "تحويلة",
    "שלוחה",
    "내선",
    "转",
];
/// The same of scripts that write no blank between words.
const UNSPACED: [&str; 7] = ["内線番号", "内線", "內線", "内线", "分机", "分機", "轉"];
const SIGNS: [char; 6] = ['#', '~', ',', ';', '×', '✕'];
/// Words that may stand between one of those and the digits.
const FILLERS: [&str; 9] = ["no", "nr", "num", "number", "nummer", "numero", "número", "n", "番号"];

/// A number and the extension behind it, each by itself.
pub(super) fn split_extension(text: &str) -> (&str, Option<String>) {
    let open = text.strip_suffix([')', ']']).unwrap_or(text).trim_end();
    let (bare, is_hashed) = match open.strip_suffix('#') {
        Some(bare) => (bare.trim_end(), true),
        None => (open, false),
    };
    let before = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let extension = &bare[before.len()..];
    if extension.is_empty() || extension.len() > EXTENSION {
        return (text, None);
    }
    let (number, is_word) = match before_mark(before) {
        Some(marked) => marked,
        None if is_hashed && extension.len() <= UNNAMED && before.ends_with([' ', '-']) => (before, false),
        None => return (text, None),
    };
    let number = number.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | ',' | ';' | '.' | '-' | '/'));
    let digits = number.chars().filter(char::is_ascii_digit).count();
    // A sign may stand between the digits of one number; a word may not.
    let is_said = is_word && digits > 0;
    if is_said || digits >= FEWEST_BEFORE_SIGN { (number, Some(extension.to_owned())) } else { (text, None) }
}

/// What stands before the words and signs of an extension, if there are any, and whether a word is among them.
fn before_mark(text: &str) -> Option<(&str, bool)> {
    let (mut rest, mut is_marked, mut is_word) = (without_punctuation(text), false, false);
    loop {
        if let Some(before) =
            WORDS.iter().find_map(|word| strip_word(rest, word)).or_else(|| UNSPACED.iter().find_map(|mark| rest.strip_suffix(mark)))
        {
            (rest, is_marked, is_word) = (before, true, true);
        } else if let Some(before) = rest.strip_suffix(SIGNS) {
            (rest, is_marked) = (before, true);
        } else if let Some(before) = FILLERS.iter().find_map(|word| strip_word(rest, word)) {
            rest = before;
        } else {
            return is_marked.then_some((rest, is_word));
        }
        rest = without_punctuation(rest);
    }
}

fn without_punctuation(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '=' | '-' | '°'))
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.strip_suffix(word).filter(|before| !before.ends_with(char::is_alphabetic))
}

/// A number and a short group of digits behind it, in brackets or behind a stroke with a blank: its extension, if it is a whole number without it.
pub(super) fn group_behind(text: &str) -> Option<(&str, String)> {
    let in_brackets = |[open, close]: [char; 2]| Some((text.strip_suffix(close)?.rsplit_once(open)?, UNNAMED));
    let behind_stroke =
        || text.rsplit_once('/').filter(|(number, group)| number.ends_with(char::is_whitespace) || group.starts_with(char::is_whitespace));
    let ((number, group), most) = in_brackets(['(', ')']).or_else(|| in_brackets(['[', ']'])).or_else(|| Some((behind_stroke()?, BEHIND_STROKE)))?;
    short_group(number, group.trim(), most)
}

/// A number and a short group of digits behind a dash or a blank.
pub(super) fn last_group(text: &str) -> Option<(&str, String)> {
    let (number, group) = text.rsplit_once(|c: char| c == '-' || c.is_whitespace())?;
    short_group(number, group, UNNAMED)
}

/// The two, where the group has nothing but digits, and `most` of them.
fn short_group<'a>(number: &'a str, group: &str, most: usize) -> Option<(&'a str, String)> {
    let is_short = (1..=most).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_digit());
    is_short.then(|| (number.trim_end(), group.to_owned()))
}
