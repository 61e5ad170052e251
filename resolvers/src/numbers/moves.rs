//! Payments that belong to somebody else now, because a number has changed hands, are moved in steps.
//!
//! A `(:PaymentMove)-[:FROM]->(:Account)` says whose payments are to be looked through, `-[:BY]->(:AccountIdentifier)` by which numbers. A step takes
//! some, with what they have added to the roll-ups, to where their numbers lead now, in one transaction: each payment and its share are either
//! still there or already here. What is left after a crash is found by the next step. An external account of which nothing is left goes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cypher::statements::rows::{LeftPayment, LockedPayment};
use cypher::{Engine, Error, Params, Value, map, statements};
use futures::future::BoxFuture;
use graph_schema::transaction::Direction;

use crate::policy::Permit;
use crate::queue::{Along, Change, Done, Item, Priority, Rank, UnitOfWork, Write};
use crate::transaction::{RollUps, Sign, TransferDelta};
use crate::{Inner, Result as Outcome};

/// Payments of one step: some tenths of a second that other writes of the same accounts wait.
const STEP: usize = 1_000;
/// How long the list of what is to be moved may take.
const LISTING: std::time::Duration = std::time::Duration::from_secs(5);

/// Accounts whose payments are to be moved, those that wait longest first.
pub(crate) async fn to_move(engine: &Engine) -> Result<Vec<String>, Error> {
    let rows = engine.read_as(statements::payment_move::LIST, Params::none().with("limit", 100i64), LISTING).await?;
    Ok(rows.into_iter().map(|row| row.account).collect())
}

impl Inner {
    /// A step for one account, a transaction of its own.
    pub(crate) async fn move_payments(&self, account: String) -> Outcome<()> {
        let entry = self.entry(&Permit::of_service(), "Account", &account, "account.payments.moved");
        let along = Along { priority: Priority::Bulk, ..Along::default() };
        self.queue.write_along(&MOVE_PAYMENTS, Write::new(account, entry), along).await?;
        Ok(())
    }
}

/// Moves some payments of an account.
struct MovePayments;

static MOVE_PAYMENTS: MovePayments = MovePayments;

impl Change for MovePayments {
    type Row = String;
    type Answer = ();

    fn name(&self) -> &'static str {
        "payment_move/step"
    }

    fn rank(&self) -> Rank {
        Rank::Transaction
    }

    fn size(&self, _account: &String) -> usize {
        100_000
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, String>]) -> BoxFuture<'a, Result<Vec<Outcome<Done<()>>>, Error>> {
        Box::pin(async move {
            let mut outcomes = Vec::with_capacity(items.len());
            for item in items {
                step(unit, item.row, STEP, item.entry.id()).await?;
                // The change of hands has left its entry; that payments follow is no other change.
                outcomes.push(Ok(Done { answer: (), entry: None, events: Vec::new(), kept: None }));
            }
            Ok(outcomes)
        })
    }
}

/// Moves at most so many payments of an account to where their numbers lead; answers with how many.
pub(super) async fn step(unit: &mut UnitOfWork, account: &str, most: usize, write_id: &str) -> Result<usize, Error> {
    let of = || Params::none().with("account", account);
    let locked = unit.run(statements::payment_move::LOCK, of().with("writeId", write_id)).await?;
    let Some(locked) = locked.first() else { return Ok(0) };
    let left = if locked.external { statements::payment_move::LEFT_OF_EXTERNAL } else { statements::payment_move::LEFT };
    let found = unit.run(left, of().with("most", most as i64)).await?;
    let many = found.len();
    let moved = if many == 0 { 0 } else { move_found(unit, account, found, write_id).await? };
    if moved == 0 || (moved == many && moved < most) {
        let rows = || Params::rows(vec![map([("account", account.into())])]);
        unit.put(statements::payment_move::CLOSE, rows()).await?;
        unit.put(statements::account::FORGET_EXTERNAL, rows()).await?;
    }
    Ok(moved)
}

async fn move_found(unit: &mut UnitOfWork, account: &str, found: Vec<LeftPayment>, write_id: &str) -> Result<usize, Error> {
    let seen: HashMap<String, Option<Vec<String>>> = found.into_iter().map(|payment| (payment.id, payment.numbers)).collect();
    // Numbers first, then payments: in the order in which every write takes them.
    let numbers: BTreeSet<&String> = seen.values().flatten().flatten().collect();
    let numbers: Vec<Value> = numbers.into_iter().map(|id| map([("id", id.into()), ("name", id.into())])).collect();
    unit.run(statements::identifier::READ, Params::none().with("numbers", numbers).with("writeId", write_id)).await?;
    let ids: BTreeSet<&String> = seen.keys().collect();
    let locks = ids.iter().map(|id| map([("id", (*id).into()), ("writeId", write_id.into())])).collect();
    let stored = unit.run(statements::transaction::LOCK, Params::rows(locks)).await?;
    let ids: Vec<Value> = ids.into_iter().map(Value::from).collect();
    let places = unit.run(statements::payment_move::PLACES, Params::none().with("ids", ids)).await?;
    // One that was amended since it was found has been seen to by who amended it.
    let places = places.into_iter().filter(|payment| seen.get(&payment.id) == Some(&payment.numbers));
    let places: BTreeMap<String, String> = places.filter_map(|payment| Some((payment.id, payment.place?))).collect();
    write(unit, account, &stored, &places).await
}

async fn write(unit: &mut UnitOfWork, account: &str, stored: &[LockedPayment], places: &BTreeMap<String, String>) -> Result<usize, Error> {
    let mut roll_ups = RollUps::default();
    let mut links = Vec::new();
    for payment in stored {
        // What has numbers of its own has two ends.
        let (Some(from), Some(to)) = (&payment.from, &payment.to) else { continue };
        let (link, other) = match payment.direction {
            Direction::Outbound => ("RECEIVED_BY", to),
            Direction::Inbound => ("SENT", from),
        };
        let Some(place) = places.get(&payment.id).filter(|place| other == account && *place != account) else { continue };
        if let Some(tally) = TransferDelta::stored(payment) {
            roll_ups.change(from, to, &tally, Sign::Minus);
            let (from, to) = if link == "SENT" { (place, to) } else { (from, place) };
            roll_ups.change(from, to, &tally, Sign::Plus);
        }
        links.push(map([("id", payment.id.as_str().into()), ("link", link.into()), ("from", account.into()), ("to", place.into())]));
    }
    let moved = links.len();
    if moved == 0 {
        return Ok(0);
    }
    unit.put(statements::payment_move::RELINK, Params::rows(links)).await?;
    let (changes, spans) = (roll_ups.changes(), roll_ups.spans());
    if !changes.is_empty() {
        unit.put(statements::transfer::ADD, Params::rows(changes)).await?;
        // Most pairs of an external account are moved as a whole, so that few are left whose payments must be looked through.
        unit.put(statements::payment_move::FORGET_EMPTY, Params::rows(spans.clone())).await?;
        unit.put(statements::transfer::REFRESH_SPAN, Params::rows(spans)).await?;
    }
    Ok(moved)
}
