//! Payments that belong to somebody else now, because a number has changed hands, are moved in steps.
//!
//! A `(:PaymentMove)-[:FROM]->(:Account)` says whose payments are to be looked through, `-[:BY]->(:AccountIdentifier)` by which numbers. A step takes
//! some, with what they have added to the roll-ups, to where their numbers lead now, in one transaction: each payment and its share are either
//! still there or already here. What is left after a crash is found by the next step. An external account of which nothing is left goes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cypher::{Engine, Error, Params, Row, Value, map, statements};
use futures::future::BoxFuture;
use graph_schema::transaction::Direction;

use crate::Result as Outcome;
use crate::queue::{Change, Done, Item, Rank, UnitOfWork};
use crate::transaction::{RollUps, Sign, Tally, stored_direction};

/// Payments of one step: some tenths of a second that other writes of the same accounts wait.
const STEP: usize = 1_000;
/// How long the list of what is to be moved may take.
const LISTING: std::time::Duration = std::time::Duration::from_secs(5);

/// Accounts whose payments are to be moved, those that wait longest first.
pub(crate) async fn to_move(engine: &Engine) -> Result<Vec<String>, Error> {
    let rows = engine.read(statements::payment_move::LIST, Params::none().with("limit", 100i64), LISTING).await?;
    Ok(rows.iter().map(|row| row.text("account")).collect())
}

/// Moves payments of an account; answers with how many were moved. Zero when none are left.
pub(crate) struct MovePayments;

pub(crate) static MOVE_PAYMENTS: MovePayments = MovePayments;

/// A step for one account.
pub(crate) struct Move {
    pub account: String,
}

impl Change for MovePayments {
    type Row = Move;
    type Answer = usize;

    fn name(&self) -> &'static str {
        "payment_move/step"
    }

    fn rank(&self) -> Rank {
        Rank::Transaction
    }

    fn size(&self, _row: &Move) -> usize {
        100_000
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, Move>]) -> BoxFuture<'a, Result<Vec<Outcome<Done<usize>>>, Error>> {
        Box::pin(async move {
            let mut outcomes = Vec::with_capacity(items.len());
            for item in items {
                let moved = step(unit, &item.row.account, STEP, item.entry.id()).await?;
                // The change of hands has left its entry; that payments follow is no other change.
                outcomes.push(Ok(Done { answer: moved, entry: None, events: Vec::new() }));
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
    let left = match locked.get("external").as_bool() {
        Some(true) => statements::payment_move::LEFT_OF_EXTERNAL,
        _ => statements::payment_move::LEFT,
    };
    let found = unit.run(left, of().with("most", most as i64)).await?;
    let moved = if found.is_empty() { 0 } else { move_found(unit, account, &found, write_id).await? };
    if moved == 0 || (moved == found.len() && moved < most) {
        let rows = || Params::rows(vec![map([("account", account.into())])]);
        unit.put(statements::payment_move::CLOSE, rows()).await?;
        unit.put(statements::account::FORGET_EXTERNAL, rows()).await?;
    }
    Ok(moved)
}

async fn move_found(unit: &mut UnitOfWork, account: &str, found: &[Row], write_id: &str) -> Result<usize, Error> {
    let numbers_of = |row: &Row| -> Vec<String> { row.get("numbers").as_list().iter().filter_map(|id| id.as_text().map(str::to_owned)).collect() };
    let seen: HashMap<String, Vec<String>> = found.iter().map(|row| (row.text("id"), numbers_of(row))).collect();
    // Numbers first, then payments: in the order in which every write takes them.
    let numbers: BTreeSet<&String> = seen.values().flatten().collect();
    let numbers: Vec<Value> = numbers.into_iter().map(|id| map([("id", id.into()), ("name", id.into())])).collect();
    unit.run(statements::identifier::READ, Params::none().with("numbers", numbers).with("writeId", write_id)).await?;
    let ids: BTreeSet<&String> = seen.keys().collect();
    let locks = ids.iter().map(|id| map([("id", (*id).into()), ("writeId", write_id.into())])).collect();
    let stored = unit.run(statements::transaction::LOCK, Params::rows(locks)).await?;
    let ids: Vec<Value> = ids.into_iter().map(Value::from).collect();
    let places = unit.run(statements::payment_move::PLACES, Params::none().with("ids", ids)).await?;
    // One that was amended since it was found has been seen to by who amended it.
    let places = places.iter().filter(|row| seen.get(&row.text("id")) == Some(&numbers_of(row)));
    let places: BTreeMap<String, String> = places.filter_map(|row| Some((row.text("id"), row.get("place").as_text()?.to_owned()))).collect();
    write(unit, account, &stored, &places).await
}

async fn write(unit: &mut UnitOfWork, account: &str, stored: &[Row], places: &BTreeMap<String, String>) -> Result<usize, Error> {
    let mut roll_ups = RollUps::default();
    let mut links = Vec::new();
    for row in stored {
        let id = row.text("id");
        let (from, to) = (row.text("from"), row.text("to"));
        let (link, other) = if stored_direction(row) == Direction::Outbound { ("RECEIVED_BY", &to) } else { ("SENT", &from) };
        let Some(place) = places.get(&id).filter(|place| other == account && *place != account) else { continue };
        if let Some(tally) = Tally::stored(row) {
            roll_ups.change(&from, &to, &tally, Sign::Minus);
            let (from, to) = if link == "SENT" { (place, &to) } else { (&from, place) };
            roll_ups.change(from, to, &tally, Sign::Plus);
        }
        links.push(map([("id", id.into()), ("link", link.into()), ("from", account.into()), ("to", place.into())]));
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
