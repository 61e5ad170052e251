//! Matches that somebody has cleared.

use async_graphql::{Context, ID, InputObject, Result};
use graph_schema::date::Timestamp;
use graph_schema::id::ActorId;
use resolvers::explore::{ClearedMatchFilter, ClearedMatchSummary, ListFilter};

use super::super::actor::ActorNode;
use super::super::object::{graph_node, object_with_links};
use super::super::present;
use super::super::walk::Shown;

/// That somebody has cleared a party of an entry of a watchlist: the match is not told while it counts.
#[derive(Clone)]
pub struct ClearedMatchNode(Shown<ClearedMatchSummary>);

graph_node!(ClearedMatchNode shows ClearedMatchSummary);

object_with_links! {
    /// That somebody has cleared a party of an entry of a watchlist. While it counts the match is not told, as long as neither side changes. None is ever
    /// deleted.
    ClearedMatchNode as "ClearedMatch" {
        /// The id of the clearance, as `unclearMatch` takes it.
        pub async fn id(&self) -> ID {
            ID(self.0.at.id().to_owned())
        }

        /// An id that `node` takes, unique across all types.
        pub async fn node_id(&self) -> ID {
            ID(format!("ClearedMatch:{}", self.0.at.id()))
        }

        /// The entry and the party.
        async fn name(&self) -> &str {
            self.0.at.name()
        }

        /// Whether it counts now: nobody has ended it, and its time is not over. That a side has changed is found out by the next screening.
        async fn active(&self, context: &Context<'_>) -> Result<bool> {
            let now = present(context)?;
            let it = self.0.summary(context).await?;
            Ok(it.ended_at.is_none() && now < it.until)
        }
    }
    shown {
        /// The entry, as `LIST/ENTRY`.
        entry: String = |it| it.entry.clone();
        /// The entry's main name.
        entry_name: String = |it| it.entry_name.clone();
        /// The version of the list that counted when it was cleared, as `LIST/VERSION`.
        list_version: String = |it| it.list_version.clone();
        /// The party's name, as it was searched for.
        party_name: String = |it| it.party_name.clone();
        /// From this moment on the match is told again.
        until: Timestamp = |it| it.until;
        /// Why it was cleared, in the words of whoever did it.
        reason: String = |it| it.reason.clone(), counted;
        /// When it was cleared.
        cleared_at: Timestamp = |it| it.cleared_at;
        /// Who has cleared it: the id of a credential or user.
        cleared_by: String = |it| it.cleared_by.clone() => deprecated "Use `clearedByPrincipal`.";
        /// What whoever has cleared it was called then.
        cleared_by_name: String = |it| it.cleared_by_name.clone();
        /// When somebody has ended it; null where nobody has, as the three below.
        ended_at: Option<Timestamp> = |it| it.ended_at;
        /// The id of a credential or user.
        ended_by: Option<String> = |it| it.ended_by.clone() => deprecated "Use `endedByPrincipal`.";
        /// What whoever has ended it was called then.
        ended_by_name: Option<String> = |it| it.ended_by_name.clone();
        /// Why it was ended, in the words of whoever did it.
        end_reason: Option<String> = |it| it.end_reason.clone(), counted;
    }
    principals {
        /// The user, key or client that has cleared it; null where the service has.
        cleared_by_principal = |it| Some(&it.cleared_by);
        /// The user, key or client that has ended it; null where nobody has, and where the service has.
        ended_by_principal = |it| it.ended_by.as_deref();
    }
    leads_to {
        /// The actor that was cleared; null where it was a counterparty of payments.
        actor: ActorNode;
    }
}

/// Which cleared matches. All that is given must hold.
#[derive(Default, InputObject)]
#[graphql(name = "ClearedMatchFilter")]
pub struct ClearedMatchFilterInput {
    /// The id of an actor that was cleared.
    actor_id: Option<ActorId>,
    /// An entry of a watchlist, as `LIST/ENTRY`.
    entry: Option<String>,
    /// `true` for those that count now, `false` for those that no longer do.
    active: Option<bool>,
}

impl ClearedMatchFilterInput {
    pub fn into_filter(self, now: Timestamp) -> ListFilter {
        let Self { actor_id: actor, entry, active } = self;
        let at_now = |is_active: bool| (active == Some(is_active)).then_some(now);
        ListFilter::ClearedMatches(ClearedMatchFilter { actor, entry, active_at: at_now(true), past_at: at_now(false) })
    }
}
