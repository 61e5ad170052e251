//! Numbers that name accounts: IBANs, numbers at a bank.
//!
//! `(:Account)-[:IDENTIFIED_BY {source}]->(:AccountIdentifier)` says who has a number, and `(:AccountIdentifier)-[:NAMED_WITH]->(…)` which numbers one
//! payment has named together. An account's id that a payment names beside numbers counts as a number of its own, which no reader sees:
//! `(:Account)-[:HINTED_BY {source}]->(:AccountIdentifier)`. Most payments find everything settled: their one statement (`transaction/record_by_number`) follows these links. Where
//! numbers are named together for the first time, or an account's own record names numbers, [`settle`] decides anew who has them ([`plan`]). Payments
//! that then belong to somebody else are moved in steps of bounded size ([`moves`]); from the first moment on, new ones find their new place.

pub(crate) mod moves;
pub(crate) mod plan;

use std::collections::BTreeSet;

use cypher::statements::rows::NumberRow;
use cypher::{Error, Params, Value, map, statements};
use graph_schema::edge::NumberSource;
use graph_schema::identity::hinted_account;

pub(crate) use moves::to_move;
pub(crate) use plan::{Claims, EXTERNAL, Holders};
use plan::{Known, Numbers, Plan, Source};

use crate::queue::UnitOfWork;

/// The job that moves payments in steps.
pub(crate) const MOVES_JOB: &str = "payment-moves";

/// Payments of external accounts that are moved in the transaction that finds out that they must be, in all. An account that has more than are left of
/// these keeps its own for steps afterwards.
const AT_ONCE: usize = 250;

/// Sees to it that numbers belong to whom they must by what is claimed; answers with who has them. `writeId` names the write, `now` is epoch milliseconds.
pub(crate) async fn settle(unit: &mut UnitOfWork, claims: &Claims, write_id: &str, now: i64) -> Result<Holders, Error> {
    let numbers = read(unit, claims, write_id).await?;
    if numbers.is_empty() {
        return Ok(Holders::default());
    }
    let claims = &Claims { recorded: recorded(unit, &numbers, write_id).await?, ..claims.clone() };
    let (plan, holders) = plan::plan(&numbers, claims);
    carry_out(unit, claims, &numbers, &plan, write_id, now).await?;
    let mut left = AT_ONCE;
    // Finding which payments of a known account have to leave takes as long as it has payments: that is left to the job.
    let external = plan.leave.iter().map(|(account, _)| account).filter(|account| account.starts_with(EXTERNAL));
    for account in external.collect::<BTreeSet<_>>() {
        if left == 0 {
            break;
        }
        left -= moves::all_unless_too_many(unit, account, left, write_id).await?;
    }
    Ok(holders)
}

/// The numbers that something is claimed of, and all that hang together with them; locked.
async fn read(unit: &mut UnitOfWork, claims: &Claims, write_id: &str) -> Result<Numbers, Error> {
    let mut numbers = Numbers::new();
    let mut next = claims.numbers();
    while !next.is_empty() {
        let rows = next.iter().map(|id| map([("id", id.into()), ("name", claims.names.get(id).unwrap_or(id).into())]));
        let params = Params::none().with("numbers", rows.collect::<Vec<_>>()).with("writeId", write_id);
        let found = unit.run(statements::identifier::READ, params).await?;
        numbers.extend(found.into_iter().map(known));
        next = claims.unread(&numbers);
    }
    Ok(numbers)
}

/// Which accounts have records, of those whose ids are named beside numbers for the first time. Makes sure all of these are there, and locks them:
/// whoever records one of them meanwhile waits, and finds then that its id was named.
async fn recorded(unit: &mut UnitOfWork, numbers: &Numbers, write_id: &str) -> Result<BTreeSet<String>, Error> {
    let new = numbers.iter().filter(|(_, known)| known.holders.is_empty()).filter_map(|(id, _)| hinted_account(id));
    let rows: Vec<Value> = new.map(|account| map([("id", account.into()), ("writeId", write_id.into())])).collect();
    if rows.is_empty() {
        return Ok(BTreeSet::new());
    }
    let found = unit.run(statements::account::LOCK_HINTED, Params::rows(rows)).await?;
    Ok(found.into_iter().filter(|account| account.recorded).map(|account| account.id).collect())
}

/// A number by its id.
fn known(row: NumberRow) -> (String, Known) {
    let source = |source| match source {
        NumberSource::Record => Source::Record,
        NumberSource::Payment => Source::Payment,
    };
    let known = Known {
        name: row.name.unwrap_or_else(|| row.id.clone()),
        holders: row.holders.into_iter().map(|holder| (holder.account, source(holder.source))).collect(),
        named: row.named.into_iter().collect(),
        moving: row.moving,
    };
    (row.id, known)
}

async fn carry_out(unit: &mut UnitOfWork, claims: &Claims, numbers: &Numbers, plan: &Plan, write_id: &str, now: i64) -> Result<(), Error> {
    let new = claims.together.iter().filter(|(one, other)| numbers.get(one).is_none_or(|known| !known.named.contains(other)));
    let new = new.map(|(one, other)| map([("one", one.into()), ("other", other.into())])).collect();
    put(unit, statements::identifier::NAME_TOGETHER, new).await?;
    make_externals(unit, numbers, plan).await?;
    let taken = plan.take.iter().map(|(id, account)| map([("id", id.into()), ("account", account.into())])).collect();
    put(unit, statements::identifier::TAKE, taken).await?;
    let given = |(id, account, source): &(String, String, Source)| {
        let (source, name) = match source {
            Source::Record => ("RECORD", claims.names.get(id)),
            Source::Payment => ("PAYMENT", None),
        };
        map([("id", id.into()), ("account", account.into()), ("source", source.into()), ("name", name.into())])
    };
    let (hints, given_numbers): (Vec<_>, Vec<_>) = plan.give.iter().partition(|(id, ..)| hinted_account(id).is_some());
    put(unit, statements::identifier::GIVE, given_numbers.into_iter().map(given).collect()).await?;
    put(unit, statements::identifier::GIVE_HINT, hints.into_iter().map(given).collect()).await?;
    let left = plan.leave.iter().map(|(account, number)| {
        let name = format!("Payments of {account}");
        map([("account", account.into()), ("number", number.into()), ("name", name.into()), ("at", now.into()), ("writeId", write_id.into())])
    });
    if !plan.leave.is_empty() {
        unit.wake(MOVES_JOB);
    }
    put(unit, statements::payment_move::OPEN, left.collect()).await
}

async fn make_externals(unit: &mut UnitOfWork, numbers: &Numbers, plan: &Plan) -> Result<(), Error> {
    if plan.external.is_empty() {
        return Ok(());
    }
    let row = |(id, number): (&String, &String)| {
        let name = numbers.get(number).map_or(number, |known| &known.name);
        map([("id", id.into()), ("name", name.into())])
    };
    let rows = plan.external.iter().map(row).collect();
    let made = unit.run(statements::account::MAKE_EXTERNAL, Params::rows(rows)).await?;
    // Its payments are on their way to somebody whose record no longer names the number: until they have arrived, nothing new comes here.
    if made.iter().any(|account| account.leaving) {
        let detail = "the payments of an external account are being moved".to_owned();
        return Err(Error::Conflict { statement: statements::account::MAKE_EXTERNAL.label(), detail });
    }
    Ok(())
}

async fn put(unit: &mut UnitOfWork, statement: cypher::WriteStatement, rows: Vec<Value>) -> Result<(), Error> {
    if rows.is_empty() {
        return Ok(());
    }
    unit.put(statement, Params::rows(rows)).await
}
