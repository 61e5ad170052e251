//! An item as the single operations take it: what it names, and its write.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cypher::{Params, Value, statements};
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
use crate::account::{ADD_BALANCE, CHANGE_ROLES};
use crate::case::{KnownCases, RECORD_COMMUNICATION};
use crate::observation::RECORD_OBSERVATION;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Along, Amending, Change, Priority, Write};
use crate::segmentation::JoinGroup;
use crate::transaction::{RECORD_TRANSACTION, SeenHolders};
use crate::versioned::{RECORD_ACCOUNT, RECORD_ACTOR};
use crate::{Error, Inner, Result, without_values};

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
    Case(Box<SingleCase>, Option<CaseLinks>),
}

/// What a case that is there has already: it waits for none of that.
pub(super) struct CaseLinks(HashSet<MissingRelation>);

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
            BulkList::Cases => Self::Case(Box::new(parsed::<BulkCase>(text)?.into_single()), None),
        })
    }

    /// The case that it is.
    pub fn case(&self) -> Option<&SingleCase> {
        match self {
            Self::Case(case, _) => Some(case),
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
            Self::Case(case, links) => {
                let workflow = case.create.workflow_id.iter().map(|id| relation(RelationKind::Workflow, id.as_str()));
                let named = named_by(case).into_iter().flat_map(|(kind, ids)| ids.into_iter().map(move |id| relation(kind, id)));
                match links {
                    // It stays on its workflow, whatever is said.
                    Some(CaseLinks(has)) => named.filter(|relation| !has.contains(relation)).collect(),
                    None => named.chain(workflow).collect(),
                }
            }
        }
    }
}

/// What a case is linked to, by kinds.
fn named_by(case: &SingleCase) -> [(RelationKind, Vec<&str>); 3] {
    let CreateCase { focal_actor_id, actors, observation_ids, .. } = &case.create;
    let mut people: Vec<&str> = focal_actor_id.iter().chain(actors.iter().flatten().map(|actor| &actor.id)).map(|id| id.as_str()).collect();
    people.sort_unstable();
    people.dedup();
    [
        (RelationKind::Actor, people),
        (RelationKind::Observation, observation_ids.iter().flatten().map(|id| id.as_str()).collect()),
        (RelationKind::Communication, case.communication_ids.iter().map(|id| id.as_str()).collect()),
    ]
}

/// What came of a write. An error says that nothing can be written now.
fn outcome_of(written: Result<()>) -> Result<Outcome> {
    match written {
        Ok(()) => Ok(Outcome::Completed),
        Err(error @ Error::Unavailable { .. }) => Err(error),
        Err(Error::TooLong) => Ok(Outcome::Later("it took longer than a record may take".to_owned())),
        Err(Error::Invalid(faults) | Error::Unreadable(faults)) => Ok(Outcome::Failed(faults.iter().map(ToString::to_string).collect())),
        Err(Error::Internal(text)) => {
            tracing::error!(error = without_values(&text), "an item of a bulk request could not be stored");
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
    /// Looks up what those cases have that are there.
    pub(super) async fn find_case_links(&self, permit: &Permit<'_>, read: &mut [(Item, Record)]) -> Result<()> {
        let ids = |ids: Vec<&str>| Value::from(ids);
        let row = |case: &SingleCase| {
            let [(_, actors), (_, observations), (_, communications)] = named_by(case);
            let links = [("actors", ids(actors)), ("observations", ids(observations)), ("communications", ids(communications))];
            Value::Map([("id", case.id.as_str().into())].into_iter().chain(links).map(|(name, value)| (name.into(), value)).collect())
        };
        let rows: Vec<Value> = read.iter().filter_map(|(_, record)| record.case()).map(row).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let mut found: HashMap<String, HashSet<MissingRelation>> = HashMap::new();
        for row in self.read(permit, statements::bulk::CASE_LINKS, Params::rows(rows)).await? {
            let kinds = [RelationKind::Actor, RelationKind::Observation, RelationKind::Communication];
            let linked = kinds.into_iter().zip([row.actors, row.observations, row.communications]);
            let linked = linked.flat_map(|(kind, ids)| ids.into_iter().map(move |id| MissingRelation { kind, id }));
            found.entry(row.id).or_default().extend(linked);
        }
        for (item, record) in read {
            if let Record::Case(case, links) = record {
                *links = found.get(case.id.as_str()).cloned().map(CaseLinks);
                item.case_is_there = links.is_some();
            }
        }
        Ok(())
    }

    /// Writes an item of which all that it names is there; `known` is of those that are written along with it.
    pub(super) async fn write_item(&self, item: &Item, record: Record, known: &Known<'_>) -> Result<Outcome> {
        let permit = self.enter(&item.sender, Action::Ingest, Subject::Linked)?.leaving(&item.id).acknowledged_at(item.time, item.created_at);
        match record {
            Record::Actor(given) => self.write_in_bulk(&RECORD_ACTOR, self.actor_write(&permit, &given)).await,
            Record::Account(given) => self.write_in_bulk(&RECORD_ACCOUNT, self.account_write(&permit, &given)).await,
            Record::Roles(account, given) => self.write_in_bulk(&CHANGE_ROLES, self.roles_write(&permit, &account, &given)).await,
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
            Record::Case(case, _) => {
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
