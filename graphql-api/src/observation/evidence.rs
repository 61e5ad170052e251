//! The subgraph that a finding rests on, for whoever draws it: what is in it, and what of it the finding needs.

use std::sync::Arc;

use async_graphql::{Context, Error, ID, Result, SimpleObject};
use graph_schema::id::ObservationId;
use graph_schema::observation::EvidenceKind;
use resolvers::explore::{Node, nodes};
use resolvers::{Evidence, EvidenceAccount, EvidencePart, EvidencePayment};

use super::super::account::AccountNode;
use super::super::actor::ActorNode;
use super::super::transaction::TransactionNode;
use super::super::walk::At;
use super::super::{asking, refused};
use super::ObservationNode;
use crate::boxed;

/// The most payments; a finding cites no more.
pub const MOST: i32 = 1_000;

/// The subgraph that a finding rests on.
#[derive(SimpleObject)]
#[graphql(name = "Evidence")]
pub struct EvidenceNode {
    /// Records of payments, the necessary ones first, then in the order of time: edges from `senderId` to `receiverId`.
    transactions: Vec<TransactionEvidence>,
    /// Accounts at the ends of these payments.
    accounts: Vec<AccountEvidence>,
    /// Actors whose these payments are, and those whom the finding is about.
    actors: Vec<ActorEvidence>,
    /// The finding has counted more payments than these.
    truncated: bool,
}

/// A record of a payment, and what it is for a finding.
#[derive(SimpleObject)]
pub struct TransactionEvidence {
    /// The record of the payment, as one side reported it.
    transaction: TransactionNode,
    /// The account that the money came from, as far as it is known.
    sender_id: Option<ID>,
    /// The account that the money went to, as far as it is known.
    receiver_id: Option<ID>,
    /// Whether the finding needs the payment.
    evidence: EvidenceKind,
}

/// An account, and what it is for a finding.
#[derive(SimpleObject)]
pub struct AccountEvidence {
    /// The account itself: an end of at least one payment of the finding.
    account: AccountNode,
    /// Actors whose it is, as far as these payments say so.
    owner_ids: Vec<ID>,
    /// Necessary where a necessary payment touches it.
    evidence: EvidenceKind,
}

/// An actor, and what it is for a finding.
#[derive(SimpleObject)]
pub struct ActorEvidence {
    /// The actor itself: an owner of a payment of the finding, or a subject of the finding.
    actor: ActorNode,
    /// Necessary where the finding is mainly about it, or a necessary payment is its own.
    evidence: EvidenceKind,
}

/// The evidence of an observation; null where it is not of the service's own detection.
#[boxed]
pub async fn evidence(context: &Context<'_>, observation: &ObservationNode, first: i32) -> Result<Option<EvidenceNode>> {
    let most =
        usize::try_from(first).ok().filter(|_| (1..=MOST).contains(&first)).ok_or_else(|| Error::new(format!("first: must be 1 to {MOST}")))?;
    let (resolvers, caller) = asking(context)?;
    let found = resolvers.evidence(caller, &ObservationId::new(observation.0.at.id()), most).await.map_err(refused)?;
    found.map(EvidenceNode::of).transpose()
}

impl EvidenceNode {
    fn of(Evidence { payments, accounts, actors, truncated }: Evidence) -> Result<Self> {
        Ok(Self {
            transactions: payments.into_iter().map(TransactionEvidence::of).collect::<Result<_>>()?,
            accounts: accounts.into_iter().map(AccountEvidence::of).collect::<Result<_>>()?,
            actors: actors.into_iter().map(ActorEvidence::of).collect::<Result<_>>()?,
            truncated,
        })
    }
}

impl TransactionEvidence {
    fn of(EvidencePayment { id, name, evidence, from, to, .. }: EvidencePayment) -> Result<Self> {
        let transaction = TransactionNode::new(At::captioned(&nodes::TRANSACTION, id, name))?;
        Ok(Self { transaction, sender_id: from.map(to_id), receiver_id: to.map(to_id), evidence })
    }
}

impl AccountEvidence {
    fn of(EvidenceAccount { account, owners }: EvidenceAccount) -> Result<Self> {
        let evidence = account.evidence;
        Ok(Self { account: AccountNode::new(at(&nodes::ACCOUNT, account))?, owner_ids: owners.into_iter().map(to_id).collect(), evidence })
    }
}

impl ActorEvidence {
    fn of(actor: EvidencePart) -> Result<Self> {
        let evidence = actor.evidence;
        Ok(Self { actor: ActorNode::new(at(&nodes::ACTOR, actor))?, evidence })
    }
}

fn at(node: &'static Node, EvidencePart { id, name, .. }: EvidencePart) -> At {
    At::captioned(node, id, name)
}

fn to_id(id: Arc<str>) -> ID {
    ID(id.to_string())
}
