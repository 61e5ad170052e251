//! Clearing matches, and ending it.

use async_graphql::{Context, Enum, ID, InputObject, Object, Result, SimpleObject};
use graph_schema::date::Timestamp;
use graph_schema::id::{ActorId, TransactionId};
use graphql_http::asking::{asking, boxed, check_items, check_reason, each_item, key, list_keys, under_key, with_key};
use graphql_http::page::cost_of_items;
use graphql_http::user_error::{self, UserErrorOf};
use resolvers::{Action, ClearMatch, ClearedParty, Error, IdempotencyKey};

/// A match that is to be cleared.
#[derive(InputObject)]
pub struct ClearMatchInput {
    /// The actor that the entry does not mean.
    actor_id: Option<ActorId>,
    /// In place of an actor: a payment whose counterparty the entry does not mean. The counterparty is cleared in all payments that say the same of it.
    transaction_id: Option<TransactionId>,
    /// An entry of a watchlist, as `LIST/ENTRY`.
    entry: String,
    /// From this moment on the match is told again; when absent, after the time that `screening.clear_for` says, which is the latest.
    until: Option<Timestamp>,
    /// Why, for those who look at it later.
    reason: String,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// A party and an entry that is not it.
#[derive(InputObject)]
pub struct ClearMatchTargetInput {
    /// The actor that the entry does not mean.
    actor_id: Option<ActorId>,
    /// In place of an actor: a payment whose counterparty the entry does not mean.
    transaction_id: Option<TransactionId>,
    /// An entry of a watchlist, as `LIST/ENTRY`.
    entry: String,
}

/// Matches that are to be cleared.
#[derive(InputObject)]
pub struct ClearMatchesInput {
    /// Parties and entries, 500 at most.
    targets: Vec<ClearMatchTargetInput>,
    /// From this moment on the matches are told again; when absent, after the time that `screening.clear_for` says, which is the latest.
    until: Option<Timestamp>,
    /// Why, for those who look at it later.
    reason: String,
    /// The same key and input again change nothing. 1 to 250 visible ASCII characters.
    idempotency_key: Option<String>,
}

/// A clearance that is to end.
#[derive(InputObject)]
pub struct UnclearMatchInput {
    /// The id of the cleared match.
    cleared_match_id: ID,
    /// Why, for those who look at it later.
    reason: String,
    /// The same key and input again change nothing.
    idempotency_key: Option<String>,
}

/// What became of it.
#[derive(SimpleObject)]
pub struct ClearedMatchPayload {
    /// The id of the cleared match; null where nothing was done.
    cleared_match_id: Option<ID>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<ClearedMatchUserError>,
}

/// The results of several.
#[derive(SimpleObject)]
pub struct ClearMatchesPayload {
    /// One for each target, in their order. One that is refused does not stop the others.
    results: Vec<ClearedMatchPayload>,
    /// Why nothing was done of the whole; empty when there are results.
    user_errors: Vec<ClearedMatchUserError>,
}

/// Why something was not done.
pub type ClearedMatchUserError = UserErrorOf<ClearedMatchErrorCode>;

/// Why something was not done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ClearedMatchErrorCode {
    /// There is no such actor, payment or cleared match.
    NotFound,
    /// The input breaks a rule.
    Invalid,
}

impl ClearedMatchPayload {
    /// As the result of a target of a list.
    fn of_item(mut self, at: usize) -> Self {
        let errors = self.user_errors.into_iter();
        self.user_errors = errors.map(|error| error.of_item("targets", at, &["actorId", "transactionId", "entry"])).collect();
        self
    }
}

#[derive(Default)]
pub struct ClearedMatchMutation;

#[Object]
impl ClearedMatchMutation {
    /// Clears a match: the entry does not mean this party. The match is not told until then, as long as neither who the party is nor what the entry says
    /// changes; what is left out is told in `Screening.cleared`. Said again for the same pair, the later word counts.
    async fn clear_match(&self, context: &Context<'_>, input: ClearMatchInput) -> Result<ClearedMatchPayload> {
        let ClearMatchInput { actor_id, transaction_id, entry, until, reason, idempotency_key } = input;
        cleared(context, ClearMatchTargetInput { actor_id, transaction_id, entry }, (until, reason), key(idempotency_key)).await
    }

    /// Clears matches, as `clearMatch` does.
    #[graphql(complexity = "cost_of_items(input.targets.len(), child_complexity)")]
    async fn clear_matches(&self, context: &Context<'_>, input: ClearMatchesInput) -> Result<ClearMatchesPayload> {
        let by = asking(context)?;
        let begun = async {
            check_items("targets", input.targets.len())?;
            check_reason(&input.reason)?;
            list_keys(by, (Action::Decide, "ClearedMatch"), input.idempotency_key.as_ref(), &input).await
        };
        let keys = match begun.await {
            Ok(keys) => keys,
            Err(error) => return Ok(ClearMatchesPayload { results: Vec::new(), user_errors: user_errors(error)? }),
        };
        let ClearMatchesInput { targets, until, reason, .. } = input;
        let each = targets.into_iter().enumerate();
        let each = each.map(|(at, target)| {
            let cleared = cleared(context, target, (until, reason.clone()), Ok(keys.of(at)));
            async move { cleared.await.map(|payload| payload.of_item(at)) }
        });
        Ok(ClearMatchesPayload { results: each_item(each).await?, user_errors: Vec::new() })
    }

    /// Ends a clearance before its time: the match is told again, and an actor is screened at once. It is kept, with who has ended it, when and why.
    async fn unclear_match(&self, context: &Context<'_>, input: UnclearMatchInput) -> Result<ClearedMatchPayload> {
        let (resolvers, caller) = asking(context)?;
        let UnclearMatchInput { cleared_match_id, reason, idempotency_key } = input;
        let done = with_key(idempotency_key, |key| resolvers.unclear_match(caller, &cleared_match_id, reason, key)).await;
        payload(done.map(|()| cleared_match_id))
    }
}

#[boxed]
async fn cleared(
    context: &Context<'_>,
    target: ClearMatchTargetInput,
    (until, reason): (Option<Timestamp>, String),
    key: resolvers::Result<Option<IdempotencyKey>>,
) -> Result<ClearedMatchPayload> {
    let (resolvers, caller) = asking(context)?;
    let ClearMatchTargetInput { actor_id, transaction_id, entry } = target;
    let party = match (actor_id, transaction_id) {
        (Some(actor), None) => ClearedParty::Actor(actor),
        (None, Some(transaction)) => ClearedParty::CounterpartyOf(transaction),
        _ => return payload(Err(Error::invalid("actorId", "give either actorId or transactionId"))),
    };
    let wanted = ClearMatch { party, entry, until, reason };
    let done = under_key(key, |key| resolvers.clear_match(caller, wanted, key)).await;
    payload(done.map(|id| ID(id.to_string())))
}

fn payload(done: resolvers::Result<ID>) -> Result<ClearedMatchPayload> {
    match done {
        Ok(id) => Ok(ClearedMatchPayload { cleared_match_id: Some(id), user_errors: Vec::new() }),
        Err(error) => Ok(ClearedMatchPayload { cleared_match_id: None, user_errors: user_errors(error)? }),
    }
}

/// What the one who asked can do something about is a `userError`; all else is an error of the field.
fn user_errors(error: Error) -> Result<Vec<ClearedMatchUserError>> {
    user_error::user_errors(error, [ClearedMatchErrorCode::NotFound, ClearedMatchErrorCode::Invalid])
}
