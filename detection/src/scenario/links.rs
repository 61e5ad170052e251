//! What the graph of a test has beside payments.

use analytics::Timestamp;

use super::tables::{self, Row};
use crate::pack::fields::Fields;

/// A line of the block `links`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The id of an actor, an account or a payment, as the kind says.
    pub from: String,
    pub kind: LinkKind,
    /// An id, or what is said.
    pub to: String,
    /// When it became known; it always was where nothing is said.
    pub since: Option<Timestamp>,
    /// When it ended.
    pub until: Option<Timestamp>,
}

/// What a link says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// The actor has the phone.
    HasPhone,
    /// The actor has the address.
    HasAddress,
    /// The account was signed in to from the device.
    SignedInFrom,
    /// The actor has a role on the account beside its owner.
    HoldsAccount,
    /// The actor owns a part of the other.
    Owns,
    /// The actor is liable for the other.
    Guarantees,
    /// The actor is resident in the country, a code of two letters.
    LivesIn,
    /// The actor was assessed: `PEP=yes`, of another day `PEP=no@2026-01-31`.
    Assessed,
    /// The account has the number, such as `iban:IR…`.
    HasNumber,
    /// The payment's counterparty is the actor.
    Involves,
    /// The payment's counterparty is in the country.
    NamesCountry,
    /// The payment names the number of its counterparty.
    NamesNumber,
    /// The payment was said to be international, `true`.
    IsInternational,
}

impl LinkKind {
    pub const ALL: [Self; 13] = [
        Self::HasPhone,
        Self::HasAddress,
        Self::SignedInFrom,
        Self::HoldsAccount,
        Self::Owns,
        Self::Guarantees,
        Self::LivesIn,
        Self::Assessed,
        Self::HasNumber,
        Self::Involves,
        Self::NamesCountry,
        Self::NamesNumber,
        Self::IsInternational,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::HasPhone => "has-phone",
            Self::HasAddress => "has-address",
            Self::SignedInFrom => "signed-in-from",
            Self::HoldsAccount => "holds-account",
            Self::Owns => "owns",
            Self::Guarantees => "guarantees",
            Self::LivesIn => "lives-in",
            Self::Assessed => "assessed",
            Self::HasNumber => "has-number",
            Self::Involves => "involves",
            Self::NamesCountry => "names-country",
            Self::NamesNumber => "names-number",
            Self::IsInternational => "is-international",
        }
    }
}

/// Reads the block; faults are told by line.
pub(super) fn read(fields: &mut Fields<'_>, text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, row) in tables::table(fields, "links", text, &["from", "link", "to"]) {
        match link(&row) {
            Ok(link) => links.push(link),
            Err(says) => fields.fault(&format!("links, line {line}"), says),
        }
    }
    links
}

fn link(row: &Row) -> Result<Link, String> {
    let kind = LinkKind::ALL.into_iter().find(|kind| kind.name() == row["link"]);
    let kind = kind.ok_or_else(|| {
        let names: Vec<&str> = LinkKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("link is {:?}; it may be {}", row["link"], names.join(", "))
    })?;
    let time = |column: &str| match row.get(column).map(String::as_str) {
        None | Some("") => Ok(None),
        Some(text) => tables::time(text).map(Some),
    };
    Ok(Link { from: row["from"].clone(), kind, to: row["to"].clone(), since: time("since")?, until: time("until")? })
}
