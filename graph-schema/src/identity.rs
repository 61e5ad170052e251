//! When two records name the same thing.
//!
//! A phone number, an address or an account is written in many ways. Each becomes an [`Identity`]: a normalised key,
//! on which the graph's nodes are merged, and a caption that a human reads. What can't be normalised by the rules of
//! its kind falls back to its bare text, so that equal texts still meet and nothing is dropped. An empty value has no
//! identity, and neither has a placeholder such as `N/A` or a text of more than a thousand characters.

pub(crate) mod account_number;
pub(crate) mod address;
pub(crate) mod phone;
pub(crate) mod placeholder;
pub(crate) mod text;

use std::{net::IpAddr, str::FromStr};

pub use account_number::hinted_account;
pub use placeholder::Placeholders;
pub use text::visible;

use placeholder::{has_stars, is_masked};
use text::{alphanumerics, domain_letters, folded, joined, one_line, plain};

use crate::{
    actor::{GovernmentIdRecord, ReferenceRecord},
    id::{AccountId, ActorId},
    json_object::JsonObject,
    transaction::{Counterparty, CounterpartyObject},
};

/// Longest key in bytes: indexed values have a limit in every store.
pub(crate) const MAX_KEY_BYTES: usize = 512;

/// Most characters of a value that identifies somebody. Nothing of its kind is as long (an email address has 254, an account's number 34): what is
/// longer is a text that many may have, such as a notice, and would cost much to normalise.
const MAX_VALUE_CHARS: usize = 1000;

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
    /// An account, by IBAN or number, the strongest first: whoever has them. Last, where there is one, an account's id ([`hinted_account`]): it counts
    /// where no account's own record names any of the numbers.
    Keys(Vec<Identity>),
    /// A party of which no account is known.
    External(Identity),
}

/// What the values of records identify.
#[derive(Debug, Clone, Default)]
pub struct IdentityRules {
    placeholders: Placeholders,
}

impl Identity {
    fn new(id: String, name: &str) -> Option<Self> {
        let name = one_line(visible(name)?);
        (!id.is_empty()).then(|| Self { id: bounded(id), name })
    }
}

impl IdentityRules {
    pub fn new(placeholders: Placeholders) -> Self {
        Self { placeholders }
    }

    /// An email address without regard to case; an international domain is the one that its ASCII form names. None without an `@`: many may say so.
    pub fn email(&self, address: &str) -> Option<Identity> {
        if is_too_long(address) || self.placeholders.is_value(address) {
            return None;
        }
        let text = plain(address);
        let (local, domain) = text.trim().rsplit_once('@')?;
        // What the domain is goes by its own letters: the form of the text lacks some that tell domains apart.
        let written = address.rsplit_once(['@', '＠', '﹫']).map(|(_, domain)| domain_letters(domain)).unwrap_or_default();
        let ascii = [written.as_str(), domain].into_iter().find_map(ascii_domain);
        let (local, domain) = (local.to_lowercase(), ascii.unwrap_or_else(|| domain.trim_end_matches('.').to_lowercase()));
        if self.placeholders.is_email(&local, &domain) { None } else { Identity::new(format!("{local}@{domain}"), address) }
    }

    /// A government id by its type, its issuer and its letters and digits.
    pub fn government_id(&self, document: &GovernmentIdRecord) -> Option<Identity> {
        let written = of(&document.id);
        if [written, of(&document.kind), of(&document.issuing_authority)].into_iter().any(is_too_long) {
            return None;
        }
        let number = alphanumerics(written);
        if number.is_empty() || is_masked(written) || self.placeholders.is_value(written) {
            return None;
        }
        let word = |value: &Option<String>| if self.placeholders.is_text(of(value)) { String::new() } else { folded(of(value)).to_uppercase() };
        let (kind, issuer) = (word(&document.kind), word(&document.issuing_authority));
        let name = joined(&[one_line(of(&document.kind)), one_line(of(&document.id))], " ");
        Identity::new(format!("{kind}|{issuer}|{number}"), &name)
    }

    /// A reference by system and id. Ids of other systems are theirs: case matters.
    pub fn reference(&self, reference: &ReferenceRecord) -> Option<Identity> {
        let id = of(&reference.id).trim();
        if [id, of(&reference.system_name)].into_iter().any(is_too_long) || has_stars(id) || self.placeholders.is_value(id) {
            return None;
        }
        let system = folded(of(&reference.system_name));
        let name = joined(&[one_line(of(&reference.system_name)), one_line(id)], " ");
        Identity::new(format!("{system}|{id}"), &name)
    }

    /// A device by its id.
    pub fn device(&self, id: &str) -> Option<Identity> {
        if is_too_long(id) || self.placeholders.is_id(id) { None } else { Identity::new(id.trim().to_owned(), id) }
    }

    /// An IP address in its canonical form ([`ip`]). None for one that no machine has, or every machine for itself.
    pub fn ip(&self, address: &str) -> Option<Identity> {
        if is_too_long(address) {
            return None;
        }
        let ip = ip(address)?;
        let is_nobodys = match IpAddr::from_str(&ip.id) {
            Ok(IpAddr::V4(ip)) => ip.is_unspecified() || ip.is_loopback() || ip.is_broadcast(),
            Ok(IpAddr::V6(ip)) => ip.is_unspecified() || ip.is_loopback(),
            Err(_) => self.placeholders.is_value(&ip.id),
        };
        if is_nobodys { None } else { Some(ip) }
    }

    /// Whom `counterparty` names, in a transaction of the account `account`.
    pub fn counterparty_key(&self, counterparty: &Counterparty, account: &str) -> CounterpartyKey {
        if counterparty.object == CounterpartyObject::Empty {
            return CounterpartyKey::None;
        }
        let info = counterparty.account_info.as_ref();
        let account_id = self.named_account(counterparty);
        let mut keys = info.map(|info| self.info_keys(info)).unwrap_or_default();
        match account_id {
            Some(id) if keys.is_empty() => return CounterpartyKey::Account(id),
            Some(id) => keys.extend(Identity::hint(&id)),
            None => {}
        }
        if !keys.is_empty() {
            return CounterpartyKey::Keys(keys);
        }
        let name = of(&counterparty.name);
        let party = counterparty.id.as_ref().filter(|id| !self.placeholders.is_id(id.as_str())).and_then(|id| party(id.as_str(), name));
        party.or_else(|| self.stranger(name, account)).map_or(CounterpartyKey::None, CounterpartyKey::External)
    }

    /// The actor that the counterparty says it is: its metadata's `identifiable_as_actor` is true, and it has an id.
    pub fn identified_actor(&self, counterparty: &Counterparty) -> Option<ActorId> {
        let id = counterparty.id.as_ref().filter(|_| is_said(counterparty.metadata.as_ref(), "identifiable_as_actor"))?;
        if self.placeholders.is_id(id.as_str()) { None } else { Some(id.cast()) }
    }

    /// The account whose id the counterparty says. An id that is an actor's is no account's.
    fn named_account(&self, counterparty: &Counterparty) -> Option<AccountId> {
        let is_account = counterparty.object == CounterpartyObject::AccountInfo && self.identified_actor(counterparty).is_none();
        let own_id = counterparty.id.as_ref().filter(|_| is_account).map(|id| id.cast());
        let id = counterparty.account_info.as_ref().and_then(|info| info.id.clone());
        id.into_iter().chain(own_id).find(|id: &AccountId| !self.placeholders.is_id(id.as_str()))
    }

    /// Someone of whom only a name is known. Two people may share it, so that the key holds for one account only.
    fn stranger(&self, name: &str, account: &str) -> Option<Identity> {
        if is_too_long(name) || self.placeholders.is_name(name) {
            return None;
        }
        let key = folded(name);
        if key.is_empty() {
            return None;
        }
        Identity::new(format!("name:{key}@{account}"), name)
    }
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

/// Whether metadata says yes under a key, as a truth value or as text.
pub(crate) fn is_said(metadata: Option<&JsonObject>, key: &str) -> bool {
    match metadata.and_then(|metadata| metadata.get(key)) {
        Some(serde_json::Value::Bool(value)) => value,
        Some(serde_json::Value::String(value)) => value.trim().eq_ignore_ascii_case("true"),
        _ => false,
    }
}

fn party(id: &str, name: &str) -> Option<Identity> {
    Identity::new(format!("party:{id}"), visible(name).unwrap_or(id))
}

fn of(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or_default()
}

fn is_too_long(value: &str) -> bool {
    value.len() > MAX_VALUE_CHARS && value.chars().nth(MAX_VALUE_CHARS).is_some()
}

fn ascii_domain(domain: &str) -> Option<String> {
    idna::domain_to_ascii(domain.trim_end_matches('.')).ok().filter(|ascii| !ascii.is_empty())
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
