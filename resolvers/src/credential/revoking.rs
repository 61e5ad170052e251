//! Revoking keys and clients. One administrator's credential is always left: without one nobody could make another.

use std::collections::HashSet;

use cypher::statements::rows::LockedCredential;
use cypher::{Params, Reading, WriteStatement, map, statements};

use crate::queue::{AtDatabase, Change, Done, Item, Outcomes, Rank, UnitOfWork, Write};
use crate::{Conflict, Error, ObjectKind};

/// What is revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Credential {
    Key,
    Client,
}

impl Credential {
    fn kind(self) -> ObjectKind {
        match self {
            Self::Key => ObjectKind::ApiKey,
            Self::Client => ObjectKind::Client,
        }
    }

    fn lock(self) -> Reading<LockedCredential> {
        match self {
            Self::Key => statements::credential::LOCK_KEY,
            Self::Client => statements::credential::LOCK_CLIENT,
        }
    }

    fn write(self) -> WriteStatement {
        match self {
            Self::Key => statements::credential::REVOKE_KEY,
            Self::Client => statements::credential::REVOKE_CLIENT,
        }
    }
}

/// A credential to be revoked.
pub(super) struct Revoked {
    pub credential: Credential,
    pub id: String,
}

/// Revokes a key or a client, unless it is the last that works of an administrator. Of both kinds one is revoked in each transaction, under a lock of
/// all that are an administrator's.
pub(super) struct Revoke;

pub(super) static REVOKE: Revoke = Revoke;

impl Revoke {
    /// The write that revokes: of two of them each has a transaction of its own.
    pub fn in_turn(write: Write<Revoked>) -> Write<Revoked> {
        write.describing("Administrators", "")
    }

    async fn revoke(unit: &mut UnitOfWork, item: &Item<'_, Revoked>) -> Result<crate::Result<Done<()>>, cypher::Error> {
        let Revoked { credential, id } = item.row;
        let write_id = item.entry.id();
        let mut working = HashSet::new();
        for (kind, lock) in
            [(Credential::Key, statements::credential::LOCK_ADMIN_KEYS), (Credential::Client, statements::credential::LOCK_ADMIN_CLIENTS)]
        {
            let locked = unit.run(lock, Params::none().with("writeId", write_id)).await?;
            working.extend(locked.into_iter().filter(|found| found.revoked_at.is_none()).map(|found| (kind == Credential::Key, found.id)));
        }
        let row = map([("id", id.as_str().into()), ("writeId", write_id.into())]);
        let found = unit.run(credential.lock(), Params::rows(vec![row])).await?;
        if !found.iter().any(|found| found.revoked_at.is_none()) {
            return Ok(Err(Error::not_found(credential.kind(), id)));
        }
        let is_administrators = working.remove(&(*credential == Credential::Key, id.clone()));
        if is_administrators && working.is_empty() {
            return Ok(Err(Error::Conflict(Conflict::LastAdministrator)));
        }
        let row = map([("id", id.as_str().into()), ("at", item.entry.at().millis().into())]);
        unit.put(credential.write(), Params::rows(vec![row])).await?;
        Ok(Ok(Done::new(())))
    }
}

impl Change for Revoke {
    type Row = Revoked;
    type Answer = ();

    fn name(&self) -> &'static str {
        "credential/revoke"
    }

    fn rank(&self) -> Rank {
        Rank::Administration
    }

    fn size(&self, _: &Revoked) -> usize {
        1_000
    }

    fn apply<'a>(&'a self, unit: &'a mut UnitOfWork, items: &'a [Item<'a, Revoked>]) -> AtDatabase<'a, Outcomes<()>> {
        Box::pin(async move {
            let mut outcomes = Vec::with_capacity(items.len());
            for item in items {
                outcomes.push(Self::revoke(unit, item).await?);
            }
            Ok(outcomes)
        })
    }
}
