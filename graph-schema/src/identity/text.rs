//! One text in many spellings: Unicode's compatibility forms, case, invisible marks, digits of other scripts.

use std::borrow::Cow;

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::{
    CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed,
    props::{DefaultIgnorableCodePoint, GeneralCategory},
};

const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();
const NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();
const CASES: CaseMapperBorrowed<'static> = CaseMapper::new();
const CATEGORIES: CodePointMapDataBorrowed<'static, GeneralCategory> = CodePointMapData::<GeneralCategory>::new();
const IGNORABLE: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<DefaultIgnorableCodePoint>();

/// A blank that Unicode counts among the symbols.
const BRAILLE_BLANK: char = '\u{2800}';

/// The text without blanks at its ends, if a reader sees anything of it.
pub fn visible(text: &str) -> Option<&str> {
    text.chars().any(is_visible).then(|| text.trim())
}

fn is_visible(c: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, SpaceSeparator};
    let is_blank = c == BRAILLE_BLANK || matches!(CATEGORIES.get(c), Control | Format | LineSeparator | ParagraphSeparator | SpaceSeparator);
    !is_blank && !IGNORABLE.contains(c)
}

/// Whether a sign stands between the parts of a number and says nothing: what nobody sees, punctuation, and symbols like it.
pub(super) fn separates(c: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation, InitialPunctuation, MathSymbol, ModifierSymbol, OpenPunctuation,
        OtherPunctuation, OtherSymbol,
    };
    !is_visible(c)
        || matches!(
            CATEGORIES.get(c),
            ClosePunctuation
                | ConnectorPunctuation
                | DashPunctuation
                | FinalPunctuation
                | InitialPunctuation
                | MathSymbol
                | ModifierSymbol
                | OpenPunctuation
                | OtherPunctuation
                | OtherSymbol
        )
}

/// The text in its compatibility form (NFKC), without invisible marks, with the digits 0 to 9 for those of every script.
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let seen: String = text.chars().filter(|c| !IGNORABLE.contains(*c)).collect();
    // A compatibility form may be an invisible mark itself.
    let composed: String = NFKC.normalize(&seen).chars().filter(|c| !IGNORABLE.contains(*c)).map(ascii_digit).collect();
    Cow::Owned(NFKC.normalize(&composed).into_owned())
}

/// The text without the marks that mean nothing in the name of a domain. Joiners (U+200C, U+200D) do: some scripts write other words with them.
pub(super) fn domain_letters(text: &str) -> String {
    let letters: String = text.chars().filter(|c| matches!(c, '\u{200c}' | '\u{200d}') || !IGNORABLE.contains(*c)).collect();
    letters.trim().to_owned()
}

/// Unicode keeps the ten digits of a script side by side, zero first.
fn ascii_digit(c: char) -> char {
    let is_digit = |code: u32| CATEGORIES.get32(code) == GeneralCategory::DecimalNumber;
    if c.is_ascii() || !is_digit(c.into()) {
        return c;
    }
    let digits_before = (1..).take_while(|back| is_digit(u32::from(c) - back)).count() as u32;
    char::from_digit(digits_before % 10, 10).unwrap_or(c)
}

/// The text without regard to case (full case folding), over [`plain`]. Capitals lose more in two languages: the dot or its absence on a Turkish i,
/// the accents of Greek.
pub fn caseless(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let plain = plain(text);
    let folded = CASES.fold_string(&plain);
    let mut base = ' ';
    let mut kept = String::with_capacity(folded.len());
    for c in NFKD.normalize(&folded).chars() {
        let is_mark = CATEGORIES.get(c) == GeneralCategory::NonspacingMark;
        if !is_mark {
            base = c;
        }
        let is_lost = is_mark && (matches!(base, '\u{370}'..='\u{3ff}') || (base == 'i' && c == '\u{307}'));
        if !is_lost {
            kept.push(if c == 'ı' { 'i' } else { c });
        }
    }
    NFKC.normalize(&kept).into_owned()
}

/// Words without regard to case, one blank between them, no punctuation.
pub fn folded(text: &str) -> String {
    let words: String = caseless(text).chars().map(|c| if is_of_a_word(c) { c } else { ' ' }).collect();
    one_line(&words)
}

/// Letters, digits and what belongs to a letter.
pub(super) fn is_of_a_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(CATEGORIES.get(c), GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark)
}

/// Letters and digits alone, in capitals.
pub fn alphanumerics(text: &str) -> String {
    // First of all, as marks that stood apart stand together then, with an order and a letter of their own.
    let together: String = plain(text).chars().filter(|c| c.is_alphanumeric()).collect();
    let kept: String = caseless(&together).chars().flat_map(char::to_uppercase).filter(|c| c.is_alphanumeric()).collect();
    if kept.is_ascii() { kept } else { NFKC.normalize(&kept).into_owned() }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn joined(parts: &[String], separator: &str) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join(separator)
}
