//! Items that wait and whose sender comes in no more: they are held, and go to the dead letters once they have waited too long.
//!
//! Whoever has stolen a key may have sent what becomes true only when something else arrives. So what waits is not written in the name of a key that was
//! revoked, and holds up nothing that others send about the same thing. What is right of it an administrator sends again, from the dead letters, under a key that is good.

use std::collections::HashSet;

use cypher::{Params, statements};

use super::{Item, Outcome};
use crate::policy::Permit;
use crate::{CredentialType, Inner, Result};

/// What such an item is told.
const HELD: &str = "is held: the key, client or user that sent it was revoked; send it again under a good one";

impl Inner {
    /// Those of the items that are held, and the others.
    pub(super) async fn held(&self, permit: &Permit<'_>, items: Vec<Item>) -> Result<(Vec<(Item, Outcome)>, Vec<Item>)> {
        let senders: HashSet<&str> =
            items.iter().filter(|item| item.sender.means != CredentialType::System).map(|item| item.sender.id.as_str()).collect();
        let shut_out = self.shut_out(permit, senders).await?;
        let (held, free): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| shut_out.contains(&item.sender.id));
        Ok((held.into_iter().map(|item| (item, Outcome::Later(HELD.to_owned()))).collect(), free))
    }

    /// Those of some senders who come in no more.
    pub(super) async fn shut_out(&self, permit: &Permit<'_>, senders: HashSet<&str>) -> Result<HashSet<String>> {
        if senders.is_empty() {
            return Ok(HashSet::new());
        }
        let params = Params::none().with("ids", senders.into_iter().collect::<Vec<_>>());
        let rows = self.read(permit, statements::credential::SHUT_OUT, params).await?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }
}
