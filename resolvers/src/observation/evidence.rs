//! The subgraph that a finding of the service's own detection rests on: payments, the accounts at their ends, the actors whose they are.
//!
//! Which payments are necessary is on the links of the finding (`CITES {evidence}`). An account or an actor is necessary where a necessary payment touches
//! it; so is whom the finding is mainly about.

use std::collections::BTreeMap;
use std::sync::Arc;

use cypher::statements::rows::{EvidencePayment, EvidenceRow};
use cypher::{Params, statements};
use graph_schema::id::ObservationId;
use graph_schema::json_object::JsonObject;
use graph_schema::observation::EvidenceKind;

use crate::policy::{Action, Subject};
use crate::{Caller, Resolvers, Result, boxed};

/// What a finding rests on.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// The necessary ones first, then in the order of time.
    pub payments: Vec<EvidencePayment>,
    /// Accounts at the ends of these payments, by id.
    pub accounts: Vec<EvidenceAccount>,
    /// Actors whose these payments are, and whom the finding is about, by id.
    pub actors: Vec<EvidencePart>,
    /// The finding has counted more payments than these.
    pub truncated: bool,
}

/// An account or an actor.
#[derive(Debug, Clone)]
pub struct EvidencePart {
    pub id: Arc<str>,
    pub name: Arc<str>,
    pub evidence: EvidenceKind,
}

/// An account, and whose it is as far as these payments say so.
#[derive(Debug, Clone)]
pub struct EvidenceAccount {
    pub account: EvidencePart,
    pub owners: Vec<Arc<str>>,
}

impl Resolvers {
    /// The evidence of an observation that was come to, with so many payments at most; nothing of an observation of others.
    #[boxed]
    pub async fn evidence(&self, caller: &Caller, id: &ObservationId, most: usize) -> Result<Option<Evidence>> {
        let permit = self.inner.enter(caller, Action::Explore, Subject::Linked)?;
        let params = Params::none().with("most", most as i64);
        let rows = self.inner.walks.rows(&permit, statements::observation::EVIDENCE, params, id.as_str()).await?;
        Ok(rows.first().filter(|row| row.cited > 0).map(evidence))
    }
}

pub fn evidence(row: &EvidenceRow) -> Evidence {
    let (mut accounts, mut actors) = (Parts::default(), Parts::default());
    let mut owners: BTreeMap<Arc<str>, Vec<Arc<str>>> = BTreeMap::new();
    for payment in &row.payments {
        for (id, name) in [(&payment.from, &payment.from_name), (&payment.to, &payment.to_name)] {
            accounts.add(id.as_ref(), name.as_ref(), payment.evidence);
        }
        actors.add(payment.owner.as_ref(), payment.owner_name.as_ref(), payment.evidence);
        if let (Some(account), Some(owner)) = (&payment.account, &payment.owner) {
            owners.entry(Arc::clone(account)).or_default().push(Arc::clone(owner));
        }
    }
    for actor in &row.actors {
        let kind = if actor.primary { EvidenceKind::Necessary } else { EvidenceKind::Supplementary };
        actors.add(Some(&actor.id), Some(&actor.name), kind);
    }
    let with_owners = |account: EvidencePart| {
        let mut owners = owners.remove(&account.id).unwrap_or_default();
        owners.sort_unstable();
        owners.dedup();
        EvidenceAccount { account, owners }
    };
    Evidence {
        payments: row.payments.clone(),
        accounts: accounts.into_parts().map(with_owners).collect(),
        actors: actors.into_parts().collect(),
        truncated: counted(row) > row.payments.len(),
    }
}

/// How many records the finding has counted, those included that it does not cite.
fn counted(row: &EvidenceRow) -> usize {
    let said = row.metadata.as_deref().and_then(JsonObject::parse).and_then(|metadata| metadata.get("payments")?.as_u64());
    usize::try_from(said.unwrap_or_default()).unwrap_or(usize::MAX).max(usize::try_from(row.cited).unwrap_or_default())
}

/// Accounts or actors, each once: necessary where it is so once.
#[derive(Default)]
struct Parts(BTreeMap<Arc<str>, (Arc<str>, EvidenceKind)>);

impl Parts {
    fn add(&mut self, id: Option<&Arc<str>>, name: Option<&Arc<str>>, evidence: EvidenceKind) {
        let Some(id) = id else { return };
        let part = self.0.entry(Arc::clone(id)).or_insert_with(|| (Arc::clone(name.unwrap_or(id)), evidence));
        part.1 = part.1.min(evidence);
    }

    fn into_parts(self) -> impl Iterator<Item = EvidencePart> {
        self.0.into_iter().map(|(id, (name, evidence))| EvidencePart { id, name, evidence })
    }
}
