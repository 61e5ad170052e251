//! When two records name the same thing.
//!
//! A phone number, an address or an account is written in many ways. Each becomes an [`Identity`]: a normalised key,
//! on which the graph's nodes are merged, and a caption that a human reads. What can't be normalised by the rules of
//! its kind falls back to its bare text, so that equal texts still meet and nothing is dropped. An empty value has no identity.

use std::{net::IpAddr, str::FromStr};

use iban::{BaseIban, IbanLike};
use phonenumber::Mode;

use crate::{
    account::AccountRecord,
    actor::{AddressRecord, GovernmentIdRecord, ReferenceRecord},
    id::{AccountId, ActorId},
    json_object::JsonObject,
    transaction::{AccountInfoRecord, Counterparty, CounterpartyObject},
};

/// Longest key in bytes: indexed values have a limit in every store.
const MAX_KEY_BYTES: usize = 512;

/// A thing that records share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The normalised key; equal keys are one thing.
    pub id: String,
    /// What a human reads.
    pub name: String,
}

/// Whom a counterparty names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CounterpartyKey {
    /// Nobody: `EMPTY`, or nothing that could be told apart.
    None,
    /// An account, by its id.
    Account(AccountId),
    /// An account, by IBAN or number, the strongest first: whoever has them.
    Keys(Vec<Identity>),
    /// A party of which no account is known.
    External(Identity),
}

impl Identity {
    fn new(id: String, name: &str) -> Option<Self> {
        let name = one_line(name);
        (!id.is_empty() && !name.is_empty()).then(|| Self { id: bounded(id), name })
    }
}

/// A phone number as E.164, read as one of `region` (an ISO 3166-1 alpha-2 code) when it has no country code of its own.
pub fn phone(number: &str, region: Option<&str>) -> Option<Identity> {
    let region = region.and_then(|code| phonenumber::country::Id::from_str(code).ok());
    let parsed = phonenumber::parse(region, number).ok().filter(phonenumber::is_valid);
    if let Some(parsed) = parsed {
        let id = parsed.format().mode(Mode::E164).to_string();
        let name = parsed.format().mode(Mode::International).to_string();
        return Identity::new(id, &name);
    }
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let plus = if number.trim_start().starts_with('+') { "+" } else { "" };
    if digits.is_empty() { Identity::new(folded(number), number) } else { Identity::new(format!("{plus}{digits}"), number) }
}

/// An email address without regard to case.
pub fn email(address: &str) -> Option<Identity> {
    Identity::new(address.trim().to_lowercase(), address)
}

/// An address by all its parts, without regard to case, blanks and punctuation.
pub fn address(address: &AddressRecord) -> Option<Identity> {
    let lines = [&address.line1, &address.line2];
    let town = [&address.postcode, &address.city];
    let rest = [&address.state, &address.country];
    let all = [lines, town, rest].concat();
    let key: Vec<String> = all.iter().map(|part| folded(text(part))).collect();
    if key.iter().all(String::is_empty) {
        return None;
    }
    // Both lines and the town are joined: whether a house number or a postcode went into the next field is chance.
    let id = [joined(&key[..4], " "), key[4].clone(), key[5].clone()].join("|");
    let group = |parts: &[&Option<String>]| {
        let parts: Vec<String> = parts.iter().map(|part| one_line(text(part))).collect();
        joined(&parts, " ")
    };
    let caption = [
        one_line(text(&address.line1)),
        one_line(text(&address.line2)),
        group(&town),
        one_line(text(&address.state)),
        one_line(text(&address.country)),
    ];
    Identity::new(id, &joined(&caption, ", "))
}

/// A government id by its type, its issuer and its letters and digits.
pub fn government_id(document: &GovernmentIdRecord) -> Option<Identity> {
    let number = alphanumerics(text(&document.id));
    if number.is_empty() {
        return None;
    }
    let kind = folded(text(&document.kind)).to_uppercase();
    let issuer = folded(text(&document.issuing_authority)).to_uppercase();
    let name = joined(&[one_line(text(&document.kind)), one_line(text(&document.id))], " ");
    Identity::new(format!("{kind}|{issuer}|{number}"), &name)
}

/// A reference by system and id. Ids of other systems are theirs: case matters.
pub fn reference(reference: &ReferenceRecord) -> Option<Identity> {
    let id = text(&reference.id).trim();
    if id.is_empty() {
        return None;
    }
    let system = folded(text(&reference.system_name));
    let name = joined(&[one_line(text(&reference.system_name)), one_line(id)], " ");
    Identity::new(format!("{system}|{id}"), &name)
}

/// A device by its id.
pub fn device(id: &str) -> Option<Identity> {
    Identity::new(id.trim().to_owned(), id)
}

/// An IP address in its canonical form; an IPv4 address in IPv6's clothes is the IPv4 address.
pub fn ip(address: &str) -> Option<Identity> {
    let bare = address.trim();
    let unbracketed = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(bare);
    let id = match IpAddr::from_str(unbracketed) {
        Ok(parsed) => parsed.to_canonical().to_string(),
        Err(_) => bare.to_lowercase(),
    };
    Identity::new(id.clone(), &id)
}

/// The keys under which payments may name an account: its IBAN, then its number at its bank, which may be the same.
pub fn account_keys(account: &AccountRecord) -> Vec<Identity> {
    let number = text(&account.account_number);
    distinct(iban_key(text(&account.iban)).into_iter().chain(number_keys(&[text(&account.bank_code)], number)))
}

/// Whom `counterparty` names, in a transaction of the account `account`.
pub fn counterparty_key(counterparty: &Counterparty, account: &str) -> CounterpartyKey {
    if counterparty.object == CounterpartyObject::Empty {
        return CounterpartyKey::None;
    }
    let info = counterparty.account_info.as_ref();
    let is_account = counterparty.object == CounterpartyObject::AccountInfo;
    let own_id = counterparty.id.as_ref().filter(|_| is_account);
    let account_id = info.and_then(|info| info.id.clone()).or_else(|| own_id.map(|id| id.cast()));
    if let Some(id) = account_id {
        return CounterpartyKey::Account(id);
    }
    let keys = info.map(info_keys).unwrap_or_default();
    if !keys.is_empty() {
        return CounterpartyKey::Keys(keys);
    }
    let party = counterparty.id.as_ref().and_then(|id| party(id.as_str(), text(&counterparty.name)));
    party.or_else(|| stranger(text(&counterparty.name), account)).map_or(CounterpartyKey::None, CounterpartyKey::External)
}

/// The actor that the counterparty says it is: its metadata's `identifiable_as_actor` is true, and it has an id.
pub fn identified_actor(counterparty: &Counterparty) -> Option<ActorId> {
    counterparty.id.as_ref().filter(|_| is_said(counterparty.metadata.as_ref(), "identifiable_as_actor")).map(|id| id.cast())
}

/// Whether metadata says yes under a key, as a truth value or as text.
pub(crate) fn is_said(metadata: Option<&JsonObject>, key: &str) -> bool {
    match metadata.and_then(|metadata| metadata.get(key)) {
        Some(serde_json::Value::Bool(value)) => value,
        Some(serde_json::Value::String(value)) => value.trim().eq_ignore_ascii_case("true"),
        _ => false,
    }
}

/// The keys of an account that is described: IBAN, then number at the bank code or BIC.
fn info_keys(info: &AccountInfoRecord) -> Vec<Identity> {
    let banks = [text(&info.bank_code), text(&info.bic)];
    distinct(iban_key(text(&info.iban)).into_iter().chain(number_keys(&banks, text(&info.account_number))))
}

/// Each key once; the first way to write it is the one that is shown.
fn distinct(keys: impl Iterator<Item = Identity>) -> Vec<Identity> {
    let mut distinct: Vec<Identity> = Vec::new();
    for key in keys {
        if distinct.iter().all(|known| known.id != key.id) {
            distinct.push(key);
        }
    }
    distinct
}

fn iban_key(text: &str) -> Option<Identity> {
    let bare = alphanumerics(text);
    if bare.is_empty() {
        return None;
    }
    let Ok(iban) = BaseIban::from_str(&bare) else { return Identity::new(format!("iban:{bare}"), text) };
    let id = match inside_iban(iban.electronic_str()) {
        Some((bank, number)) => number_id(bank, number),
        None => format!("iban:{}", iban.electronic_str()),
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

/// A number is unique at its bank only: one key for each way the bank is named, or one for a bank unnamed.
fn number_keys(banks: &[&str], number: &str) -> Vec<Identity> {
    let bare = alphanumerics(number);
    if bare.is_empty() {
        return Vec::new();
    }
    let mut banks: Vec<String> = banks.iter().map(|bank| bank_key(alphanumerics(bank))).collect();
    banks.retain(|bank| !bank.is_empty());
    banks.dedup();
    if banks.is_empty() {
        banks.push(String::new());
    }
    banks.iter().filter_map(|bank| Identity::new(number_id(bank, &bare), &joined(&[bank.clone(), one_line(number)], " "))).collect()
}

/// A Dutch BIC begins with the bank code that is in the bank's IBANs.
fn bank_key(bank: String) -> String {
    let is_dutch = matches!(bank.len(), 8 | 11) && bank.get(4..6) == Some("NL");
    if is_dutch { bank[..4].to_owned() } else { bank }
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

fn party(id: &str, name: &str) -> Option<Identity> {
    let caption = if name.trim().is_empty() { id } else { name };
    Identity::new(format!("party:{id}"), caption)
}

/// Someone of whom only a name is known. Two people may share it, so that the key holds for one account only.
fn stranger(name: &str, account: &str) -> Option<Identity> {
    let key = folded(name);
    if key.is_empty() {
        return None;
    }
    Identity::new(format!("name:{key}@{account}"), name)
}

fn text(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or_default()
}

/// Lower case, one blank between words, no punctuation.
fn folded(text: &str) -> String {
    let plain: String = text.chars().flat_map(char::to_lowercase).map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    one_line(&plain)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn alphanumerics(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase).collect()
}

fn joined(parts: &[String], separator: &str) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join(separator)
}

/// A key that is too long to be indexed keeps its beginning; a hash stands for the rest.
fn bounded(key: String) -> String {
    if key.len() <= MAX_KEY_BYTES {
        return key;
    }
    let kept = (0..=MAX_KEY_BYTES - 33).rev().find(|end| key.is_char_boundary(*end)).unwrap_or(0);
    format!("{}#{:032x}", &key[..kept], fnv1a(key.as_bytes()))
}

/// FNV-1a of 128 bits: the same on every machine and in every release, which the standard hasher does not promise.
fn fnv1a(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash, byte| {
        (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

#[cfg(test)]
mod tests;
