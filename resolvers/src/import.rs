//! Import: lines of NDJSON by the bulk lists' names, straight through the operations' own writers.

use futures::future::{BoxFuture, join_all};
use graph_schema::bulk::{BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorAssociates, BulkTransaction};
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::fault::Fault;
use graph_schema::given::{Given, Input, read};

use crate::batcher::{Batcher, Operation};
use crate::policy::{Caller, Means, Role};
use crate::{Error, Inner, Resolvers, Result};

/// A list of the import format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportList {
    Actors,
    Accounts,
    AccountActors,
    Associates,
    Transactions,
    Devices,
    SignIns,
    AccountBalances,
}

/// What became of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineOutcome {
    Accepted,
    /// Refused, for these reasons.
    Failed(Vec<Fault>),
}

impl Resolvers {
    /// Writes lines (their numbers and texts) of one list; answers in their order. They are read at once and written when it is their turn:
    /// of two lines about one thing the later is the last word. An error means that the store can't take any now.
    pub async fn import(&self, list: ImportList, lines: Vec<(u64, String)>, turn: BoxFuture<'static, ()>) -> Result<Vec<LineOutcome>> {
        let inner = &self.inner;
        let by = caller(inner);
        let writers = &inner.writers;
        match list {
            ImportList::Actors => {
                run(&lines, &writers.actors, turn, |given: Given<BulkActor>| Ok(inner.actor_write(&by, &given.value.into_single()))).await
            }
            ImportList::Accounts => {
                run(&lines, &writers.accounts, turn, |given: Given<BulkAccount>| Ok(inner.account_write(&by, &given.value.into_single()))).await
            }
            ImportList::AccountActors => {
                let write = |given: Given<BulkAccountActor>| {
                    let (account, given) = given.value.into_single();
                    let mut write = inner.roles_write(&by, &account, &given);
                    // Each line names one actor, so that lines of one account need not take turns.
                    write.key = format!("{account}\n{}", given.record);
                    Ok(write)
                };
                run(&lines, &writers.roles, turn, write).await
            }
            ImportList::Associates => {
                let write = |given: Given<BulkActorAssociates>| {
                    let (actor, associates) = given.value.into_single();
                    let mut write = inner.associates_write(&by, &actor, &associates);
                    write.key = format!("{actor}\n{}", associates.record);
                    Ok(write)
                };
                run(&lines, &writers.associates, turn, write).await
            }
            ImportList::Transactions => import_transactions(inner, &by, &lines, turn).await,
            ImportList::Devices => run(&lines, &writers.devices, turn, |given: Given<DeviceRecord>| Ok(inner.device_write(&by, &given.value))).await,
            ImportList::SignIns => {
                run(&lines, &writers.sign_ins, turn, |given: Given<SignInRecord>| Ok(inner.sign_in_write(&by, &given.value))).await
            }
            ImportList::AccountBalances => {
                let write = |given: Given<BulkAccountBalance>| {
                    let (account, given) = given.value.into_single();
                    Ok(inner.balance_write(&by, &account, &given).0)
                };
                run(&lines, &writers.balances, turn, write).await
            }
        }
    }
}

async fn import_transactions(inner: &Inner, by: &Caller, lines: &[(u64, String)], turn: BoxFuture<'static, ()>) -> Result<Vec<LineOutcome>> {
    let mut read_lines = Vec::with_capacity(lines.len());
    for (_, text) in lines {
        read_lines.push(match read::<BulkTransaction>(text.as_bytes()) {
            Ok(given) => {
                let given = given.value.into_single();
                match &given.value.channel_location_id {
                    Some(id) if !inner.knows_location(id).await? => {
                        Err(vec![Fault::new("channel_location_id", "must match a channel location that was ingested")])
                    }
                    _ => faults_of(inner.transaction_write(by, &given))?,
                }
            }
            Err(unacceptable) => Err(unacceptable.faults().to_vec()),
        });
    }
    turn.await;
    write_all(&inner.writers.transactions, read_lines).await
}

async fn run<T: Input, O: Operation>(
    lines: &[(u64, String)],
    writer: &Batcher<O>,
    turn: BoxFuture<'static, ()>,
    write: impl Fn(Given<T>) -> Result<O::Row>,
) -> Result<Vec<LineOutcome>> {
    let mut rows = Vec::with_capacity(lines.len());
    for (_, text) in lines {
        rows.push(match read::<T>(text.as_bytes()) {
            Ok(given) => faults_of(write(given))?,
            Err(unacceptable) => Err(unacceptable.faults().to_vec()),
        });
    }
    turn.await;
    write_all(writer, rows).await
}

/// Faults of a line are told apart from what stops the import.
fn faults_of<R>(row: Result<R>) -> Result<std::result::Result<R, Vec<Fault>>> {
    match row {
        Ok(row) => Ok(Ok(row)),
        Err(Error::Invalid(faults) | Error::Unreadable(faults)) => Ok(Err(faults)),
        Err(error) => Err(error),
    }
}

async fn write_all<O: Operation>(writer: &Batcher<O>, rows: Vec<std::result::Result<O::Row, Vec<Fault>>>) -> Result<Vec<LineOutcome>> {
    let writes = rows.into_iter().map(|row| async {
        match row {
            Ok(row) => match writer.write(row).await {
                Ok(_) => Ok(LineOutcome::Accepted),
                Err(Error::Internal(text)) => {
                    tracing::error!(error = text, "a line could not be stored");
                    Ok(LineOutcome::Failed(vec![Fault::new("line", "the store refused it; see the log")]))
                }
                Err(error) => Err(error),
            },
            Err(faults) => Ok(LineOutcome::Failed(faults)),
        }
    });
    join_all(writes).await.into_iter().collect()
}

/// Who imports: the operator of the machine that has the store.
fn caller(inner: &Inner) -> Caller {
    Caller {
        id: "import".to_owned(),
        name: "import".to_owned(),
        role: Role::Ingest,
        means: Means::ApiKey,
        ip: None,
        request_id: inner.clock.id().into(),
    }
}
