//! What people bring in by hand: cases, and communications of cases. It is checked as what systems send over REST.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use graph_schema::case::{CaseActorRequest, CaseActorType, CaseType, CreateCase};
use graph_schema::fault::Fault;
use graph_schema::id::{ActorId, CaseId, CommunicationId, ObservationId, WorkflowId};
use graph_schema::json_object::JsonObject;
use graphql_api::case::edges::{CaseEdge, CommunicationEdge, case_edge, communication_edge};
use graphql_api::case::{CaseNode, CommunicationNode};
use graphql_api::walk::{At, selected};
use graphql_http::asking::{asking, with_key};
use graphql_http::user_error::in_camel_case;
use resolvers::explore::nodes;
use resolvers::{AddCommunicationByHand, CommunicationParty, Error};

use super::work::{CaseUserError, case_of, user_errors};

/// Opens a case by hand.
#[derive(InputObject)]
pub struct CreateCaseInput {
    /// A UUID. The same input again with the same id makes nothing more. One is made when null.
    id: Option<CaseId>,
    /// What the case is for; `ANALYSIS`, when null.
    #[graphql(name = "type")]
    kind: Option<CaseType>,
    /// A workflow for cases of the type; the default one, when null.
    workflow_id: Option<WorkflowId>,
    /// Actors of the case, 1,000 at most. One whose record has not come is kept by its id alone, until it comes.
    #[graphql(default)]
    actors: Vec<CaseActorInput>,
    /// Observations that the case is raised from. One whose record has not come is kept by its id alone, until it comes.
    #[graphql(default)]
    observation_ids: Vec<ObservationId>,
    /// Of a filing the analysis that it comes of. A filing that is there gets no other.
    analysis_case_id: Option<CaseId>,
    /// Attributes of your own, as a JSON object. Events of the case carry them.
    metadata: Option<JsonObject>,
    /// The same key and input again make nothing more.
    idempotency_key: Option<String>,
}

/// An actor of a case.
#[derive(InputObject)]
pub struct CaseActorInput {
    /// The actor.
    actor_id: ActorId,
    /// What the actor is to the case; `CONNECTION`, when null.
    #[graphql(name = "type")]
    kind: Option<CaseActorType>,
}

/// Adds a communication to a case.
#[derive(InputObject)]
pub struct AddCaseCommunicationInput {
    /// The case that it is added to.
    case_id: CaseId,
    /// A UUID. What came before under the same id is replaced, field by field. One is made when null.
    id: Option<CommunicationId>,
    /// Such as email or SMS.
    #[graphql(name = "type")]
    kind: String,
    /// The subject line.
    subject: String,
    /// The text of the message; none, when null.
    content: Option<String>,
    /// Who wrote it: the id of an actor where `senderIsActor` is true, else any text.
    sender_id: String,
    /// Whether `senderId` is the id of an actor.
    #[graphql(default)]
    sender_is_actor: bool,
    /// To whom it was written: the id of an actor where `receiverIsActor` is true, else any text.
    receiver_id: String,
    /// Whether `receiverId` is the id of an actor.
    #[graphql(default)]
    receiver_is_actor: bool,
    /// Fields of your own, as a JSON object of at most 10,000 characters.
    custom_data: Option<JsonObject>,
    /// The same key and input again change nothing more.
    idempotency_key: Option<String>,
}

/// The result of opening a case.
#[derive(SimpleObject)]
pub struct CreateCasePayload {
    /// The case that was opened; null where none was.
    case: Option<CaseNode>,
    /// The case in the list `cases`; null where none was opened.
    case_edge: Option<CaseEdge>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
}

/// The result of adding a communication to a case.
#[derive(SimpleObject)]
pub struct AddCaseCommunicationPayload {
    /// The case as it is now; null where there is none.
    case: Option<CaseNode>,
    /// The communication that was added; null where none was.
    communication: Option<CommunicationNode>,
    /// The communication among those of the case; null where none was added.
    communication_edge: Option<CommunicationEdge>,
    /// Why nothing was done; empty when it was.
    user_errors: Vec<CaseUserError>,
}

#[derive(Default)]
pub struct MakingMutation;

#[Object]
impl MakingMutation {
    /// Opens a case by hand. It begins at the first step of its workflow.
    async fn create_case(&self, context: &Context<'_>, input: CreateCaseInput) -> Result<CreateCasePayload> {
        let (resolvers, caller) = asking(context)?;
        let CreateCaseInput { id, kind, workflow_id, actors, observation_ids, analysis_case_id: analysis, metadata, idempotency_key } = input;
        let actor = |CaseActorInput { actor_id: id, kind }| CaseActorRequest { id, kind };
        let create = CreateCase {
            id,
            kind,
            workflow_id,
            actors: Some(actors.into_iter().map(actor).collect()),
            observation_ids: Some(observation_ids),
            metadata,
            ..CreateCase::default()
        };
        match with_key(idempotency_key, |key| resolvers.create_case_by_hand(caller, create, analysis, key)).await {
            Ok(case) => {
                let case_edge = case_edge(context, &selected(context.field(), "caseEdge"), case.as_str()).await?;
                Ok(CreateCasePayload { case: case_of(context, &case).await?, case_edge, user_errors: Vec::new() })
            }
            Err(error) => Ok(CreateCasePayload { case: None, case_edge: None, user_errors: user_errors(Err(in_input(error)))? }),
        }
    }

    /// Adds a communication to a case: what somebody wrote to somebody.
    async fn add_case_communication(&self, context: &Context<'_>, input: AddCaseCommunicationInput) -> Result<AddCaseCommunicationPayload> {
        let (resolvers, caller) = asking(context)?;
        let note = AddCommunicationByHand {
            case: input.case_id.clone(),
            id: input.id,
            kind: input.kind,
            subject: input.subject,
            content: input.content,
            sender: CommunicationParty { id: input.sender_id, is_actor: input.sender_is_actor },
            receiver: CommunicationParty { id: input.receiver_id, is_actor: input.receiver_is_actor },
            custom_data: input.custom_data,
        };
        let edges = selected(context.field(), "communicationEdge");
        let (communication, communication_edge, user_errors) =
            match with_key(input.idempotency_key, |key| resolvers.add_communication_by_hand(caller, note, key)).await {
                Ok(id) => (communication_of(context, &id).await?, communication_edge(context, &edges, id.as_str()).await?, Vec::new()),
                Err(error) => (None, None, user_errors(Err(in_input(error)))?),
            };
        Ok(AddCaseCommunicationPayload { case: case_of(context, &input.case_id).await?, communication, communication_edge, user_errors })
    }
}

/// The communication, as far as the payload's field `communication` asks for it.
async fn communication_of(context: &Context<'_>, id: &CommunicationId) -> Result<Option<CommunicationNode>> {
    let fields = selected(context.field(), "communication");
    At::find_for(context, fields, &nodes::COMMUNICATION, id.as_str()).await?.map(CommunicationNode::new).transpose()
}

/// The same error with places as inputs name them: operations name them as REST does.
fn in_input(error: Error) -> Error {
    match error {
        Error::Invalid(faults) => Error::Invalid(faults.into_iter().map(|fault| Fault::new(in_camel_case(&fault.at), fault.problem)).collect()),
        other => other,
    }
}
