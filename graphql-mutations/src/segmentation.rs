//! What callers change of segmentation: categories, groups, the members of groups and their owners.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::{Context, Enum, InputObject, Object, Result, SelectionField, SimpleObject};
use graph_schema::fault::Fault;
use graph_schema::given::{self, GivenList};
use graph_schema::id::{ActorId, SegmentationCategoryId, SegmentationGroupId};
use graph_schema::segmentation::{CreateSegmentationCategory, CreateSegmentationGroup, SegmentationMember};
use graphql_api::connection::{GraphNode, edges};
use graphql_api::segmentation::{CategoryEdge, CategoryNode, GroupEdge, GroupNode, MembershipEdge, category_edge, group_edge};
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, boxed, key};
use graphql_http::page::cost_of_items;
use graphql_http::refused::{message, refused};
use graphql_http::user_error::{UserErrorOf, in_camel_case};
use resolvers::explore::{ListFilter, MemberFilter, OwnerFilter, nodes};
use resolvers::{Answered, Conflict, Error, ObjectKind};
use serde_json::{Map, Value, json};

/// Adds actors to a group, or removes them from it.
#[derive(InputObject)]
pub struct SegmentationGroupMembersInput {
    /// The group whose members change.
    group_id: SegmentationGroupId,
    /// Actors, 1,000 at most.
    actor_ids: Vec<ActorId>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// Makes an actor an owner of a group, or takes that away.
#[derive(InputObject)]
pub struct SegmentationGroupOwnerInput {
    /// The group whose owners change.
    group_id: SegmentationGroupId,
    /// The actor that owns the group, or did.
    actor_id: ActorId,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// A group to be made.
#[derive(InputObject)]
pub struct CreateSegmentationGroupInput {
    /// The category that the group belongs to, for good.
    category_id: SegmentationCategoryId,
    /// No other group of the category has it: 1 to 256 characters that can be seen.
    name: String,
    /// What the group is for, in 4,000 characters at most; none when null.
    description: Option<String>,
    /// The same key and input again make nothing more.
    idempotency_key: Option<String>,
}

/// A category to be made.
#[derive(InputObject)]
pub struct CreateSegmentationCategoryInput {
    /// No other category has it: 1 to 256 characters that can be seen.
    name: String,
    /// What the category is for, in 4,000 characters at most; none when null.
    description: Option<String>,
    /// The same key and input again make nothing more.
    idempotency_key: Option<String>,
}

/// The results of adding actors to a group, or of removing them.
#[derive(SimpleObject)]
pub struct SegmentationGroupMembersPayload {
    /// The group as it is now; null where there is none.
    group: Option<GroupNode>,
    /// One for each actor, in the order in which the input names them first. One that is refused does not stop the others.
    results: Vec<SegmentationGroupMemberResult>,
    /// Why nothing was done of the whole; empty when there are results.
    user_errors: Vec<SegmentationUserError>,
}

/// What became of one actor.
#[derive(SimpleObject)]
pub struct SegmentationGroupMemberResult {
    /// The actor, as the input names it.
    actor_id: ActorId,
    /// The actor among the members of the group; null where it is no member now.
    member_edge: Option<MembershipEdge>,
    /// Why nothing was done with it; empty when it was, and where nothing had to change.
    user_errors: Vec<SegmentationUserError>,
}

/// The result of a change of the owners of a group.
#[derive(SimpleObject)]
pub struct SegmentationGroupOwnerPayload {
    /// The group as it is now; null where there is none.
    group: Option<GroupNode>,
    /// The actor among the owners of the group; null where it is no owner now.
    owner_edge: Option<MembershipEdge>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<SegmentationUserError>,
}

/// The result of making a group.
#[derive(SimpleObject)]
pub struct SegmentationGroupPayload {
    /// The group that was made; null where none was.
    group: Option<GroupNode>,
    /// The group in the list `segmentationGroups`; null where none was made.
    group_edge: Option<GroupEdge>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<SegmentationUserError>,
}

/// The result of making a category.
#[derive(SimpleObject)]
pub struct SegmentationCategoryPayload {
    /// The category that was made; null where none was.
    category: Option<CategoryNode>,
    /// The category in the list `segmentationCategories`; null where none was made.
    category_edge: Option<CategoryEdge>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<SegmentationUserError>,
}

/// Why something was not done.
pub type SegmentationUserError = UserErrorOf<SegmentationErrorCode>;

/// Why something was not done.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum SegmentationErrorCode {
    /// There is no such category, group or actor, or the actor does not own the group.
    NotFound,
    /// The input breaks a rule.
    Invalid,
    /// The name must be unique, and another has it.
    Taken,
}

#[derive(Default)]
pub struct SegmentationMutation;

#[Object]
impl SegmentationMutation {
    /// Adds actors to a group. Those that are members already stay as they are. For analysts, supervisors and administrators.
    #[graphql(complexity = "cost_of_items(input.actor_ids.len(), child_complexity)")]
    async fn add_segmentation_group_members(
        &self,
        context: &Context<'_>,
        input: SegmentationGroupMembersInput,
    ) -> Result<SegmentationGroupMembersPayload> {
        let (resolvers, caller) = asking(context)?;
        let SegmentationGroupMembersInput { group_id, actor_ids, idempotency_key } = input;
        let done = async {
            // Who may change and not see is to know before.
            resolvers.may_explore(caller)?;
            let answered = resolvers.add_segmentation_members(caller, &group_id, members(&actor_ids)?, key(idempotency_key)?).await?;
            serde_json::from_str::<BTreeMap<String, bool>>(&answered.text).map_err(unreadable)
        };
        let done = done.await;
        members_payload(context, &group_id, actor_ids, done).await
    }

    /// Removes actors from a group. Those that are no members stay out. For analysts, supervisors and administrators.
    #[graphql(complexity = "cost_of_items(input.actor_ids.len(), child_complexity)")]
    async fn remove_segmentation_group_members(
        &self,
        context: &Context<'_>,
        input: SegmentationGroupMembersInput,
    ) -> Result<SegmentationGroupMembersPayload> {
        let (resolvers, caller) = asking(context)?;
        let SegmentationGroupMembersInput { group_id, actor_ids, idempotency_key } = input;
        let done = async {
            resolvers.may_explore(caller)?;
            resolvers.remove_segmentation_members(caller, &group_id, members(&actor_ids)?, key(idempotency_key)?).await?;
            // Whoever was named is out now, also one that has never come.
            Ok::<_, Error>(BTreeMap::new())
        };
        let done = done.await;
        members_payload(context, &group_id, actor_ids, done).await
    }

    /// Makes an actor an owner of a group: only a group with an owner is monitored. One that is an owner already stays one. For administrators.
    async fn add_segmentation_group_owner(&self, context: &Context<'_>, input: SegmentationGroupOwnerInput) -> Result<SegmentationGroupOwnerPayload> {
        let (resolvers, caller) = asking(context)?;
        let SegmentationGroupOwnerInput { group_id, actor_id, idempotency_key } = input;
        let done = async {
            resolvers.may_explore(caller)?;
            resolvers.put_segmentation_owner(caller, &group_id, &actor_id, key(idempotency_key)?).await
        };
        owner_payload(context, &group_id, &actor_id, done.await).await
    }

    /// Takes the ownership of a group from an actor. For administrators.
    async fn remove_segmentation_group_owner(
        &self,
        context: &Context<'_>,
        input: SegmentationGroupOwnerInput,
    ) -> Result<SegmentationGroupOwnerPayload> {
        let (resolvers, caller) = asking(context)?;
        let SegmentationGroupOwnerInput { group_id, actor_id, idempotency_key } = input;
        let done = async {
            resolvers.may_explore(caller)?;
            resolvers.remove_segmentation_owner(caller, &group_id, &actor_id, key(idempotency_key)?).await
        };
        owner_payload(context, &group_id, &actor_id, done.await).await
    }

    /// Makes a group in a category. For administrators.
    async fn create_segmentation_group(&self, context: &Context<'_>, input: CreateSegmentationGroupInput) -> Result<SegmentationGroupPayload> {
        let (resolvers, caller) = asking(context)?;
        let CreateSegmentationGroupInput { category_id, name, description, idempotency_key } = input;
        let body = body([("category_id", json!(category_id)), ("name", json!(name)), ("description", json!(description))]);
        let done = async {
            resolvers.may_explore(caller)?;
            let given = given::read::<CreateSegmentationGroup>(body.as_bytes())?;
            made(&resolvers.create_segmentation_group(caller, given, key(idempotency_key)?).await?)
        };
        let id = match done.await {
            Ok(id) => id,
            Err(error) => return Ok(SegmentationGroupPayload { group: None, group_edge: None, user_errors: user_errors(error)? }),
        };
        let shown = selected(context.field(), "groupEdge");
        // What nobody asks for is not read.
        let group_edge = if shown.is_empty() { None } else { group_edge(context, &shown, &id).await? };
        Ok(SegmentationGroupPayload { group: group(context, &id).await?, group_edge, user_errors: Vec::new() })
    }

    /// Makes a category. For administrators.
    async fn create_segmentation_category(
        &self,
        context: &Context<'_>,
        input: CreateSegmentationCategoryInput,
    ) -> Result<SegmentationCategoryPayload> {
        let (resolvers, caller) = asking(context)?;
        let CreateSegmentationCategoryInput { name, description, idempotency_key } = input;
        let body = body([("name", json!(name)), ("description", json!(description))]);
        let done = async {
            resolvers.may_explore(caller)?;
            let given = given::read::<CreateSegmentationCategory>(body.as_bytes())?;
            made(&resolvers.create_segmentation_category(caller, given, key(idempotency_key)?).await?)
        };
        let id = match done.await {
            Ok(id) => id,
            Err(error) => return Ok(SegmentationCategoryPayload { category: None, category_edge: None, user_errors: user_errors(error)? }),
        };
        let shown = selected(context.field(), "categoryEdge");
        let category_edge = if shown.is_empty() { None } else { category_edge(context, &shown, &id).await? };
        let fields = selected(context.field(), "category");
        let category = At::find_for(context, fields, &nodes::SEGMENTATION_CATEGORY, &id).await?.map(CategoryNode::new).transpose()?;
        Ok(SegmentationCategoryPayload { category, category_edge, user_errors: Vec::new() })
    }
}

/// The actors as the body of a request over REST has them, so that they are checked as there.
fn members(ids: &[ActorId]) -> resolvers::Result<GivenList<SegmentationMember>> {
    let ids: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
    Ok(given::read_list(json!(ids).to_string().as_bytes())?)
}

/// A body as REST takes it: what is null is absent.
fn body<const N: usize>(fields: [(&str, Value); N]) -> String {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.collect::<Map<String, Value>>()).to_string()
}

/// The id of what was made.
fn made(answered: &Answered) -> resolvers::Result<String> {
    let answer: Value = serde_json::from_str(&answered.text).map_err(unreadable)?;
    answer["id"].as_str().map(str::to_owned).ok_or_else(|| Error::Internal("what was made has no id".to_owned()))
}

fn unreadable(error: serde_json::Error) -> Error {
    Error::Internal(format!("an answer that is kept can't be read: {error}"))
}

/// The group as it is now, as far as the payload's field `group` asks for it.
#[boxed]
async fn group(context: &Context<'_>, id: &str) -> Result<Option<GroupNode>> {
    let fields = selected(context.field(), "group");
    At::find_for(context, fields, &nodes::SEGMENTATION_GROUP, id).await?.map(GroupNode::new).transpose()
}

/// The payload of a change of members: `done` has those of whom it says whether they are members now.
#[boxed]
async fn members_payload(
    context: &Context<'_>,
    id: &SegmentationGroupId,
    actors: Vec<ActorId>,
    done: resolvers::Result<BTreeMap<String, bool>>,
) -> Result<SegmentationGroupMembersPayload> {
    let are_members = match done {
        Ok(are_members) => are_members,
        Err(error) => {
            let user_errors = user_errors(error)?;
            return Ok(SegmentationGroupMembersPayload { group: group(context, id.as_str()).await?, results: Vec::new(), user_errors });
        }
    };
    let results = selected(context.field(), "results");
    let shown: Vec<SelectionField<'_>> = results.iter().flat_map(|field| selected(*field, "memberEdge")).collect();
    let filter = MemberFilter { actors: Some(actors.clone()), ..MemberFilter::default() };
    let mut members = memberships(context, &shown, id, "actors", (ListFilter::Members(filter), actors.len())).await?;
    let mut seen = BTreeSet::new();
    let named = actors.into_iter().enumerate().filter(|(_, actor)| seen.insert(actor.clone()));
    let result = |(at, actor_id): (usize, ActorId)| {
        let is_unknown = are_members.get(actor_id.as_str()) == Some(&false);
        let unknown = || not_found(&Error::not_found(ObjectKind::SegmentationActor, actor_id.as_str()), &["actorIds", &at.to_string()]);
        let user_errors = if is_unknown { vec![unknown()] } else { Vec::new() };
        let member_edge = members.iter().position(|edge| edge.node.at().id() == actor_id.as_str()).map(|place| members.swap_remove(place));
        SegmentationGroupMemberResult { actor_id, member_edge, user_errors }
    };
    let results = named.map(result).collect();
    Ok(SegmentationGroupMembersPayload { group: group(context, id.as_str()).await?, results, user_errors: Vec::new() })
}

/// The payload of a change of owners.
#[boxed]
async fn owner_payload(
    context: &Context<'_>,
    id: &SegmentationGroupId,
    actor: &ActorId,
    done: resolvers::Result<Answered>,
) -> Result<SegmentationGroupOwnerPayload> {
    let user_errors = done.map_or_else(user_errors, |_| Ok(Vec::new()))?;
    let shown = selected(context.field(), "ownerEdge");
    let filter = OwnerFilter { actor: Some(actor.clone()), known_at: None };
    let owners = memberships(context, &shown, id, "owners", (ListFilter::Owners(filter), 1)).await?;
    Ok(SegmentationGroupOwnerPayload { group: group(context, id.as_str()).await?, owner_edge: owners.into_iter().next(), user_errors })
}

/// Edges of a group to some actors, at most so many; none where no field shows them.
#[boxed]
async fn memberships(
    context: &Context<'_>,
    shown: &[SelectionField<'_>],
    id: &SegmentationGroupId,
    link: &str,
    found_by: (ListFilter, usize),
) -> Result<Vec<MembershipEdge>> {
    if shown.is_empty() {
        return Ok(Vec::new());
    }
    edges(context, shown, &nodes::SEGMENTATION_GROUP, id.as_str(), link, found_by).await
}

/// What the caller can do something about, each with its place; all else is an error of the field.
fn user_errors(error: Error) -> Result<Vec<SegmentationUserError>> {
    let taken = |error: &Error| SegmentationUserError { code: SegmentationErrorCode::Taken, message: message(error), path: path(["name"]) };
    match error {
        Error::NotFound { kind, .. } => {
            let field = match kind {
                ObjectKind::SegmentationGroup => "groupId",
                ObjectKind::SegmentationCategory => "categoryId",
                _ => "actorId",
            };
            Ok(vec![not_found(&error, &[field])])
        }
        Error::Conflict(Conflict::NameTaken) => Ok(vec![taken(&error)]),
        Error::Unreadable(faults) | Error::Invalid(faults) => Ok(faults.iter().map(invalid).collect()),
        error => Err(refused(error)),
    }
}

fn not_found(error: &Error, at: &[&str]) -> SegmentationUserError {
    SegmentationUserError { code: SegmentationErrorCode::NotFound, message: message(error), path: path(at.iter().copied()) }
}

fn invalid(fault: &Fault) -> SegmentationUserError {
    let path = path_of(&fault.at);
    SegmentationUserError { code: SegmentationErrorCode::Invalid, message: format!("{}: {}", path.join("."), fault.problem), path }
}

fn path<'a>(fields: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    std::iter::once("input").chain(fields).map(str::to_owned).collect()
}

/// The place in the input of what a body over REST calls so: `category_id`, or `[3]` of a body that is a list, which only lists of actors are.
fn path_of(at: &str) -> Vec<String> {
    let is_of_list = at == "body" || at.starts_with('[');
    let names = at.split(['.', '[', ']']).filter(|name| !name.is_empty() && *name != "body").map(in_camel_case);
    path(is_of_list.then_some("actorIds")).into_iter().chain(names).collect()
}
