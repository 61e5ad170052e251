//! Whether raw and service leave the same behind. A ratio between different work would say nothing.

use anyhow::{Context, Result, ensure};
use cypher::{Engine, Params, Row, Statement, Value};
use graph_schema::money::Money;

use crate::database::{read, write};
use crate::http::{self, Connection};
use crate::payments::{Accounts, Links, Naming, Payment, Whom};
use crate::sections::ingest::PATH;
use crate::service::{KEY, Service};

const LEFT: Statement = Statement::new("raw/left_behind", include_str!("../../statements/left_behind.cypher"));
/// What [`LEFT`] answers beside the account that was paid: each is a list of names.
const COLUMNS: [&str; 8] = ["payment", "links", "total", "audit", "account", "accountKeys", "numberKeys", "sources"];
/// Who pays in the check.
const RAW_PAYER: u64 = 1;
const PAYER: u64 = 2;

/// Compares properties of the payment, its links, the roll-up, the audit entry, the account that was paid and the number it was found by. Both pay
/// to each account, once raw first and once the service: what one has made, the other must find.
pub async fn check(engine: &Engine, service: &Service, naming: Naming) -> Result<()> {
    // Numbers that nobody has begin behind the accounts.
    let nobody = Accounts::Spread.count();
    let pairs = match naming {
        Naming::Id => vec![(Whom::Id(10), Whom::Id(11))],
        Naming::Number => vec![
            (Whom::Iban(10), Whom::Iban(11)),
            (Whom::NumberAtBank(12), Whom::NumberAtBank(13)),
            (Whom::Iban(nobody), Whom::Iban(nobody + 1)),
            (Whom::NumberAtBank(nobody + 2), Whom::NumberAtBank(nobody + 3)),
        ],
    };
    let connection = &mut Connection::open(service.address).await?;
    for (one, another) in pairs {
        let raw = by_hand(engine, one).await?;
        let after_raw = sent(engine, connection, one).await?;
        let service = sent(engine, connection, another).await?;
        let after_service = by_hand(engine, another).await?;
        same_account(&raw, &after_raw).with_context(|| format!("{one:?}"))?;
        same_account(&after_service, &service).with_context(|| format!("{another:?}"))?;
        same_columns(&raw, &service).with_context(|| format!("first payments, {one:?} and {another:?}"))?;
        same_columns(&after_service, &after_raw).with_context(|| format!("second payments, {another:?} and {one:?}"))?;
    }
    Ok(())
}

/// What a payment leaves behind that is written by hand.
async fn by_hand(engine: &Engine, whom: Whom) -> Result<Row> {
    let payment = payment(RAW_PAYER, whom);
    write(engine, payment.statement(Links::Merged), payment.params()).await.with_context(|| format!("raw to {whom:?}"))?;
    left(engine, payment.id()).await
}

/// What a payment leaves behind that the service is sent.
async fn sent(engine: &Engine, connection: &mut Connection, whom: Whom) -> Result<Row> {
    let payment = payment(PAYER, whom);
    connection.send_for_success(&http::post(PATH, KEY, &payment.record)).await.with_context(|| format!("through the service to {whom:?}"))?;
    left(engine, payment.id()).await
}

fn payment(from: u64, whom: Whom) -> Payment {
    Payment::between(Accounts::Spread, from, whom, Money { units: 12, nanos: 340_000_000 })
}

fn same_account(raw: &Row, service: &Row) -> Result<()> {
    let (raw, service) = (raw.get("to"), service.get("to"));
    ensure!(raw == service, "raw pays to {raw:?}, the service to {service:?}");
    Ok(())
}

fn same_columns(raw: &Row, service: &Row) -> Result<()> {
    for column in COLUMNS {
        let (raw, service) = (sorted(raw, column), sorted(service, column));
        ensure!(raw == service, "{column}: raw leaves {raw:?}, the service {service:?}");
    }
    Ok(())
}

async fn left(engine: &Engine, id: &str) -> Result<Row> {
    let mut rows = read(engine, LEFT, Params::none().with("id", id)).await?;
    ensure!(rows.len() == 1, "payment {id} is there {} times with all its links", rows.len());
    Ok(rows.remove(0))
}

/// The names in a column, in order; lists in lists as one.
fn sorted(row: &Row, column: &str) -> Vec<String> {
    fn add(value: &Value, names: &mut Vec<String>) {
        names.extend(value.as_text().map(str::to_owned));
        value.as_list().iter().for_each(|item| add(item, names));
    }
    let mut names = Vec::new();
    add(row.get(column), &mut names);
    names.sort();
    names
}
