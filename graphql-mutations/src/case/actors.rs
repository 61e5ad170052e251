//! What people do with the actors of cases: add them, and set their custom properties.

use async_graphql::{Context, InputObject, Object, Result, SelectionField, SimpleObject};
use graph_schema::case::CaseActorType;
use graph_schema::id::{ActorId, CaseId};
use graph_schema::json_object::JsonObject;
use graphql_api::case::CaseNode;
use graphql_api::case::edges::{CaseActorEdge, case_actor_edges};
use graphql_api::walk::selected;
use graphql_http::asking::{asking, boxed, with_key};
use graphql_http::page::cost_of_items;
use resolvers::{AddCaseActors, CaseActorToAdd, NamedActor, SetCaseActorProperties};

use super::revising::CustomPropertyInput;
use super::work::{CaseUserError, case_of, user_errors};

/// Adds actors to a case.
#[derive(InputObject)]
pub struct AddCaseActorsInput {
    /// The case that they are added to.
    case_id: CaseId,
    /// Actors, each once, 1,000 at most; their records have 2 MiB together at most.
    actors: Vec<AddCaseActorInput>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// An actor to be added to a case. Exactly one of `actorId` and `record` is given.
#[derive(InputObject)]
pub struct AddCaseActorInput {
    /// An actor that is stored. One whose record has not come is kept by its id alone, until it comes.
    actor_id: Option<ActorId>,
    /// The record of an actor that is not stored yet, with the names of bulk ingestion. Whoever may not send records leaves one that is stored as it is.
    record: Option<JsonObject>,
    /// What the actor is to the case; as it is now when null, and of a new one `CONNECTION`.
    #[graphql(name = "type")]
    kind: Option<CaseActorType>,
    /// Fields of your own, as a JSON object of at most 10,000 characters; as they are now when null.
    custom_data: Option<JsonObject>,
}

impl AddCaseActorInput {
    fn into_added(self) -> CaseActorToAdd {
        let actor = match (self.actor_id, self.record) {
            (Some(id), None) => NamedActor::Id(id),
            (None, Some(record)) => NamedActor::Record(record),
            _ => NamedActor::Unclear,
        };
        CaseActorToAdd { actor, kind: self.kind, custom_data: self.custom_data }
    }
}

/// Sets custom properties of an actor of a case.
#[derive(InputObject)]
pub struct SetCaseActorPropertiesInput {
    /// The case that says them of the actor.
    case_id: CaseId,
    /// An actor of the case.
    actor_id: ActorId,
    /// Properties, each name once, 200 at most. Others stay.
    properties: Vec<CustomPropertyInput>,
    /// The `version` of the case by which this was decided; any, when null.
    expected_version: Option<i32>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// The result of adding actors to a case.
#[derive(SimpleObject)]
pub struct AddCaseActorsPayload {
    /// The case as it is now; null where there is none.
    case: Option<CaseNode>,
    /// The actors among those of the case, in the order of the input; empty where nothing was done.
    actor_edges: Vec<CaseActorEdge>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
}

/// The result of an act on an actor of a case.
#[derive(SimpleObject)]
pub struct CaseActorPayload {
    /// The case as it is now; null where there is none.
    case: Option<CaseNode>,
    /// The actor among those of the case; null where it is none of them.
    actor_edge: Option<CaseActorEdge>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
}

#[derive(Default)]
pub struct CaseActorMutation;

#[Object]
impl CaseActorMutation {
    /// Adds actors to a case, all or none: stored ones by their ids, others with their records. One that the case has already becomes what is said now.
    #[graphql(complexity = "cost_of_items(input.actors.len(), child_complexity)")]
    async fn add_case_actors(&self, context: &Context<'_>, input: AddCaseActorsInput) -> Result<AddCaseActorsPayload> {
        let (resolvers, caller) = asking(context)?;
        let AddCaseActorsInput { case_id, actors, expected_version, idempotency_key } = input;
        let actors = actors.into_iter().map(AddCaseActorInput::into_added).collect();
        let add = AddCaseActors { case: case_id.clone(), actors, expected_version: expected_version.map(i64::from) };
        let (added, user_errors) = match with_key(idempotency_key, |key| resolvers.add_case_actors(caller, add, key)).await {
            Ok(added) => (added, Vec::new()),
            Err(error) => (Vec::new(), user_errors(Err(error))?),
        };
        let shown: Vec<SelectionField<'_>> = selected(context.field(), "actorEdges");
        let actor_edges = case_actor_edges(context, &shown, &case_id, &added).await?;
        Ok(AddCaseActorsPayload { case: case_of(context, &case_id).await?, actor_edges, user_errors })
    }

    /// Sets and clears custom properties of an actor of a case.
    async fn set_case_actor_properties(&self, context: &Context<'_>, input: SetCaseActorPropertiesInput) -> Result<CaseActorPayload> {
        let (resolvers, caller) = asking(context)?;
        let SetCaseActorPropertiesInput { case_id: case, actor_id: actor, properties, expected_version, idempotency_key } = input;
        let properties = properties.into_iter().map(CustomPropertyInput::into_change).collect();
        let set = SetCaseActorProperties { case: case.clone(), actor: actor.clone(), properties, expected_version: expected_version.map(i64::from) };
        let done = with_key(idempotency_key, |key| resolvers.set_case_actor_properties(caller, set, key)).await;
        actor_payload(context, (&case, actor), done).await
    }
}

/// The payload of an act on an actor of a case.
#[boxed]
pub async fn actor_payload(context: &Context<'_>, (case, actor): (&CaseId, ActorId), done: resolvers::Result<()>) -> Result<CaseActorPayload> {
    let user_errors = user_errors(done)?;
    let shown: Vec<SelectionField<'_>> = selected(context.field(), "actorEdge");
    let actor_edge = case_actor_edges(context, &shown, case, &[actor]).await?.into_iter().next();
    Ok(CaseActorPayload { case: case_of(context, case).await?, actor_edge, user_errors })
}
