//! Import: lines of NDJSON by the bulk lists' names, straight into the queue of writes.
//!
//! Nothing waits here for what it names, as items of a bulk request do: a line is taken as its single operation takes it, which makes a placeholder of
//! what has not come, or refuses the line. Of most kinds the same line again changes nothing; cases see to that themselves ([`cases`]).

mod cases;

use futures::future::{BoxFuture, join_all};
use graph_schema::bulk::{
    BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorAssociates, BulkActorSegmentationGroup, BulkCommunication,
    BulkObservation, BulkTransaction,
};
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::fault::Fault;
use graph_schema::given::{Given, Input, read};

use crate::account::{ADD_BALANCE, CHANGE_ROLES};
use crate::actor::ADD_ASSOCIATES;
use crate::case::RECORD_COMMUNICATION;
use crate::derived_id::digest_id;
use crate::device::{RECORD_DEVICE, SIGN_IN};
use crate::observation::RECORD_OBSERVATION;
use crate::policy::{Action, Caller, Permit, Role, Subject};
use crate::queue::{Amending, Change, Write};
use crate::screening::SubmittedPayment;
use crate::segmentation::JoinGroup;
use crate::transaction::RECORD_TRANSACTION;
use crate::versioned::{RECORD_ACCOUNT, RECORD_ACTOR};
use crate::{Error, Inner, Resolvers, Result, boxed, without_values};

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
    ActorSegmentationGroups,
    Observations,
    Communications,
    Cases,
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
    /// of two lines about one thing the later is the last word. An error means that the store can't take any now. `name` is the
    /// import's: by that a line is known that it brings again.
    #[boxed]
    pub async fn import(&self, name: &str, list: ImportList, lines: Vec<(u64, String)>, turn: BoxFuture<'static, ()>) -> Result<Vec<LineOutcome>> {
        let inner = &self.inner;
        let caller = caller(inner);
        let by = inner.enter(&caller, Action::Ingest, Subject::Linked)?;
        match list {
            ImportList::Actors => {
                run(inner, &lines, &RECORD_ACTOR, turn, |given: Given<BulkActor>| inner.actor_write(&by, &given.value.into_single())).await
            }
            ImportList::Accounts => {
                run(inner, &lines, &RECORD_ACCOUNT, turn, |given: Given<BulkAccount>| inner.account_write(&by, &given.value.into_single())).await
            }
            ImportList::AccountActors => {
                let write = |given: Given<BulkAccountActor>| {
                    let (account, given) = given.value.into_single();
                    inner.roles_write(&by, &account, &given)
                };
                run(inner, &lines, &CHANGE_ROLES, turn, write).await
            }
            ImportList::Associates => {
                let write = |given: Given<BulkActorAssociates>| {
                    let (actor, associates) = given.value.into_single();
                    inner.associates_write(&by, &actor, &associates)
                };
                run(inner, &lines, &ADD_ASSOCIATES, turn, write).await
            }
            ImportList::Transactions => import_transactions(inner, &by, (name, &lines), turn).await,
            ImportList::Devices => run(inner, &lines, &RECORD_DEVICE, turn, |given: Given<DeviceRecord>| inner.device_write(&by, &given.value)).await,
            ImportList::SignIns => run(inner, &lines, &SIGN_IN, turn, |given: Given<SignInRecord>| inner.sign_in_write(&by, &given.value)).await,
            ImportList::AccountBalances => {
                let write = |given: Given<BulkAccountBalance>| {
                    let (account, given) = given.value.into_single();
                    Ok(inner.balance_write(&by, &account, &given)?.0)
                };
                run(inner, &lines, &ADD_BALANCE, turn, write).await
            }
            ImportList::ActorSegmentationGroups => {
                let write = |given: Given<BulkActorSegmentationGroup>| Ok(inner.segmentation_member_write(&by, &given.value));
                run(inner, &lines, &Amending::<JoinGroup>::NEW, turn, write).await
            }
            ImportList::Observations => {
                let write = |given: Given<BulkObservation>| inner.observation_write(&by, &given.value.into_single());
                run(inner, &lines, &RECORD_OBSERVATION, turn, write).await
            }
            ImportList::Communications => {
                run(inner, &lines, &RECORD_COMMUNICATION, turn, |given: Given<BulkCommunication>| Ok(inner.communication_write(&by, &given))).await
            }
            ImportList::Cases => cases::import(inner, &caller, name, &lines, turn).await,
        }
    }
}

async fn import_transactions(
    inner: &Inner,
    by: &Permit<'_>,
    (name, lines): (&str, &[(u64, String)]),
    turn: BoxFuture<'static, ()>,
) -> Result<Vec<LineOutcome>> {
    let mut read_lines = Vec::with_capacity(lines.len());
    let mut submitted = Vec::with_capacity(lines.len());
    let are_screened = !inner.settings.screening.bulk.is_empty();
    for (_, text) in lines {
        read_lines.push(match read::<BulkTransaction>(text.as_bytes()) {
            Ok(given) => {
                let given = given.value.into_single();
                submitted.push(are_screened.then(|| {
                    let id = given.value.id.as_str().to_owned();
                    // The same line of the same import again is screened no more.
                    let submission = digest_id("import", &[name, &id, &given.record]);
                    SubmittedPayment { id, submission }
                }));
                match &given.value.channel_location_id {
                    Some(id) if !inner.knows_location(by, id).await? => {
                        Err(vec![Fault::new("channel_location_id", "must match a channel location that was ingested")])
                    }
                    _ => faults_of(inner.transaction_write(by, &given))?,
                }
            }
            Err(unacceptable) => {
                submitted.push(None);
                Err(unacceptable.faults().to_vec())
            }
        });
    }
    turn.await;
    let outcomes = write_all(inner, &RECORD_TRANSACTION, read_lines).await?;
    let written = submitted.into_iter().zip(&outcomes).filter(|(_, outcome)| **outcome == LineOutcome::Accepted);
    let written: Vec<SubmittedPayment> = written.filter_map(|(payment, _)| payment).collect();
    inner.screen_later(by, &written).await?;
    Ok(outcomes)
}

async fn run<T: Input, C: Change>(
    inner: &Inner,
    lines: &[(u64, String)],
    change: &'static C,
    turn: BoxFuture<'static, ()>,
    write: impl Fn(Given<T>) -> Result<Write<C::Row>>,
) -> Result<Vec<LineOutcome>> {
    let mut rows = Vec::with_capacity(lines.len());
    for (_, text) in lines {
        rows.push(match read::<T>(text.as_bytes()) {
            Ok(given) => faults_of(write(given))?,
            Err(unacceptable) => Err(unacceptable.faults().to_vec()),
        });
    }
    turn.await;
    write_all(inner, change, rows).await
}

/// Faults of a line are told apart from what stops the import.
fn faults_of<R>(row: Result<R>) -> Result<std::result::Result<R, Vec<Fault>>> {
    match row {
        Ok(row) => Ok(Ok(row)),
        Err(Error::Invalid(faults) | Error::Unreadable(faults)) => Ok(Err(faults)),
        Err(error) => Err(error),
    }
}

async fn write_all<C: Change>(
    inner: &Inner,
    change: &'static C,
    writes: Vec<std::result::Result<Write<C::Row>, Vec<Fault>>>,
) -> Result<Vec<LineOutcome>> {
    let writes = writes.into_iter().map(|write| async {
        match write {
            Ok(write) => outcome_of(inner.queue.write(change, write).await.map(drop)),
            Err(faults) => Ok(LineOutcome::Failed(faults)),
        }
    });
    join_all(writes).await.into_iter().collect()
}

/// What came of the write of a line. An error says that nothing can be written now.
fn outcome_of(written: Result<()>) -> Result<LineOutcome> {
    match written {
        Ok(()) => Ok(LineOutcome::Accepted),
        Err(Error::Invalid(faults) | Error::Unreadable(faults)) => Ok(LineOutcome::Failed(faults)),
        Err(Error::Internal(text)) => {
            tracing::error!(error = without_values(&text), "a line could not be stored");
            Ok(LineOutcome::Failed(vec![Fault::new("line", "the store refused it; see the log")]))
        }
        Err(Error::TooLarge(too_large)) => Ok(LineOutcome::Failed(vec![Fault::new("line", too_large.to_string())])),
        Err(error) => Err(error),
    }
}

/// Who imports: the operator of the machine that has the store.
fn caller(inner: &Inner) -> Caller {
    Caller::system("import", Role::Ingest, inner.clock.id().into())
}
