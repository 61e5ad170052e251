//! The change feed, for who keeps something up to date with the graph.

use async_graphql::{Context, ID, Object, Result};
use graph_schema::date::Timestamp;
use graphql_http::asking::{asking, boxed};
use graphql_http::refused::refused;
use resolvers::{Change, ChangeSet, Changes, ChangesQuery};

use super::principal::{Principal, principal};

/// Where the feed is now.
#[boxed]
pub async fn feed_position(context: &Context<'_>) -> Result<ID> {
    let (resolvers, caller) = asking(context)?;
    Ok(ID(resolvers.feed_position(caller).await.map_err(refused)?.to_string()))
}

/// Reads the feed; `values` says whether texts of records are selected.
#[boxed]
pub async fn changes(context: &Context<'_>, after: Option<ID>, first: i32) -> Result<ChangeFeedPage> {
    let (resolvers, caller) = asking(context)?;
    let must = |what: &str| async_graphql::Error::new(what);
    let first = usize::try_from(first).ok().filter(|first| (1..=200).contains(first)).ok_or_else(|| must("first: must be from 1 to 200"))?;
    let position = |id: ID| id.parse::<i64>().ok().filter(|after| *after >= 0);
    let after = after.map(|id| position(id).ok_or_else(|| must("after: must be a position that the feed has given"))).transpose()?;
    let changes = context.look_ahead().field("sets").field("changes");
    let values = changes.field("oldValue").exists() || changes.field("newValue").exists();
    let changes = resolvers.changes(caller, ChangesQuery { after, first, values }).await.map_err(refused)?;
    Ok(ChangeFeedPage(changes))
}

/// A part of the change feed.
pub struct ChangeFeedPage(Changes);

/// A page of the change feed: changes in the order of their positions.
#[Object(name = "ChangeFeedPage")]
impl ChangeFeedPage {
    /// What was changed, a set for each transaction, in the order of their positions, which have no gap. Fewer than asked for where a part would be too large.
    async fn sets(&self) -> Vec<ChangeSetNode<'_>> {
        self.0.sets.iter().map(ChangeSetNode).collect()
    }

    /// Up to where is read now: what `after` is to be next. The one that was given, where nothing has come since.
    async fn position(&self) -> ID {
        ID(self.0.position.to_string())
    }

    /// The position of the last set that there is. Who wants only what comes from now on begins here.
    async fn last(&self) -> ID {
        ID(self.0.last.to_string())
    }
}

/// What one transaction has changed.
pub struct ChangeSetNode<'a>(&'a ChangeSet);

/// The changes that one transaction has written, under one position of the feed.
#[Object(name = "ChangeSet")]
impl ChangeSetNode<'_> {
    /// Its place among all sets: 1 for the first, each one more than the one before.
    async fn position(&self) -> ID {
        ID(self.0.position.to_string())
    }

    /// When it was written, by the clock of the instance that wrote it.
    async fn at(&self) -> Timestamp {
        self.0.at
    }

    /// One for each object that was changed, as the audit log has it.
    async fn changes(&self) -> Vec<ChangeNode<'_>> {
        self.0.changes.iter().map(ChangeNode).collect()
    }

    /// The ids of the events that tell of it, which `node(id: "Event:…")` takes.
    async fn event_ids(&self) -> Vec<ID> {
        self.0.events.iter().map(|id| ID(id.clone())).collect()
    }
}

/// A change of one object.
pub struct ChangeNode<'a>(&'a Change);

/// A change of one object, as the audit log has it.
#[Object(name = "Change")]
impl ChangeNode<'_> {
    /// The id of its entry in the audit log.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// What was done, such as `transaction.recorded`.
    async fn action(&self) -> &str {
        &self.0.action
    }

    /// What kind of object it was done to: the label of its node.
    async fn object_type(&self) -> &str {
        &self.0.object_type
    }

    /// Which one.
    async fn object_id(&self) -> Option<&str> {
        self.0.object_id.as_deref()
    }

    /// The case that it belongs to; null of what belongs to none.
    async fn case_id(&self) -> Option<&str> {
        self.0.case_id.as_deref()
    }

    /// The user, key or client that did it; null where the service itself did.
    async fn by(&self, context: &Context<'_>) -> Result<Option<Principal>> {
        principal(context, self.0.user_id.as_deref()).await
    }

    /// Who did it: the id of a credential or user.
    #[graphql(deprecation = "Use `by`.")]
    async fn user_id(&self) -> Option<&str> {
        self.0.user_id.as_deref()
    }

    /// The request in which it was done: header `x-request-id`.
    async fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// When the service took it, by the clock of its instance.
    async fn at(&self) -> Timestamp {
        self.0.at
    }

    /// Why nothing was replaced, such as that something later is stored; null where something was. What is at the object's node is the present.
    async fn notes(&self) -> Option<&str> {
        self.0.notes.as_deref()
    }

    /// What the record was before, as text; null where nothing was replaced.
    async fn old_value(&self) -> Option<&str> {
        self.0.old_value.as_deref()
    }

    /// What was said, as text; null of a new record, which is read at its node.
    async fn new_value(&self) -> Option<&str> {
        self.0.new_value.as_deref()
    }
}
