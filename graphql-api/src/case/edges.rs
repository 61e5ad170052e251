//! Edges that payloads answer with, so that a client adds what was made to a list that it shows. Their cursors are those of the lists in their usual orders.

use async_graphql::connection::EmptyFields;
use async_graphql::{Context, Result, SelectionField};
use graph_schema::edge::CaseActorFields;
use graph_schema::id::{ActorId, CaseId};
use resolvers::explore::{CaseActorFilter, ListFilter, lists, nodes};

use super::super::actor::ActorNode;
use super::super::connection::{CaseActors, CaseComments, Cases, Communications, GraphNode, NodeEdge, edge_by_id, edge_in_time, edge_of_list, edges};
use super::super::walk::{At, selected};
use super::{CaseNode, CommentNode, CommunicationNode};
use crate::boxed;

/// An edge of the list of cases.
pub type CaseEdge = NodeEdge<CaseNode, EmptyFields, Cases>;
/// An edge of the actors of a case.
pub type CaseActorEdge = NodeEdge<ActorNode, CaseActorFields, CaseActors>;
/// An edge of the comments on a case.
pub type CommentEdge = NodeEdge<CommentNode, EmptyFields, CaseComments>;
/// An edge of the communications of a case.
pub type CommunicationEdge = NodeEdge<CommunicationNode, EmptyFields, Communications>;

/// The edge of a case; `fields` are those of the document that show it. What nobody asks for is not read.
#[boxed]
pub async fn case_edge(context: &Context<'_>, fields: &[SelectionField<'_>], id: &str) -> Result<Option<CaseEdge>> {
    if fields.is_empty() {
        return Ok(None);
    }
    let below = fields.iter().flat_map(|field| selected(*field, "node"));
    let Some(at) = At::find_for(context, below, &nodes::CASE, id).await? else { return Ok(None) };
    let case = CaseNode::new(at)?;
    let made_at = case.0.summary(context).await?.created_at;
    Ok(Some(edge_of_list(&lists::CASES, case, made_at)))
}

/// The same of a comment on a case.
#[boxed]
pub async fn comment_edge(context: &Context<'_>, fields: &[SelectionField<'_>], id: &str) -> Result<Option<CommentEdge>> {
    if fields.is_empty() {
        return Ok(None);
    }
    let below = fields.iter().flat_map(|field| selected(*field, "node"));
    let Some(at) = At::find_for(context, below, &nodes::CASE_COMMENT, id).await? else { return Ok(None) };
    edge_by_id(&nodes::CASE, "comments", CommentNode::new(at)?).map(Some)
}

/// The same of a communication of a case.
#[boxed]
pub async fn communication_edge(context: &Context<'_>, fields: &[SelectionField<'_>], id: &str) -> Result<Option<CommunicationEdge>> {
    if fields.is_empty() {
        return Ok(None);
    }
    let below = fields.iter().flat_map(|field| selected(*field, "node"));
    let Some(at) = At::find_for(context, below, &nodes::COMMUNICATION, id).await? else { return Ok(None) };
    let communication = CommunicationNode::new(at)?;
    let sent_at = communication.counts_as_sent(context).await?;
    edge_in_time(&nodes::CASE, "communications", (communication, sent_at)).map(Some)
}

/// The same of actors of a case, in the order in which they are named; those that are not its actors are left out.
#[boxed]
pub async fn case_actor_edges(context: &Context<'_>, fields: &[SelectionField<'_>], case: &CaseId, actors: &[ActorId]) -> Result<Vec<CaseActorEdge>> {
    if fields.is_empty() || actors.is_empty() {
        return Ok(Vec::new());
    }
    let filter = ListFilter::CaseActors(CaseActorFilter { actors: Some(actors.to_vec()) });
    let mut found: Vec<CaseActorEdge> = edges(context, fields, &nodes::CASE, case.as_str(), "actors", (filter, actors.len())).await?;
    let place = |edge: &CaseActorEdge| actors.iter().position(|actor| actor.as_str() == edge.node.at().id());
    found.sort_by_cached_key(place);
    Ok(found)
}
