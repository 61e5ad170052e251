//! How an account is named by numbers: its IBAN, its number at a bank.
//!
//! An IBAN is one only with its country's length and structure and with its check digits; any other text in its place is a text of its own, and no
//! account's number. So a mistyped IBAN is never somebody else's.

use iban::{BaseIban, Iban, IbanLike};

use super::{
    Identity, IdentityRules, MAX_KEY_BYTES, is_too_long, of,
    placeholder::{is_masked, is_one_digit},
    text::{alphanumerics, joined, one_line, plain},
};
use crate::{account::AccountRecord, id::AccountId, transaction::AccountInfoRecord};

/// What begins the key by which an account's own id counts among the numbers that a payment names it by.
const HINT: &str = "id:";

/// What stands before many IBANs, and what may stand behind that word, the longer ones first.
const WORD: &str = "IBAN";
const BEHIND_WORD: [&str; 8] = ["NUMMER", "NUMERO", "NUMBER", "CODE", "NUM", "NR", "NO", "N"];

/// Countries of the registry that the library does not know yet, with the length of their IBANs.
pub const MISSING_COUNTRIES: [(&str, usize); 1] = [("HN", 28)];

impl IdentityRules {
    /// The keys under which payments may name an account: its IBAN, then its number at its bank, which may be the same.
    pub fn account_keys(&self, account: &AccountRecord) -> Vec<Identity> {
        self.keys_of(of(&account.iban), &[of(&account.bank_code)], of(&account.account_number))
    }

    /// The keys of an account that is described: IBAN, then number at the bank code or BIC.
    pub(crate) fn info_keys(&self, info: &AccountInfoRecord) -> Vec<Identity> {
        self.keys_of(of(&info.iban), &[of(&info.bank_code), of(&info.bic)], of(&info.account_number))
    }

    /// Each key once; the first way to write it is the one that is shown.
    fn keys_of(&self, iban: &str, banks: &[&str], number: &str) -> Vec<Identity> {
        let mut distinct: Vec<Identity> = Vec::new();
        for key in self.iban_key(iban).into_iter().chain(self.number_keys(banks, number)) {
            if distinct.iter().all(|known| known.id != key.id) {
                distinct.push(key);
            }
        }
        distinct
    }

    fn iban_key(&self, text: &str) -> Option<Identity> {
        if is_too_long(text) {
            return None;
        }
        let letters = alphanumerics(text);
        if let Some(iban) = iban_in(&letters) {
            return iban_identity(&iban);
        }
        let bare = letters.trim_start_matches(WORD);
        if self.names_no_account(text, bare) { None } else { Identity::new(format!("iban:{bare}"), &one_line(&plain(text))) }
    }

    /// Whether a text in the place of a number is none, as it is written, without the word IBAN or behind its country's letters.
    fn names_no_account(&self, text: &str, bare: &str) -> bool {
        let behind_country = bare.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let says_nothing = |text: &str| !text.is_empty() && self.placeholders.is_value(text);
        bare.is_empty() || is_masked(text) || [text, bare, behind_country].into_iter().any(says_nothing)
    }

    /// A number is unique at its bank only: one key for each way the bank is named, or one for a bank unnamed. An IBAN is one in whatever field it is.
    fn number_keys(&self, banks: &[&str], number: &str) -> Vec<Identity> {
        if is_too_long(number) {
            return Vec::new();
        }
        let bare = alphanumerics(number);
        if let Some(iban) = iban_in(&bare) {
            return iban_identity(&iban).into_iter().collect();
        }
        if self.names_no_account(number, bare.trim_start_matches(WORD)) {
            return Vec::new();
        }
        let mut banks: Vec<String> =
            banks.iter().filter(|bank| !is_too_long(bank) && !self.placeholders.is_value(bank)).map(|bank| bank_key(alphanumerics(bank))).collect();
        banks.retain(|bank| !bank.is_empty());
        banks.dedup();
        if banks.is_empty() {
            banks.push(String::new());
        }
        let caption = one_line(&plain(number));
        banks.iter().filter_map(|bank| Identity::new(number_id(bank, &bare), &joined(&[bank.clone(), caption.clone()], " "))).collect()
    }
}

impl Identity {
    /// The key by which an account's id stands behind the numbers that one payment names it by. None where the id is too long to be read from a key.
    pub(super) fn hint(account: &AccountId) -> Option<Self> {
        let id = format!("{HINT}{account}");
        (id.len() <= MAX_KEY_BYTES).then(|| Self { id, name: account.to_string() })
    }
}

/// The account whose id is the key, where it is one that [`Identity::hint`] makes.
pub fn hinted_account(key: &str) -> Option<&str> {
    key.strip_prefix(HINT)
}

/// The IBAN that the letters and digits are, behind the word IBAN and what follows it. `NO` is Norway as well: what can be read as it stands is.
fn iban_in(letters: &str) -> Option<BaseIban> {
    let bare = letters.trim_start_matches(WORD);
    if let Some(iban) = valid_iban(bare) {
        return Some(iban);
    }
    // Words only where there is an IBAN behind them; a few, so that the time does not grow with their number.
    let mut rest = bare;
    for _ in 0..3 {
        rest = BEHIND_WORD.iter().find_map(|word| rest.strip_prefix(word))?.trim_start_matches(WORD);
        if let Some(iban) = valid_iban(rest) {
            return Some(iban);
        }
    }
    None
}

fn valid_iban(bare: &str) -> Option<BaseIban> {
    let iban: BaseIban = bare.parse().ok()?;
    let is_missing = || MISSING_COUNTRIES.contains(&(iban.country_code(), bare.len()));
    (Iban::try_from(iban).is_ok() || is_missing()).then_some(iban)
}

/// None for one of zeros or one digit, whose check digits may be right.
fn iban_identity(iban: &BaseIban) -> Option<Identity> {
    let electronic = iban.electronic_str();
    if is_one_digit(&electronic[4..]) {
        return None;
    }
    let id = match inside_iban(electronic) {
        Some((bank, number)) => number_id(bank, number),
        None => format!("iban:{electronic}"),
    };
    Identity::new(id, &iban.to_string())
}

/// Bank code and account number, where a country's IBANs are made of nothing else. There payments name an account by either, so that both must
/// have one key; the IBANs of other countries hold branches and check digits that a bank code with a number does not.
fn inside_iban(iban: &str) -> Option<(&str, &str)> {
    let bank_digits = match iban.get(..2)? {
        "DE" => 8,
        "AT" => 5,
        "NL" => 4,
        _ => return None,
    };
    iban.get(4..)?.split_at_checked(bank_digits)
}

/// A bank by its code or BIC. The head office of a bank has the branch code `XXX`, or none. A Dutch BIC begins with the bank code that is in the
/// bank's IBANs.
fn bank_key(bank: String) -> String {
    let is_bic = matches!(bank.len(), 8 | 11) && bank.is_ascii() && bank[4..6].bytes().all(|byte| byte.is_ascii_alphabetic());
    if !is_bic {
        bank
    } else if &bank[4..6] == "NL" {
        bank[..4].to_owned()
    } else {
        bank.strip_suffix("XXX").filter(|office| office.len() == 8).unwrap_or(&bank).to_owned()
    }
}

/// Where bank code and number can be those inside an IBAN, zeros before the number do not count: an IBAN fills it up with them.
fn number_id(bank: &str, number: &str) -> String {
    let all = |text: &str, is: fn(&u8) -> bool| text.as_bytes().iter().all(is);
    let digits = match bank.len() {
        8 if all(bank, u8::is_ascii_digit) => 10,
        5 if all(bank, u8::is_ascii_digit) => 11,
        4 if all(bank, u8::is_ascii_alphabetic) => 10,
        _ => 0,
    };
    let fits = number.len() <= digits && all(number, u8::is_ascii_digit);
    format!("account:{bank}:{}", if fits { number.trim_start_matches('0') } else { number })
}
