//! What was read of the store, as rules look at it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use analytics::{AccountIndex, Amount, Counted, CurrencyIndex, Record, Timestamp, one_payment};
use chrono_tz::Tz;
use cypher::statements::rows::{MonitoredActor, OwnedGroup, PaymentRow};
use detection::{Account, Actor, ActorIndex, ActorKind, Dataset, InvalidDataset, Payment, Records};
use graph_schema::transaction::Direction;

use super::DetectionSettings;
use super::business_day::day_of;

/// All amounts are standardised ones.
const CURRENCY: &str = "standardized";
/// Billionths in a unit.
const BILLIONTHS: i128 = 1_000_000_000;

/// What was read.
pub struct Loaded {
    pub payments: Vec<PaymentRow>,
    /// Those that payments name as owners.
    pub actors: BTreeMap<String, MonitoredActor>,
    /// When accounts were opened.
    pub openings: BTreeMap<String, String>,
}

impl Loaded {
    /// Everybody who owns payments, each for himself. Alerts are raised on those of whom `is_monitored` says so.
    pub fn of_actors(&self, settings: DetectionSettings, is_monitored: impl Fn(&MonitoredActor) -> bool) -> Result<Dataset, InvalidDataset> {
        let mut rows = Rows::new(settings);
        for actor in self.actors.values() {
            rows.add_actor(actor, is_monitored(actor));
        }
        rows.add_payments(&self.payments.iter().collect::<Vec<_>>(), &self.openings, &Parties { owner: &|owner| owner, account: &|account| account });
        rows.into_dataset()
    }

    /// A group as if it were one actor with one account, who alone is alerted about: what its members did is what it did, and what they paid each other
    /// changed no hands. What nobody of them did is left out. It is observed since a time.
    pub fn of_group(
        &self,
        settings: DetectionSettings,
        group: &OwnedGroup,
        by_owner: &HashMap<&str, Vec<&PaymentRow>>,
        begin: Option<Timestamp>,
    ) -> Result<Dataset, InvalidDataset> {
        let members: BTreeSet<&str> = group.members.iter().map(String::as_str).collect();
        let is_member = |owner: &str| members.contains(owner);
        let mut rows = Rows::new(settings);
        rows.add_group(&group.id);
        let payments: Vec<&PaymentRow> = members.iter().filter_map(|member| by_owner.get(member)).flatten().copied().collect();
        let accounts: BTreeSet<&str> = payments.iter().map(|payment| payment.account_id.as_str()).collect();
        rows.add_payments(
            &payments,
            &self.openings,
            &Parties {
                owner: &|owner| if is_member(owner) { &group.id } else { owner },
                account: &|account| if accounts.contains(account) { &group.id } else { account },
            },
        );
        Ok(rows.into_dataset()?.observed_since(begin))
    }
}

/// Who stands for the owner that a record names, and which account for the one that it names.
struct Parties<'p, 'a> {
    owner: &'p dyn Fn(&'a str) -> &'a str,
    account: &'p dyn Fn(&'a str) -> &'a str,
}

impl Loaded {
    /// Payments by the owner that their records name.
    pub fn by_owner(&self) -> HashMap<&str, Vec<&PaymentRow>> {
        let mut by_owner: HashMap<&str, Vec<&PaymentRow>> = HashMap::new();
        for payment in &self.payments {
            if let Some(owner) = payment.account_owner_id.as_deref() {
                by_owner.entry(owner).or_default().push(payment);
            }
        }
        by_owner
    }
}

struct Rows {
    settings: DetectionSettings,
    actors: Vec<Actor>,
    accounts: Vec<Account>,
    payments: Vec<Payment>,
    places: HashMap<String, ActorIndex>,
}

/// What is equal of two records of one payment: accounts, amount, currency.
type Key<'a> = (AccountIndex, AccountIndex, i64, i64, &'a str);

impl Rows {
    fn new(settings: DetectionSettings) -> Self {
        Self { settings, actors: Vec::new(), accounts: Vec::new(), payments: Vec::new(), places: HashMap::new() }
    }

    fn add_actor(&mut self, actor: &MonitoredActor, monitored: bool) {
        let kind = if actor.kind.as_deref() == Some("INDIVIDUAL") { ActorKind::Individual } else { ActorKind::LegalEntity };
        let since = actor.customer_since.as_deref().and_then(|date| begin(date, self.settings.time_zone));
        self.add(Actor { id: actor.id.as_str().into(), kind, monitored, since });
    }

    fn add_group(&mut self, id: &str) {
        self.add(Actor { id: id.into(), kind: ActorKind::LegalEntity, monitored: true, since: None });
    }

    fn add(&mut self, actor: Actor) {
        self.places.insert(actor.id.to_string(), ActorIndex(self.actors.len() as u32));
        self.actors.push(actor);
    }

    fn add_payments<'a>(&mut self, payments: &[&'a PaymentRow], openings: &BTreeMap<String, String>, parties: &Parties<'_, 'a>) {
        let owners = owners(payments, parties);
        // All times of records are within a timestamp's reach.
        let payments: Vec<(&PaymentRow, Timestamp)> =
            payments.iter().filter_map(|payment| Some((*payment, Timestamp::from_millis(payment.created_at)?))).collect();
        let mut accounts: HashMap<&str, AccountIndex> = HashMap::new();
        let mut ends = Vec::with_capacity(payments.len());
        for (payment, _) in &payments {
            let mut end = |id: Option<&'a str>| match id {
                Some(id) => *accounts.entry(id).or_insert_with(|| self.add_account(id, owners.get(id).copied(), openings.get(id))),
                // Cash, or an account that is not known: a stranger of its own, whom nothing links to others.
                None => self.add_account(&format!("{}\u{0}", payment.id), None, None),
            };
            let (from, to) = (end(payment.from.as_deref().map(parties.account)), end(payment.to.as_deref().map(parties.account)));
            ends.push((from, to));
        }
        let records: Vec<Record<Key<'_>, &str>> = payments.iter().zip(&ends).map(|(payment, &ends)| record(payment, ends)).collect();
        for counted in one_payment(&records, self.settings.same_within) {
            let leading = counted.leading();
            let (from, to) = ends[leading];
            let [outbound, inbound] = sides(&payments, counted);
            let owner = |payment: Option<&'a PaymentRow>| {
                let owner = payment.and_then(|payment| payment.account_owner_id.as_deref()).map(parties.owner);
                owner.and_then(|owner| self.places.get(owner)).copied()
            };
            let (sender, receiver) = (owner(outbound), owner(inbound));
            let Some(records) = records_of(outbound, inbound) else { continue };
            let (&PaymentRow { standard_units, standard_nanos, .. }, at) = payments[leading];
            let amount = Amount(i128::from(standard_units) * BILLIONTHS + i128::from(standard_nanos));
            self.payments.push(Payment { records, from, to, at, amount, currency: CurrencyIndex(0), sender, receiver });
        }
    }

    fn add_account(&mut self, id: &str, owner: Option<&str>, opened: Option<&String>) -> AccountIndex {
        let owner = owner.and_then(|owner| self.places.get(owner)).copied();
        let opened = opened.and_then(|date| begin(date, self.settings.time_zone));
        self.accounts.push(Account { id: id.into(), owner, opened });
        AccountIndex(self.accounts.len() as u32 - 1)
    }

    fn into_dataset(self) -> Result<Dataset, InvalidDataset> {
        Dataset::new(self.actors, self.accounts, self.payments, vec![CURRENCY.to_owned()])
    }
}

/// Whose accounts are, by what the latest record of each says.
fn owners<'a>(payments: &[&'a PaymentRow], parties: &Parties<'_, 'a>) -> HashMap<&'a str, &'a str> {
    let mut latest: HashMap<&str, (i64, &str, &str)> = HashMap::new();
    for payment in payments {
        let Some(owner) = payment.account_owner_id.as_deref() else { continue };
        let said = (payment.created_at, payment.id.as_str(), (parties.owner)(owner));
        let known = latest.entry((parties.account)(&payment.account_id)).or_insert(said);
        *known = said.max(*known);
    }
    latest.into_iter().map(|(account, (_, _, owner))| (account, owner)).collect()
}

fn record<'a>(&(payment, at): &(&'a PaymentRow, Timestamp), (from, to): (AccountIndex, AccountIndex)) -> Record<Key<'a>, &'a str> {
    let direction = match payment.direction {
        Direction::Outbound => analytics::Direction::Outbound,
        Direction::Inbound => analytics::Direction::Inbound,
    };
    let key = (from, to, payment.amount_units, payment.amount_nanos, payment.currency.as_str());
    Record { key, at, id: &payment.id, direction }
}

/// The sender's record and the receiver's.
fn sides<'a>(payments: &[(&'a PaymentRow, Timestamp)], counted: Counted) -> [Option<&'a PaymentRow>; 2] {
    let payment = |place: usize| payments.get(place).map(|(payment, _)| *payment);
    match counted {
        Counted::Both { outbound, inbound } => [payment(outbound), payment(inbound)],
        Counted::Alone(record) => match payment(record) {
            Some(alone) if alone.direction == Direction::Inbound => [None, Some(alone)],
            outbound => [outbound, None],
        },
    }
}

fn records_of(outbound: Option<&PaymentRow>, inbound: Option<&PaymentRow>) -> Option<Records> {
    let id = |payment: &PaymentRow| payment.id.as_str().into();
    match (outbound, inbound) {
        (Some(outbound), Some(inbound)) => Some(Records::Both { outbound: id(outbound), inbound: id(inbound) }),
        (Some(outbound), None) => Some(Records::Outbound(id(outbound))),
        (None, Some(inbound)) => Some(Records::Inbound(id(inbound))),
        (None, None) => None,
    }
}

fn begin(date: &str, zone: Tz) -> Option<Timestamp> {
    day_of(date.parse().ok()?, zone).map(|day| day.start())
}
