//! Links from one node to others, in the order of their keys: which accounts an actor has a role on, who shares a phone, and so on.

use std::sync::Arc;

use cypher::{Params, Statement, Value, statements};

use super::{Way, items, shared, text};
use crate::loader::Ask;
use crate::policy::{Action, Subject};
use crate::{Caller, Resolvers, Result};

/// A kind of link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Link {
    ActorAccounts,
    ActorAssociates,
    ActorAssociateOf,
    ActorIdentities,
    ActorSharing,
    AccountActors,
    AccountDevices,
    AccountIdentities,
    DeviceAccounts,
    DeviceIpAddresses,
    IpAddressDevices,
    IpAddressAccounts,
    TransactionParties,
    PhoneActors,
    EmailActors,
    AddressActors,
    GovernmentIdActors,
    ReferenceActors,
    ReferenceAccounts,
    IdentifierAccounts,
    CaseActors,
    CaseComments,
    ActorCases,
}

impl Link {
    /// A name of its own.
    pub fn label(self) -> &'static str {
        self.statements().0.label
    }

    /// The statements of a page and of the count.
    fn statements(self) -> (Statement, Statement) {
        use statements::{account, actor, case, device, identity, ip_address, transaction};
        match self {
            Link::ActorAccounts => (actor::ACCOUNTS, actor::ACCOUNTS_COUNT),
            Link::ActorAssociates => (actor::ASSOCIATES, actor::ASSOCIATES_COUNT),
            Link::ActorAssociateOf => (actor::ASSOCIATE_OF, actor::ASSOCIATE_OF_COUNT),
            Link::ActorIdentities => (actor::IDENTITIES, actor::IDENTITIES_COUNT),
            Link::ActorSharing => (actor::SHARING, actor::SHARING_COUNT),
            Link::AccountActors => (account::ACTORS, account::ACTORS_COUNT),
            Link::AccountDevices => (account::DEVICES, account::DEVICES_COUNT),
            Link::AccountIdentities => (account::IDENTITIES, account::IDENTITIES_COUNT),
            Link::DeviceAccounts => (device::ACCOUNTS, device::ACCOUNTS_COUNT),
            Link::DeviceIpAddresses => (device::IP_ADDRESSES, device::IP_ADDRESSES_COUNT),
            Link::IpAddressDevices => (ip_address::DEVICES, ip_address::DEVICES_COUNT),
            Link::IpAddressAccounts => (ip_address::ACCOUNTS, ip_address::ACCOUNTS_COUNT),
            Link::TransactionParties => (transaction::PARTIES, transaction::PARTIES_COUNT),
            Link::PhoneActors => (identity::PHONE_ACTORS, identity::PHONE_ACTORS_COUNT),
            Link::EmailActors => (identity::EMAIL_ACTORS, identity::EMAIL_ACTORS_COUNT),
            Link::AddressActors => (identity::ADDRESS_ACTORS, identity::ADDRESS_ACTORS_COUNT),
            Link::GovernmentIdActors => (identity::GOVERNMENT_ID_ACTORS, identity::GOVERNMENT_ID_ACTORS_COUNT),
            Link::ReferenceActors => (identity::REFERENCE_ACTORS, identity::REFERENCE_ACTORS_COUNT),
            Link::ReferenceAccounts => (identity::REFERENCE_ACCOUNTS, identity::REFERENCE_ACCOUNTS_COUNT),
            Link::IdentifierAccounts => (identity::IDENTIFIER_ACCOUNTS, identity::IDENTIFIER_ACCOUNTS_COUNT),
            Link::CaseActors => (case::ACTORS, case::ACTORS_COUNT),
            Link::CaseComments => (case::COMMENTS, case::COMMENTS_COUNT),
            Link::ActorCases => (case::OF_ACTOR, case::OF_ACTOR_COUNT),
        }
    }
}

/// A slice of a link's list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LinkSlice {
    pub limit: usize,
    /// The key behind which (before which, going backward) the slice begins.
    pub after: Option<String>,
    pub way: Way,
}

/// One link: its key, the node at its other end, and what the link itself says (role, type, …).
#[derive(Debug, Clone)]
pub struct LinkRow {
    pub key: String,
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub more: Vec<Value>,
}

impl LinkRow {
    /// A text of what the link says.
    pub fn text(&self, at: usize) -> Option<String> {
        self.more.get(at).and_then(Value::as_text).map(str::to_owned)
    }

    /// An integer of what the link says.
    pub fn int(&self, at: usize) -> i64 {
        self.more.get(at).and_then(Value::as_int).unwrap_or_default()
    }
}

impl Resolvers {
    /// A slice of a node's links, in the order it is read.
    pub async fn links(&self, caller: &Caller, link: Link, id: &str, slice: &LinkSlice) -> Result<Vec<LinkRow>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let params = Params::none()
            .with("sign", if slice.way == Way::Forward { 1i64 } else { -1i64 })
            .with("after", slice.after.clone())
            .with("limit", slice.limit as i64);
        let rows = self.ask(&permit, &Ask::new(link.statements().0, params), id).await?;
        let row =
            |row: &[Value]| LinkRow { key: text(row, 0), id: shared(row, 1), name: shared(row, 2), more: row.get(3..).unwrap_or_default().to_vec() };
        Ok(items(&rows).map(row).collect())
    }

    /// How many links of a kind a node has.
    pub async fn link_count(&self, caller: &Caller, link: Link, id: &str) -> Result<i64> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        self.total(&permit, &Ask::new(link.statements().1, Params::none()), id).await
    }
}
