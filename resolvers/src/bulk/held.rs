//! Items that wait and whose sender comes in no more: they are held, and go to the dead letters once they have waited too long.
//!
//! Whoever has stolen a key may have sent what becomes true only when something else arrives. So what waits is not written in the name of a key that was
//! revoked. What is right of it an administrator sends again, from the dead letters, under a key that is good.

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
        if senders.is_empty() {
            return Ok((Vec::new(), items));
        }
        let params = Params::none().with("ids", senders.into_iter().collect::<Vec<_>>());
        let rows = self.read(permit, statements::credential::SHUT_OUT, params).await?;
        let shut_out: HashSet<String> = rows.into_iter().map(|row| row.id).collect();
        let (held, free): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| shut_out.contains(&item.sender.id));
        Ok((held.into_iter().map(|item| (item, Outcome::Later(HELD.to_owned()))).collect(), free))
    }
}
