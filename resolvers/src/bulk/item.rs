//! An item as the single operations take it: what it names, and its write.

use std::sync::Arc;

use graph_schema::account::{AccountActors, AccountBalance, AccountRecord};
use graph_schema::actor::ActorRecord;
use graph_schema::bulk::{
    BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorSegmentationGroup, BulkCase, BulkCommunication, BulkList, BulkObservation,
    BulkTransaction, MissingRelation, RelationKind, SingleCase,
};
use graph_schema::case::CreateCase;
use graph_schema::given::Given;
use graph_schema::id::AccountId;
use graph_schema::observation::ObservationRecord;
use graph_schema::transaction::TransactionRecord;
use serde::de::DeserializeOwned;

use super::{Item, Outcome};
use crate::account::{ADD_BALANCE, ADD_ROLES};
use crate::case::{KnownCases, RECORD_COMMUNICATION};
use crate::observation::RECORD_OBSERVATION;
use crate::policy::{Action, Subject};
use crate::queue::{Along, Amending, Change, Priority, Write};
use crate::segmentation::JoinGroup;
use crate::transaction::{RECORD_TRANSACTION, SeenHolders};
use crate::versioned::{RECORD_ACCOUNT, RECORD_ACTOR};
use crate::{Error, Inner, Result};

/// An item that was read.
pub(super) enum Record {
    Actor(Box<Given<ActorRecord>>),
    Account(Box<Given<AccountRecord>>),
    Roles(AccountId, Given<AccountActors>),
    Balance(AccountId, Given<AccountBalance>),
    Transaction(Box<Given<TransactionRecord>>),
    Membership(BulkActorSegmentationGroup),
    Observation(Box<Given<ObservationRecord>>),
    Communication(Box<Given<BulkCommunication>>),
    Case(Box<SingleCase>),
}

/// What was looked up for all items that are written together.
pub(super) struct Known<'a> {
    /// Cases among them.
    pub cases: KnownCases,
    pub holders: &'a SeenHolders,
}

impl Record {
    /// Reads an item, which was checked when it was taken; the error says why it can't be read any more.
    pub fn read(list: BulkList, text: &Arc<str>) -> std::result::Result<Self, String> {
        Ok(match list {
            BulkList::Actors => Self::Actor(Box::new(parsed::<BulkActor>(text)?.into_single())),
            BulkList::Accounts => Self::Account(Box::new(parsed::<BulkAccount>(text)?.into_single())),
            BulkList::AccountActors => {
                let (account, roles) = parsed::<BulkAccountActor>(text)?.into_single();
                Self::Roles(account, roles)
            }
            BulkList::AccountBalances => {
                let (account, balance) = parsed::<BulkAccountBalance>(text)?.into_single();
                Self::Balance(account, balance)
            }
            BulkList::Transactions => Self::Transaction(Box::new(parsed::<BulkTransaction>(text)?.into_single())),
            BulkList::ActorSegmentationGroups => Self::Membership(parsed(text)?),
            BulkList::Observations => Self::Observation(Box::new(parsed::<BulkObservation>(text)?.into_single())),
            BulkList::Communications => Self::Communication(Box::new(Given { value: parsed(text)?, record: Arc::clone(text) })),
            BulkList::Cases => Self::Case(Box::new(parsed::<BulkCase>(text)?.into_single())),
        })
    }

    /// The case that it is.
    pub fn case(&self) -> Option<&SingleCase> {
        match self {
            Self::Case(case) => Some(case),
            _ => None,
        }
    }

    /// The payment that it is.
    pub fn transaction(&self) -> Option<&TransactionRecord> {
        match self {
            Self::Transaction(given) => Some(&given.value),
            _ => None,
        }
    }

    /// What has to be there before it. What single operations make placeholders of is not waited for.
    pub fn named(&self) -> Vec<MissingRelation> {
        let relation = |kind: RelationKind, id: &str| MissingRelation { kind, id: id.to_owned() };
        match self {
            Self::Actor(_) | Self::Account(_) | Self::Roles(..) | Self::Balance(..) | Self::Communication(_) => Vec::new(),
            Self::Transaction(given) => {
                given.value.channel_location_id.iter().map(|id| relation(RelationKind::ChannelLocation, id.as_str())).collect()
            }
            Self::Membership(membership) => vec![
                relation(RelationKind::Actor, membership.actor_id.as_str()),
                relation(RelationKind::SegmentationGroup, membership.group_id.as_str()),
            ],
            Self::Observation(given) => {
                let ObservationRecord { actors, transaction_ids, .. } = &given.value;
                let actors = actors.iter().flatten().map(|actor| relation(RelationKind::Actor, actor.actor_id.as_str()));
                let transactions = transaction_ids.iter().flatten().map(|id| relation(RelationKind::Transaction, id.as_str()));
                actors.chain(transactions).collect()
            }
            Self::Case(case) => {
                let CreateCase { workflow_id, observation_ids, .. } = &case.create;
                let actors = case.create.case_actors().into_iter().map(|(id, _)| relation(RelationKind::Actor, id.as_str()));
                let observations = observation_ids.iter().flatten().map(|id| relation(RelationKind::Observation, id.as_str()));
                let communications = case.communication_ids.iter().map(|id| relation(RelationKind::Communication, id.as_str()));
                let workflow = workflow_id.iter().map(|id| relation(RelationKind::Workflow, id.as_str()));
                actors.chain(observations).chain(communications).chain(workflow).collect()
            }
        }
    }
}

/// What came of a write. An error says that nothing can be written now.
fn outcome_of(written: Result<()>) -> Result<Outcome> {
    match written {
        Ok(()) => Ok(Outcome::Completed),
        Err(error @ Error::Unavailable { .. }) => Err(error),
        Err(Error::TooLong) => Ok(Outcome::Later("it took longer than a record may take".to_owned())),
        Err(Error::Invalid(faults) | Error::Unreadable(faults)) => Ok(Outcome::Failed(faults.iter().map(ToString::to_string).collect())),
        Err(Error::Internal(text)) => {
            tracing::error!(error = text, "an item of a bulk request could not be stored");
            Ok(Outcome::Failed(vec!["the store refused it; see the log".to_owned()]))
        }
        Err(Error::NotFound { kind, id }) => Ok(Outcome::Failed(vec![format!("there is no {} with the id {id}", kind.as_str())])),
        Err(Error::TooLarge(too_large)) => Ok(Outcome::Failed(vec![too_large.to_string()])),
        Err(error) => Ok(Outcome::Failed(vec![error.to_string()])),
    }
}

fn parsed<T: DeserializeOwned>(text: &str) -> std::result::Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

impl Inner {
    /// Writes an item of which all that it names is there; `known` is of those that are written along with it.
    pub(super) async fn write_item(&self, item: &Item, record: Record, known: &Known<'_>) -> Result<Outcome> {
        let permit = self.enter(&item.sender, Action::Ingest, Subject::Linked)?.leaving(&item.id);
        match record {
            Record::Actor(given) => self.write_in_bulk(&RECORD_ACTOR, self.actor_write(&permit, &given)).await,
            Record::Account(given) => self.write_in_bulk(&RECORD_ACCOUNT, self.account_write(&permit, &given)).await,
            Record::Roles(account, given) => self.write_in_bulk(&ADD_ROLES, self.roles_write(&permit, &account, &given)).await,
            Record::Balance(account, given) => {
                let write = self.balance_write(&permit, &account, &given).map(|(write, _)| write);
                self.write_in_bulk(&ADD_BALANCE, write).await
            }
            Record::Transaction(given) => {
                let write = self.transaction_write(&permit, &given).map(|write| known.holders.foretell(write));
                self.write_in_bulk(&RECORD_TRANSACTION, write).await
            }
            Record::Membership(membership) => {
                self.write_in_bulk(&Amending::<JoinGroup>::NEW, Ok(self.segmentation_member_write(&permit, &membership))).await
            }
            Record::Observation(given) => self.write_in_bulk(&RECORD_OBSERVATION, self.observation_write(&permit, &given)).await,
            Record::Communication(given) => self.write_in_bulk(&RECORD_COMMUNICATION, Ok(self.communication_write(&permit, &given))).await,
            Record::Case(case) => {
                let is_there = known.cases.has(&case.id);
                match outcome_of(self.write_listed_case(&permit, *case, &item.body, &known.cases, Priority::Bulk).await)? {
                    Outcome::Failed(reasons) if is_there => Ok(Outcome::Refused(reasons)),
                    outcome => Ok(outcome),
                }
            }
        }
    }

    async fn write_in_bulk<C: Change>(&self, change: &'static C, write: Result<Write<C::Row>>) -> Result<Outcome> {
        let written = match write {
            Ok(write) => {
                let along = Along { priority: Priority::Bulk, ..Along::default() };
                self.queue.write_along(change, write, along).await.map(drop).map_err(Error::from)
            }
            Err(error) => Err(error),
        };
        outcome_of(written)
    }
}
