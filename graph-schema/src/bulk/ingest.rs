//! A bulk request: nine lists, all optional, each of at most 1,000 items (document, "Bulk ingestion").
//!
//! It is read list by list and item by item, never as one tree: 32 MB of JSON as a tree would take ten times that.

use std::fmt;

use async_graphql::Enum;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{
    BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorSegmentationGroup, BulkCase, BulkCommunication, BulkObservation,
    BulkTransaction,
};
use crate::date::Date;
use crate::days::{Days, Latest};
use crate::fault::{Fault, Unacceptable};
use crate::given::{as_text, read_text};
use crate::id::CaseId;
use crate::tree;

/// The most items of one list.
pub const MAX_ITEMS: usize = 1000;

/// The lists of a bulk request, in the order in which they are processed: what others name comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BulkList {
    /// Actors: individuals and legal entities.
    Actors,
    /// Accounts with their records.
    Accounts,
    /// Roles of actors on accounts.
    AccountActors,
    /// Balances of accounts at the end of a day.
    AccountBalances,
    /// Payments.
    Transactions,
    /// Memberships of actors in segmentation groups.
    ActorSegmentationGroups,
    /// Observations: alerts of a detection system.
    Observations,
    /// Communications that cases name.
    Communications,
    /// Cases with their actors, observations and communications.
    Cases,
}

impl BulkList {
    pub const ALL: [Self; 9] = [
        Self::Actors,
        Self::Accounts,
        Self::AccountActors,
        Self::AccountBalances,
        Self::Transactions,
        Self::ActorSegmentationGroups,
        Self::Observations,
        Self::Communications,
        Self::Cases,
    ];

    /// The id of what an item of this list is about, as such ids are written.
    pub fn spelled(self, id: &str) -> String {
        match self {
            Self::Cases => CaseId::spelled(id).into_owned(),
            _ => id.to_owned(),
        }
    }

    /// The name of the field in a bulk request.
    pub fn field(self) -> &'static str {
        match self {
            Self::Actors => "actors",
            Self::Accounts => "accounts",
            Self::AccountActors => "account_actors",
            Self::AccountBalances => "account_balances",
            Self::Transactions => "transactions",
            Self::ActorSegmentationGroups => "actor_segmentation_groups",
            Self::Observations => "observations",
            Self::Communications => "communications",
            Self::Cases => "cases",
        }
    }

    /// The list whose field has this name.
    pub fn of_field(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|list| list.field() == name)
    }

    /// Reads an item, to know what is wrong with it. Its dates are checked as those of single records.
    pub fn check(self, item: &str, days: Days) -> Result<(), Unacceptable> {
        let tomorrow = |date: Option<Date>| [("as_of_date", date, Latest::Tomorrow)];
        let faults = match self {
            Self::Actors => {
                let actor = read_text::<BulkActor>(item)?;
                days.faults([("as_of_date", Some(actor.as_of_date), Latest::Tomorrow), ("date_of_birth", actor.date_of_birth, Latest::Today)])
            }
            Self::Accounts => days.faults(tomorrow(Some(read_text::<BulkAccount>(item)?.as_of_date))),
            Self::AccountActors => days.faults(tomorrow(read_text::<BulkAccountActor>(item)?.as_of_date)),
            Self::AccountBalances => days.faults(tomorrow(read_text::<BulkAccountBalance>(item)?.as_of_date)),
            Self::Transactions => {
                let payment = read_text::<BulkTransaction>(item)?;
                let (created, born) = (payment.created_at.timestamp().date(), payment.counterparty.birth_date);
                days.faults([("created_at", created, Latest::Tomorrow), ("counterparty.birth_date", born, Latest::Today)])
            }
            Self::ActorSegmentationGroups => read_text::<BulkActorSegmentationGroup>(item).map(|_| Vec::new())?,
            Self::Observations => read_text::<BulkObservation>(item).map(|_| Vec::new())?,
            Self::Communications => read_text::<BulkCommunication>(item).map(|_| Vec::new())?,
            Self::Cases => read_text::<BulkCase>(item).map(|_| Vec::new())?,
        };
        if faults.is_empty() { Ok(()) } else { Err(Unacceptable::Invalid(faults)) }
    }
}

/// A bulk request, for its schema.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct BulkIngest {
    #[schema(max_items = 1000)]
    account_actors: Option<Vec<BulkAccountActor>>,
    #[schema(max_items = 1000)]
    account_balances: Option<Vec<BulkAccountBalance>>,
    #[schema(max_items = 1000)]
    accounts: Option<Vec<BulkAccount>>,
    #[schema(max_items = 1000)]
    actors: Option<Vec<BulkActor>>,
    #[schema(max_items = 1000)]
    actor_segmentation_groups: Option<Vec<BulkActorSegmentationGroup>>,
    #[schema(max_items = 1000)]
    cases: Option<Vec<BulkCase>>,
    #[schema(max_items = 1000)]
    communications: Option<Vec<BulkCommunication>>,
    #[schema(max_items = 1000)]
    observations: Option<Vec<BulkObservation>>,
    #[schema(max_items = 1000)]
    transactions: Option<Vec<BulkTransaction>>,
}

/// A bulk request that is in order: each list with the texts of its items as they came, in the order of [`BulkList`].
#[derive(Debug, PartialEq, Eq)]
pub struct BulkLists<'a>(pub Vec<(BulkList, Vec<&'a str>)>);

/// Reads a bulk request; the error names every fault of every item with its path, such as `transactions[17].amount.value`.
/// `days` are those on which it came.
pub fn read(bytes: &[u8], days: Days) -> Result<BulkLists<'_>, Unacceptable> {
    let text = as_text(bytes)?;
    let Fields(fields) = match serde_json::from_str(text) {
        Ok(fields) => fields,
        Err(error) if error.is_data() => return Err(Unacceptable::Invalid(vec![Fault::new("body", "must be an object")])),
        Err(error) => return Err(tree::unreadable(&error)),
    };
    let mut faults = Vec::new();
    let mut lists: Vec<(BulkList, Vec<&str>)> = Vec::new();
    for (name, value) in fields {
        match BulkList::of_field(&name) {
            None => faults.push(unknown(&name)),
            Some(list) if lists.iter().any(|(known, _)| *known == list) => faults.push(Fault::new(name, "must be there once")),
            Some(list) => lists.push((list, items(list, value.get(), days, &mut faults)?)),
        }
    }
    lists.sort_by_key(|(list, _)| *list);
    if faults.is_empty() { Ok(BulkLists(lists)) } else { Err(Unacceptable::Invalid(faults)) }
}

fn unknown(name: &str) -> Fault {
    let known = BulkList::ALL.map(BulkList::field).join(", ");
    Fault::new(name, format!("is not a list of a bulk request; known are {known}"))
}

/// The texts of a list's items; what is wrong with them is added to the faults.
fn items<'a>(list: BulkList, text: &'a str, days: Days, faults: &mut Vec<Fault>) -> Result<Vec<&'a str>, Unacceptable> {
    // An absent list is not the same as a null one in a schema, but nobody means anything else by it.
    let Ok(items) = serde_json::from_str::<Option<Vec<&RawValue>>>(text) else {
        faults.push(Fault::new(list.field(), "must be an array"));
        return Ok(Vec::new());
    };
    let items = items.unwrap_or_default();
    if items.len() > MAX_ITEMS {
        faults.push(Fault::new(list.field(), format!("has {} items; must have at most {MAX_ITEMS}", items.len())));
        return Ok(Vec::new());
    }
    let texts: Vec<&str> = items.into_iter().map(RawValue::get).collect();
    for (index, item) in texts.iter().enumerate() {
        match list.check(item, days) {
            Ok(()) => {}
            Err(Unacceptable::Invalid(found)) => {
                let prefix = format!("{}[{index}]", list.field());
                faults.extend(found.into_iter().map(|fault| fault.within(&prefix)));
            }
            Err(unreadable) => return Err(unreadable),
        }
    }
    Ok(texts)
}

/// An object's fields, their values as text. One that is there twice is there twice.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = entries.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}
