//! The network of a test as a graph, as the service would have written it of records.

use std::collections::{BTreeMap, BTreeSet};

use analytics::{Side, Timestamp};
use cypher::{Engine, Error, Key, Params, Statement, Value, map};
use detection::{ActorIndex, ActorKind, Dataset, Link, LinkKind, Mark, Payment, Records, Scenario};

/// What the receiver's record of a payment is called beside the sender's: a test has one id for both.
const RECEIVED: &str = "#received";
/// Rows that one statement writes, however large a network is.
const ROWS: usize = 2_000;
/// Billionths in a unit.
const BILLIONTHS: i128 = 1_000_000_000;

const ACTORS: Statement = Statement::new("scenario/actors", include_str!("../statements/actors.cypher"));
const ACCOUNTS: Statement = Statement::new("scenario/accounts", include_str!("../statements/accounts.cypher"));
const PAYMENTS: Statement = Statement::new("scenario/payments", include_str!("../statements/payments.cypher"));
const HOLDERS: Statement = Statement::new("scenario/holders", include_str!("../statements/holders.cypher"));
const FORMER_HOLDERS: Statement = Statement::new("scenario/former_holders", include_str!("../statements/former_holders.cypher"));
const OWNERS: Statement = Statement::new("scenario/owners", include_str!("../statements/owners.cypher"));
const FORMER_OWNERS: Statement = Statement::new("scenario/former_owners", include_str!("../statements/former_owners.cypher"));
const PHONES: Statement = Statement::new("scenario/phones", include_str!("../statements/phones.cypher"));
const ADDRESSES: Statement = Statement::new("scenario/addresses", include_str!("../statements/addresses.cypher"));
const DEVICES: Statement = Statement::new("scenario/devices", include_str!("../statements/devices.cypher"));
const ASSESSMENTS: Statement = Statement::new("scenario/assessments", include_str!("../statements/assessments.cypher"));
const NUMBERS: Statement = Statement::new("scenario/numbers", include_str!("../statements/numbers.cypher"));
const PARTIES: Statement = Statement::new("scenario/parties", include_str!("../statements/parties.cypher"));

/// How ids of a test are called in the store.
#[derive(Debug, Clone)]
pub struct Names(String);

impl Names {
    /// All begin with the same text, which no other network has.
    pub fn new(prefix: String) -> Self {
        Self(prefix)
    }

    pub fn of(&self, id: &str) -> String {
        format!("{}{id}", self.0)
    }

    /// The ids of a mark as the test has them.
    pub fn strip(&self, mark: &mut Mark) {
        let without = |text: &str| text.replace(&self.0, "").replace(RECEIVED, "").into_boxed_str();
        mark.actor = without(&mark.actor);
        mark.anchor = without(&mark.anchor);
        mark.records.iter_mut().for_each(|record| *record = without(record));
    }
}

/// Writes the network of a test.
pub async fn write(engine: &Engine, scenario: &Scenario, names: &Names) -> Result<(), Error> {
    let (dataset, said) = (&scenario.dataset, Said::of(scenario));
    let rows = [
        (ACTORS, actors(scenario, &said, names)),
        (ACCOUNTS, accounts(dataset, names)),
        (PAYMENTS, payments(dataset, &said, names)),
        (HOLDERS, links(scenario, LinkKind::HoldsAccount, |link| link.until.is_none(), names)),
        (FORMER_HOLDERS, links(scenario, LinkKind::HoldsAccount, |link| link.until.is_some(), names)),
        (OWNERS, owners(scenario, |link| link.until.is_none(), names)),
        (FORMER_OWNERS, owners(scenario, |link| link.until.is_some(), names)),
        (PHONES, links(scenario, LinkKind::HasPhone, |_| true, names)),
        (ADDRESSES, links(scenario, LinkKind::HasAddress, |_| true, names)),
        (DEVICES, links(scenario, LinkKind::SignedInFrom, |_| true, names)),
        (ASSESSMENTS, assessments(scenario, names)),
        (NUMBERS, numbers(scenario, names)),
        (PARTIES, parties(scenario, names)),
    ];
    for (statement, rows) in rows {
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            let some: Vec<Value> = rows.by_ref().take(ROWS).collect();
            engine.write(statement, Params::rows(some)).await?;
        }
    }
    Ok(())
}

/// What links say of things, by kind and thing, in the order of the links.
struct Said<'a>(BTreeMap<(LinkKind, &'a str), Vec<&'a str>>);

impl<'a> Said<'a> {
    fn of(scenario: &'a Scenario) -> Self {
        let mut said: BTreeMap<(LinkKind, &str), Vec<&str>> = BTreeMap::new();
        for link in &scenario.links {
            said.entry((link.kind, &link.from)).or_default().push(&link.to);
        }
        Self(said)
    }

    fn of_thing<'s>(&'s self, kind: LinkKind, thing: &'s str) -> &'s [&'s str] {
        let said: &'s BTreeMap<(LinkKind, &'s str), Vec<&'s str>> = &self.0;
        said.get(&(kind, thing)).map_or(&[], Vec::as_slice)
    }
}

fn of_kind(scenario: &Scenario, kind: LinkKind) -> impl Iterator<Item = &Link> {
    scenario.links.iter().filter(move |link| link.kind == kind)
}

/// The actors of the dataset, and those that links name beside.
fn actors(scenario: &Scenario, said: &Said<'_>, names: &Names) -> Vec<Value> {
    let mut kinds: BTreeMap<&str, ActorKind> = BTreeMap::new();
    for link in &scenario.links {
        let named = match link.kind {
            LinkKind::HasPhone | LinkKind::HasAddress | LinkKind::HoldsAccount | LinkKind::LivesIn | LinkKind::Assessed => [Some(&link.from), None],
            LinkKind::Owns | LinkKind::Guarantees => [Some(&link.from), Some(&link.to)],
            LinkKind::Involves => [Some(&link.to), None],
            _ => [None, None],
        };
        kinds.extend(named.into_iter().flatten().map(|id| (id.as_str(), ActorKind::Individual)));
    }
    kinds.extend(scenario.dataset.actors().iter().map(|actor| (&*actor.id, actor.kind)));
    let row = |(id, kind): (&str, ActorKind)| {
        let domicile = said.of_thing(LinkKind::LivesIn, id).first().copied();
        let kind = if kind == ActorKind::Individual { "INDIVIDUAL" } else { "LEGAL_ENTITY" };
        map([("id", names.of(id).into()), ("name", id.into()), ("type", kind.into()), ("domicile", domicile.into())])
    };
    kinds.into_iter().map(row).collect()
}

fn accounts(dataset: &Dataset, names: &Names) -> Vec<Value> {
    let owner = |owner: ActorIndex| names.of(&dataset.actor(owner).id);
    let row = |account: &detection::Account| {
        let owners: Vec<String> = account.owner.into_iter().map(owner).collect();
        map([("id", names.of(&account.id).into()), ("name", (&*account.id).into()), ("owners", owners.into())])
    };
    dataset.accounts().iter().map(row).collect()
}

/// A row for each record: a payment that both sides reported has two.
fn payments(dataset: &Dataset, said: &Said<'_>, names: &Names) -> Vec<Value> {
    dataset.payments().iter().flat_map(|payment| records(dataset, said, payment, names)).collect()
}

/// The ids of the records by which monitored actors reported payments of some times.
pub fn reported(dataset: &Dataset, is_meant: impl Fn(Timestamp) -> bool, names: &Names) -> Vec<String> {
    let acts = dataset.monitored().flat_map(|actor| dataset.activity(actor)).filter(|act| is_meant(act.at));
    let record = |act: &detection::Act| {
        let records = &dataset.payment(act.payment).records;
        match act.side {
            Side::Out => records.outbound().map(|id| names.of(id)),
            Side::In => records.inbound().map(|id| names.of(&received(records, id))),
        }
    };
    acts.filter_map(record).collect()
}

/// What the receiver's record is called in the store.
fn received(records: &Records, id: &str) -> String {
    if records.outbound() == Some(id) { format!("{id}{RECEIVED}") } else { id.to_owned() }
}

fn records(dataset: &Dataset, said: &Said<'_>, payment: &Payment, names: &Names) -> Vec<Value> {
    let account = |index| names.of(&dataset.account(index).id);
    let said = |kind: LinkKind| said.of_thing(kind, payment.records.leading());
    let some = |texts: &[&str]| if texts.is_empty() { Value::Null } else { texts.to_vec().into() };
    let (units, nanos) = (payment.amount.0 / BILLIONTHS, payment.amount.0 % BILLIONTHS);
    let amount = payment.amount.0 as f64 / BILLIONTHS as f64;
    let record = |id: String, direction: &str, own: String, owner: Option<ActorIndex>| {
        let owners: Vec<String> = owner.into_iter().map(|owner| names.of(&dataset.actor(owner).id)).collect();
        let props: Vec<(Key, Value)> = vec![
            ("name".into(), id.as_str().into()),
            ("record".into(), "{}".into()),
            ("accountId".into(), own.into()),
            ("accountOwnerId".into(), owners.first().map(String::as_str).into()),
            ("amount".into(), amount.into()),
            ("amountUnits".into(), i64::try_from(units).unwrap_or(i64::MAX).into()),
            ("amountNanos".into(), (nanos as i64).into()),
            ("standardizedAmount".into(), amount.into()),
            ("standardUnits".into(), i64::try_from(units).unwrap_or(i64::MAX).into()),
            ("standardNanos".into(), (nanos as i64).into()),
            ("currency".into(), dataset.currency(payment.currency).into()),
            ("createdAt".into(), payment.at.millis().into()),
            ("recordedAt".into(), payment.at.millis().into()),
            ("direction".into(), direction.into()),
            ("status".into(), "COMPLETED".into()),
            ("counted".into(), true.into()),
            ("counterpartyCountries".into(), Some(said(LinkKind::NamesCountry).join(" ")).filter(|countries| !countries.is_empty()).into()),
            ("counterpartyNumbers".into(), some(said(LinkKind::NamesNumber))),
            ("international".into(), said(LinkKind::IsInternational).contains(&"true").then_some(true).into()),
        ];
        map([
            ("id", names.of(&id).into()),
            ("from", account(payment.from).into()),
            ("to", account(payment.to).into()),
            ("owners", owners.into()),
            ("props", Value::Map(props)),
        ])
    };
    let sent = payment.records.outbound().map(|id| record(id.to_owned(), "OUTBOUND", account(payment.from), payment.sender));
    let received = payment.records.inbound().map(|id| record(received(&payment.records, id), "INBOUND", account(payment.to), payment.receiver));
    sent.into_iter().chain(received).collect()
}

fn link_row(link: &Link, names: &Names) -> Value {
    let millis = |at: Option<Timestamp>| at.map(Timestamp::millis);
    map([
        ("from", names.of(&link.from).into()),
        ("to", names.of(&link.to).into()),
        ("name", link.to.as_str().into()),
        ("since", millis(link.since).into()),
        ("until", millis(link.until).into()),
    ])
}

fn links(scenario: &Scenario, kind: LinkKind, is_meant: impl Fn(&Link) -> bool, names: &Names) -> Vec<Value> {
    of_kind(scenario, kind).filter(|link| is_meant(link)).map(|link| link_row(link, names)).collect()
}

fn owners(scenario: &Scenario, is_meant: impl Fn(&Link) -> bool, names: &Names) -> Vec<Value> {
    let row = |link: &Link, kind: &str| {
        let mut row = link_row(link, names);
        if let Value::Map(entries) = &mut row {
            entries.push(("type".into(), kind.into()));
        }
        row
    };
    let of = |kind: LinkKind, said: &'static str| {
        of_kind(scenario, kind).filter(|link| is_meant(link)).map(move |link| row(link, said)).collect::<Vec<_>>()
    };
    [of(LinkKind::Owns, "INVESTOR"), of(LinkKind::Guarantees, "GUARANTOR")].concat()
}

/// `TYPE=VALUE`, or `TYPE=VALUE@DATE`.
fn assessments(scenario: &Scenario, names: &Names) -> Vec<Value> {
    let row = |(place, link): (usize, &Link)| {
        let (said, date) = link.to.split_once('@').unwrap_or((&link.to, "2020-01-01"));
        let (kind, value) = said.split_once('=').unwrap_or((said, "yes"));
        map([
            ("id", names.of(&format!("assessment-{place}")).into()),
            ("actor", names.of(&link.from).into()),
            ("type", kind.into()),
            ("value", value.into()),
            ("asOfDate", date.into()),
            ("recordedAt", link.since.map_or(0, Timestamp::millis).into()),
        ])
    };
    of_kind(scenario, LinkKind::Assessed).enumerate().map(row).collect()
}

/// Numbers say themselves which country they are of, so that they are called as they are.
fn numbers(scenario: &Scenario, names: &Names) -> Vec<Value> {
    let row = |link: &Link| map([("account", names.of(&link.from).into()), ("number", link.to.as_str().into())]);
    of_kind(scenario, LinkKind::HasNumber).map(row).collect()
}

/// Counterparties of payments: both records of one name them, but nobody himself.
fn parties(scenario: &Scenario, names: &Names) -> Vec<Value> {
    let both = |link: &Link| [link.from.clone(), format!("{}{RECEIVED}", link.from)].map(|id| (id, link.to.clone()));
    let rows: BTreeSet<(String, String)> = of_kind(scenario, LinkKind::Involves).flat_map(both).collect();
    rows.into_iter().map(|(payment, actor)| map([("payment", names.of(&payment).into()), ("actor", names.of(&actor).into())])).collect()
}
