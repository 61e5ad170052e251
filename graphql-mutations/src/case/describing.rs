//! What people say of a case besides its text.

use async_graphql::{Context, InputObject, Object, Result};
use graph_schema::case::CaseTagRecord;
use graph_schema::id::{ActorId, CaseId, TagId};
use graphql_http::asking::{asking, boxed, with_key};
use resolvers::{DecideActor, PlaceCase, TagCase};

use super::actors::{CaseActorPayload, actor_payload};
use super::work::{CasePayload, payload};

/// A tag.
#[derive(Clone, InputObject)]
pub struct CaseTagInput {
    /// By this cases are listed.
    id: TagId,
    /// What it is called everywhere. A tag that is there keeps its label.
    label: String,
}

impl CaseTagInput {
    /// The tag as operations take it.
    pub fn into_record(self) -> CaseTagRecord {
        CaseTagRecord { id: self.id, label: self.label }
    }
}

/// Gives a case tags, and takes tags from it.
#[derive(InputObject)]
pub struct TagCaseInput {
    /// The case to tag.
    case_id: CaseId,
    /// Tags that the case gets, 100 at most. Those that it has already change nothing.
    #[graphql(default)]
    add: Vec<CaseTagInput>,
    /// Ids of tags that the case loses, 100 at most. Those that it does not have change nothing.
    #[graphql(default)]
    remove: Vec<TagId>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Sets the jurisdiction of a case.
#[derive(InputObject)]
pub struct SetCaseJurisdictionInput {
    /// The case whose jurisdiction is set.
    case_id: CaseId,
    /// The jurisdiction of the case; none, when null.
    jurisdiction: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Sets the finding on an actor of a case.
#[derive(InputObject)]
pub struct SetCaseActorFindingInput {
    /// The case in which the actor is assessed.
    case_id: CaseId,
    /// An actor of the case.
    actor_id: ActorId,
    /// The finding, which `Case.actors` shows as `decision`. It replaces the finding before; none, when null.
    decision: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// The input of `placeCase`, which `SetCaseJurisdictionInput` replaces.
#[derive(InputObject)]
pub struct PlaceCaseInput {
    /// The case whose jurisdiction is set.
    case_id: CaseId,
    /// None, when null.
    jurisdiction: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// The input of `decideActor`, which `SetCaseActorFindingInput` replaces.
#[derive(InputObject)]
pub struct DecideActorInput {
    /// The case in which the actor is assessed.
    case_id: CaseId,
    /// One of the case's.
    actor_id: ActorId,
    /// It takes the place of what was said before; nothing, when null.
    decision: Option<String>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

#[derive(Default)]
pub struct DescribingMutation;

#[Object]
impl DescribingMutation {
    /// Gives a case tags, and takes tags from it. Tags are there as soon as a case has one.
    async fn tag_case(&self, context: &Context<'_>, input: TagCaseInput) -> Result<CasePayload> {
        let (resolvers, caller) = asking(context)?;
        let TagCaseInput { case_id: case, add, remove, expected_version, idempotency_key } = input;
        let add = add.into_iter().map(CaseTagInput::into_record).collect();
        let tag = TagCase { case: case.clone(), add, remove, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.tag_case(caller, tag, key)).await;
        payload(context, &case, done).await
    }

    /// Sets the jurisdiction of a case.
    async fn set_case_jurisdiction(&self, context: &Context<'_>, input: SetCaseJurisdictionInput) -> Result<CasePayload> {
        set_jurisdiction(context, input).await
    }

    /// Sets the finding on an actor of a case.
    async fn set_case_actor_finding(&self, context: &Context<'_>, input: SetCaseActorFindingInput) -> Result<CaseActorPayload> {
        let (case, actor) = (input.case_id.clone(), input.actor_id.clone());
        let done = set_actor_finding(context, input).await?;
        actor_payload(context, (&case, actor), done).await
    }

    /// Sets the jurisdiction of a case.
    #[graphql(deprecation = "Use `setCaseJurisdiction`.")]
    async fn place_case(&self, context: &Context<'_>, input: PlaceCaseInput) -> Result<CasePayload> {
        let PlaceCaseInput { case_id, jurisdiction, expected_version, idempotency_key } = input;
        set_jurisdiction(context, SetCaseJurisdictionInput { case_id, jurisdiction, expected_version, idempotency_key }).await
    }

    /// Sets the finding on an actor of a case.
    #[graphql(deprecation = "Use `setCaseActorFinding`.")]
    async fn decide_actor(&self, context: &Context<'_>, input: DecideActorInput) -> Result<CasePayload> {
        let DecideActorInput { case_id, actor_id, decision, expected_version, idempotency_key } = input;
        let case = case_id.clone();
        let done = set_actor_finding(context, SetCaseActorFindingInput { case_id, actor_id, decision, expected_version, idempotency_key }).await?;
        payload(context, &case, done).await
    }
}

#[boxed]
async fn set_jurisdiction(context: &Context<'_>, input: SetCaseJurisdictionInput) -> Result<CasePayload> {
    let (resolvers, caller) = asking(context)?;
    let SetCaseJurisdictionInput { case_id: case, jurisdiction, expected_version, idempotency_key } = input;
    let place = PlaceCase { case: case.clone(), jurisdiction, expected_version: expected_version.map(i64::from) };
    let done = with_key(idempotency_key, |key| resolvers.place_case(caller, place, key)).await;
    payload(context, &case, done).await
}

#[boxed]
async fn set_actor_finding(context: &Context<'_>, input: SetCaseActorFindingInput) -> Result<resolvers::Result<()>> {
    let (resolvers, caller) = asking(context)?;
    let SetCaseActorFindingInput { case_id: case, actor_id: actor, decision, expected_version, idempotency_key } = input;
    let decide = DecideActor { case, actor, decision, expected_version: expected_version.map(i64::from) };
    Ok(with_key(idempotency_key, |key| resolvers.decide_actor(caller, decide, key)).await)
}
