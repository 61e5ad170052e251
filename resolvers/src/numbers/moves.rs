//! Payments that belong to somebody else now, because a number has changed hands, are moved in steps.
//!
//! A `(:PaymentMove)-[:FROM]->(:Account)` says whose payments are to be looked through, `-[:BY]->(:AccountIdentifier)` by which numbers. Some that have to
//! leave are looked for without any lock, as the account may have very many; a step takes some of these, with what they have added to the roll-ups, to
//! where their numbers lead now, in one transaction: each payment and its share are either still there or already here. Once a look finds none, the move
//! ends, unless somebody has said since that there are more. What is left after a crash is found by the next look. An external account of which nothing is
//! left goes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use cypher::statements::rows::{LeftPayment, LockedMove, LockedPayment, MovingRow};
use cypher::{Engine, Error, Params, Reading, Value, map, statements};
use futures::future::BoxFuture;
use graph_schema::transaction::Direction;

use crate::policy::Permit;
use crate::queue::{Along, Change, Done, Item, Priority, Rank, UnitOfWork, Write};
use crate::transaction::{RollUps, Sign, TransferDelta};
use crate::{Inner, Resolvers, Result as Outcome, boxed};

/// Payments of one step: so long other writes of the same accounts wait, on the embedded engine all others.
const STEP: usize = 250;
/// Payments that are looked for at a time.
const LOOK: usize = 5_000;
/// How long a look may take.
const LOOKING: Duration = Duration::from_secs(30);
/// How long steps of one account go on after a look, if that did not take longer: others wait for their turn.
const TURN: Duration = Duration::from_secs(1);
/// So many steps of a turn may fail.
const MOST_FAILURES: usize = 3;

/// Accounts whose payments are to be moved, those that wait longest first.
pub async fn to_move(engine: &Engine) -> Result<Vec<MovingRow>, Error> {
    engine.read_as(statements::payment_move::LIST, Params::none().with("limit", 100i64), LOOKING).await
}

impl Inner {
    /// Moves some payments of one account, in steps; once none are left, ends the move. Fails when none of them could be moved.
    pub(crate) async fn move_payments(&self, moving: MovingRow) -> Outcome<()> {
        let account = moving.account.as_str();
        let began = Instant::now();
        let found = self.engine.read_as(left(moving.external), of(account).with("most", LOOK as i64), LOOKING).await?;
        if found.is_empty() {
            return self.move_step(account, Task::End { opened_by: moving.opened_by }).await.map(drop);
        }
        let until = Instant::now() + TURN.max(began.elapsed());
        let (mut moved, mut failed) = (0, Vec::new());
        let mut steps = found.chunks(STEP).peekable();
        while let Some(found) = steps.next_if(|_| failed.len() < MOST_FAILURES && (moved == 0 || Instant::now() < until)) {
            match self.move_step(account, Task::Move(found.to_vec())).await {
                Ok(some) => moved += some,
                // What can't be moved now must not keep what can.
                Err(error) => {
                    tracing::warn!(%error, "some payments of an account could not be moved now");
                    failed.push(error);
                }
            }
        }
        match failed.pop() {
            Some(error) if moved == 0 => Err(error),
            // Nothing failed and nothing was moved: whatever they are, they would be found for ever.
            None if moved == 0 => self.move_step(account, Task::Rest).await.map(drop),
            _ => Ok(()),
        }
    }

    async fn move_step(&self, account: &str, task: Task) -> Outcome<usize> {
        let entry = self.entry(&Permit::of_service(), "Account", account, "account.payments.moved");
        let along = Along { priority: Priority::Bulk, ..Along::default() };
        Ok(self.queue.write_along(&MOVE_PAYMENTS, Write::new(MoveStep { account: account.to_owned(), task }, entry), along).await?)
    }
}

/// Ends the move of an account of which nothing was found, unless another write than this one has opened it since: for tests, which know what happens between.
#[boxed]
pub async fn end(resolvers: &Resolvers, account: &str, opened_by: &str) -> Outcome<()> {
    resolvers.inner.move_step(account, Task::End { opened_by: Some(opened_by.to_owned()) }).await.map(|_| ())
}

/// What is to be done of a move.
struct MoveStep {
    account: String,
    task: Task,
}

enum Task {
    /// Moves these payments.
    Move(Vec<LeftPayment>),
    /// Moves what is found under the lock.
    Rest,
    /// Ends the move of which nothing was found, unless another write has opened it since. A known account may have too many payments to look through
    /// them once more under the lock.
    End { opened_by: Option<String> },
}

struct MovePayments;

static MOVE_PAYMENTS: MovePayments = MovePayments;

impl Change for MovePayments {
    type Row = MoveStep;
    type Answer = usize;

    fn name(&self) -> &'static str {
        "payment_move/step"
    }

    fn rank(&self) -> Rank {
        Rank::Transaction
    }

    fn size(&self, _step: &MoveStep) -> usize {
        100_000
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, MoveStep>]) -> BoxFuture<'a, Result<Vec<Outcome<Done<usize>>>, Error>> {
        Box::pin(async move {
            let mut outcomes = Vec::with_capacity(items.len());
            for item in items {
                let moved = step(unit, item.row, item.entry.id()).await?;
                // The change of hands has left its entry; that payments follow is no other change.
                outcomes.push(Ok(Done { answer: moved, entry: None, events: Vec::new(), kept: None }));
            }
            Ok(outcomes)
        })
    }
}

async fn step(unit: &mut UnitOfWork, step: &MoveStep, write_id: &str) -> Result<usize, Error> {
    let account = step.account.as_str();
    if let Task::Move(found) = &step.task {
        lock_numbers(unit, found, write_id).await?;
    }
    let Some(locked) = lock(unit, account, write_id).await? else { return Ok(0) };
    match &step.task {
        Task::Move(found) => move_found(unit, account, found).await,
        Task::End { opened_by } if *opened_by != locked.opened_by => Ok(0),
        Task::End { .. } if !locked.external => close(unit, account).await.map(|()| 0),
        // All that an external account has must leave, so that a look takes no time.
        Task::End { .. } | Task::Rest => {
            let found = unit.run(left(locked.external), of(account).with("most", STEP as i64)).await?;
            move_last(unit, account, &found, STEP, write_id).await
        }
    }
}

/// Moves all payments of an account, and ends the move; none where there are more than so many. Answers with how many.
pub(super) async fn all_unless_too_many(unit: &mut UnitOfWork, account: &str, most: usize, write_id: &str) -> Result<usize, Error> {
    let Some(locked) = lock(unit, account, write_id).await? else { return Ok(0) };
    let asked = most + 1;
    let found = unit.run(left(locked.external), of(account).with("most", asked as i64)).await?;
    if found.len() > most {
        return Ok(0);
    }
    move_last(unit, account, &found, asked, write_id).await
}

/// Moves payments that were found under the lock when so many were asked for. The move ends where these were all, and where none of them can be moved:
/// they would be found for ever.
async fn move_last(unit: &mut UnitOfWork, account: &str, found: &[LeftPayment], asked: usize, write_id: &str) -> Result<usize, Error> {
    lock_numbers(unit, found, write_id).await?;
    let moved = move_found(unit, account, found).await?;
    let were_all = moved == found.len() && found.len() < asked;
    if moved == 0 && !found.is_empty() {
        tracing::error!(found = found.len(), "payments that have to leave an account lead nowhere else, and stay");
    }
    if moved == 0 || were_all {
        close(unit, account).await?;
    }
    Ok(moved)
}

fn of(account: &str) -> Params {
    Params::none().with("account", account)
}

fn left(external: bool) -> Reading<LeftPayment> {
    if external { statements::payment_move::LEFT_OF_EXTERNAL } else { statements::payment_move::LEFT }
}

async fn lock(unit: &mut UnitOfWork, account: &str, write_id: &str) -> Result<Option<LockedMove>, Error> {
    Ok(unit.run(statements::payment_move::LOCK, of(account).with("writeId", write_id)).await?.into_iter().next())
}

async fn close(unit: &mut UnitOfWork, account: &str) -> Result<(), Error> {
    let rows = || Params::rows(vec![map([("account", account.into())])]);
    unit.put(statements::payment_move::CLOSE, rows()).await?;
    unit.put(statements::account::FORGET_EXTERNAL, rows()).await
}

/// Locks the numbers of payments, before these: in the order in which every write takes them.
async fn lock_numbers(unit: &mut UnitOfWork, found: &[LeftPayment], write_id: &str) -> Result<(), Error> {
    let numbers: BTreeSet<&String> = found.iter().filter_map(|payment| payment.numbers.as_ref()).flatten().collect();
    if numbers.is_empty() {
        return Ok(());
    }
    let numbers: Vec<Value> = numbers.into_iter().map(|id| map([("id", id.into()), ("name", id.into())])).collect();
    unit.run(statements::identifier::READ, Params::none().with("numbers", numbers).with("writeId", write_id)).await.map(drop)
}

/// Moves payments whose numbers are locked.
async fn move_found(unit: &mut UnitOfWork, account: &str, found: &[LeftPayment]) -> Result<usize, Error> {
    if found.is_empty() {
        return Ok(0);
    }
    let seen: HashMap<&str, &Option<Vec<String>>> = found.iter().map(|payment| (payment.id.as_str(), &payment.numbers)).collect();
    let ids: BTreeSet<&str> = seen.keys().copied().collect();
    let locks = ids.iter().map(|id| map([("id", (*id).into())])).collect();
    let stored = unit.run(statements::transaction::LOCK, Params::rows(locks)).await?;
    let ids: Vec<Value> = ids.into_iter().map(Value::from).collect();
    let places = unit.run(statements::payment_move::PLACES, Params::none().with("ids", ids)).await?;
    // One that was amended since it was found has been seen to by who amended it.
    let places = places.into_iter().filter(|payment| seen.get(payment.id.as_str()) == Some(&&payment.numbers));
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
        // Pairs of an external account that were moved as a whole go; of the others all payments that are left are looked through.
        unit.put(statements::payment_move::FORGET_EMPTY, Params::rows(spans.clone())).await?;
        unit.put(statements::transfer::REFRESH_SPAN, Params::rows(spans)).await?;
    }
    Ok(moved)
}
