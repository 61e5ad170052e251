//! How an account is named by numbers: its IBAN, its number at a bank.
//!
//! An IBAN is one only with its country's length and structure and with its check digits; any other text in its place is a text of its own, and no
//! account's number. So a mistyped IBAN is never somebody else's.

use iban::{Iban, IbanLike};

use super::{
    Identity, IdentityRules, MAX_KEY_BYTES, of,
    text::{alphanumerics, joined, one_line, plain},
};
use crate::{account::AccountRecord, id::AccountId, transaction::AccountInfoRecord};

/// What begins the key by which an account's own id counts among the numbers that a payment names it by.
const HINT: &str = "id:";

impl IdentityRules {
    /// The keys under which payments may name an account: its IBAN, then its number at its bank, which may be the same.
    pub fn account_keys(&self, account: &AccountRecord) -> Vec<Identity> {
        self.keys_of(of(&account.iban), &[of(&account.bank_code)], of(&account.account_number))
    }

    /// The keys of an account that is described: IBAN, then number at the bank code or BIC.
    pub(super) fn info_keys(&self, info: &AccountInfoRecord) -> Vec<Identity> {
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
        let bare = without_word(alphanumerics(text));
        if let Some(iban) = valid_iban(&bare) {
            return iban_identity(&iban);
        }
        // Digits alone are told from zeros or one digit by what stands behind the country's letters.
        let digits = bare.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let says_nothing = |text: &str| !text.is_empty() && self.placeholders.is_value(text);
        if bare.is_empty() || [text, &bare, digits].into_iter().any(says_nothing) {
            return None;
        }
        Identity::new(format!("iban:{bare}"), &one_line(&plain(text)))
    }

    /// A number is unique at its bank only: one key for each way the bank is named, or one for a bank unnamed. An IBAN is one in whatever field it is.
    fn number_keys(&self, banks: &[&str], number: &str) -> Vec<Identity> {
        let bare = alphanumerics(number);
        if let Some(iban) = valid_iban(&without_word(bare.clone())) {
            return iban_identity(&iban).into_iter().collect();
        }
        if bare.is_empty() || self.placeholders.is_value(number) {
            return Vec::new();
        }
        let mut banks: Vec<String> =
            banks.iter().filter(|bank| !self.placeholders.is_value(bank)).map(|bank| bank_key(alphanumerics(bank))).collect();
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

/// The word IBAN that stands before many.
fn without_word(mut bare: String) -> String {
    while let Some(rest) = bare.strip_prefix("IBAN") {
        bare = rest.to_owned();
    }
    bare
}

fn valid_iban(bare: &str) -> Option<Iban> {
    bare.parse().ok()
}

fn iban_identity(iban: &Iban) -> Option<Identity> {
    let electronic = iban.electronic_str();
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

#[cfg(test)]
mod tests;
