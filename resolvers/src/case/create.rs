//! Making a case.

use std::sync::Arc;

use cypher::statements::rows::PreparedCase;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::bulk::SingleCase;
use graph_schema::case::{CaseActorType, CaseType, CreateCase, GatheredBy};
use graph_schema::custom_property::CustomProperties;
use graph_schema::enum_name::EnumName;
use graph_schema::event::{CaseCreated, Event};
use graph_schema::given::Given;
use graph_schema::id::{CaseId, CommunicationId, StepId, UserId, WorkflowId};
use graph_schema::json_text::JsonText;
use graph_schema::workflow::default_workflow;
use serde::Deserialize;

use super::contents::StoredCommunications;
use super::custom::Definitions;
use super::row::{checked, communication, communication_ids, custom_props};
use super::stored::{Step, numbered};
use crate::audit::AuditDraft;
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::values::{json_text, word};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

impl Resolvers {
    /// Create a new Case: answers with `case_id`. The same request again makes nothing, by its `id` or by its key.
    #[boxed]
    pub async fn create_case(&self, caller: &Caller, given: Given<CreateCase>, key: Option<IdempotencyKey>) -> Result<Answered> {
        let inner = &self.inner;
        let id = given.value.id.clone().unwrap_or_else(|| CaseId::new(inner.clock.id()));
        let permit = inner.enter(caller, Action::RecordCase, Subject::One("Case", id.as_str()))?;
        inner.make_case(&permit, id, (given, None), key).await
    }

    /// The same as a piece of work: who may work on cases opens one by hand, a filing also as one that comes of an analysis. Answers with its id.
    #[boxed]
    pub async fn create_case_by_hand(
        &self,
        caller: &Caller,
        create: CreateCase,
        analysis: Option<CaseId>,
        key: Option<IdempotencyKey>,
    ) -> Result<CaseId> {
        let inner = &self.inner;
        let id = create.id.clone().unwrap_or_else(|| CaseId::new(inner.clock.id()));
        let permit = inner.enter(caller, Action::WorkOnCase, Subject::One("Case", id.as_str()))?;
        if analysis.is_some() && create.case_type() != CaseType::Filing {
            return Err(Error::invalid(ANALYSIS, "must be left out: a filing alone comes of an analysis, and this case is none"));
        }
        let answered = inner.make_case(&permit, id, (checked(create)?, analysis), key).await?;
        let answer: CaseMade = serde_json::from_str(&answered.text).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(answer.case_id)
    }
}

/// Where the analysis is said that a filing comes of.
const ANALYSIS: &str = "analysis_case_id";

/// What making a case is answered with.
#[derive(Deserialize)]
struct CaseMade {
    case_id: CaseId,
}

impl Inner {
    /// Makes a case, which may come of an analysis, unless the same request has made it.
    async fn make_case(
        &self,
        permit: &Permit<'_>,
        id: CaseId,
        (given, analysis): (Given<CreateCase>, Option<CaseId>),
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let workflow = given.value.workflow_id.clone().unwrap_or_else(|| default_workflow(given.value.case_type()));
        let said = analysis.as_ref().map_or_else(|| given.record.clone(), |analysis| with_analysis(&given.record, analysis));
        let entry = self.entry(permit, "Case", id.as_str(), "case.created").in_case(id.as_str()).with_new_value(said.clone());
        let answer = format!(r#"{{"case_id":{}}}"#, json_text(id.as_str()));
        let more = CaseMore { analysis, ..CaseMore::default() };
        let case = NewCase { id, workflow, user: UserId::new(permit.caller().id.as_str()), given, more };
        let write = case.write(entry);
        self.answer_new_once(permit, Once { key, body: &said }, answer, &Amending::<MakeCase>::NEW, write).await
    }

    /// The write of a case of a list; `item` is its text.
    pub(super) fn listed_case_write(
        &self,
        permit: &Permit<'_>,
        case: SingleCase,
        item: &Arc<str>,
        definitions: &Definitions,
    ) -> Result<Write<NewCase>> {
        let SingleCase { id, create, communication_ids, update } = case;
        // What is null is absent.
        let custom = CustomProperties::default().followed_by(&update.custom_properties);
        let mut faults = Vec::new();
        definitions.check(&custom, &custom, "", &mut faults);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let workflow = create.workflow_id.clone().unwrap_or_else(|| default_workflow(create.case_type()));
        let entry = self.entry(permit, "Case", id.as_str(), "case.created").in_case(id.as_str()).with_new_value(Arc::clone(item));
        let resolution = update.fields.resolution.filter(|resolution| !resolution.is_null());
        let more = CaseMore { communications: communication_ids, resolution, custom_properties: custom, ..CaseMore::default() };
        let given = Given { value: create, record: Arc::clone(item) };
        let case = NewCase { id, workflow, user: UserId::new(permit.caller().id.as_str()), given, more };
        Ok(case.write(entry))
    }
}

/// A case to be made.
pub(crate) struct NewCase {
    pub id: CaseId,
    pub workflow: WorkflowId,
    pub user: UserId,
    pub given: Given<CreateCase>,
    pub more: CaseMore,
}

impl NewCase {
    /// The write that makes it.
    fn write(self, entry: AuditDraft) -> Write<Self> {
        let mut locks = linked(&self.given.value, &self.more.communications);
        locks.extend(self.more.analysis.iter().map(|analysis| LockHint::of("Case", analysis.as_str())));
        let described = self.communication_ids();
        described.iter().fold(Write::new(self, entry).locking(locks), |write, id| write.describing("Communication", id))
    }

    /// The ids of the communications that it describes.
    fn communication_ids(&self) -> Vec<String> {
        communication_ids(&self.id, self.given.value.communications.as_deref().unwrap_or_default())
    }
}

/// The nodes that a case is linked to, but for the communications that it describes.
pub(super) fn linked(given: &CreateCase, communications: &[CommunicationId]) -> Vec<LockHint> {
    let actors = given.case_actors().into_iter().map(|(actor, _)| LockHint::of("Actor", actor.as_str()));
    let observations = given.observation_ids.iter().flatten().map(|id| LockHint::of("Observation", id.as_str()));
    let named = communications.iter().map(|id| LockHint::of("Communication", id.as_str()));
    actors.chain(observations).chain(named).collect()
}

/// What a case of a list says from the beginning, and one that is made alone is told later.
#[derive(Default)]
pub(crate) struct CaseMore {
    communications: Vec<CommunicationId>,
    resolution: Option<JsonText>,
    custom_properties: CustomProperties,
    /// Of a case in which detection gathers findings.
    gathered: Option<GatheredBy>,
    /// Of a filing that comes of one.
    analysis: Option<CaseId>,
}

impl CaseMore {
    /// Of a case in which detection gathers findings, where it is one.
    pub(super) fn gathered(by: Option<GatheredBy>) -> Self {
        Self { gathered: by, ..Self::default() }
    }

    /// The analysis as a list.
    fn analyses(&self) -> Vec<&str> {
        self.analysis.iter().map(CaseId::as_str).collect()
    }
}

/// Where the case would begin, and by which request it was made if it is there already.
pub(crate) struct Prepared {
    record: Option<String>,
    first_step: Step,
    communications: StoredCommunications,
    /// The analysis that it is to come of, if it is one and is there.
    analyses: Vec<String>,
    /// That which it came of when it was made.
    reported: Vec<String>,
}

impl From<PreparedCase> for Prepared {
    fn from(row: PreparedCase) -> Self {
        let first_step = Step { node: row.step, id: StepId::new(row.step_id), status: row.status, state: row.state };
        let communications = StoredCommunications::of(row.communications, row.clock);
        Self { record: row.record, first_step, communications, analyses: row.analyses, reported: row.reported }
    }
}

/// Makes a case, unless the same request has made it.
pub(crate) struct MakeCase;

impl Amend for MakeCase {
    type Row = NewCase;
    type Locked = PreparedCase;
    type Stored = Prepared;
    type Answer = ();

    const LOCK: Reading<PreparedCase> = statements::case::PREPARE;
    const WRITE: WriteStatement = statements::case::CREATE;
    const RANK: Rank = Rank::Case;

    fn id(case: &NewCase) -> &str {
        case.id.as_str()
    }

    fn lock_row(case: &NewCase, write_id: &str) -> Value {
        map([
            ("id", case.id.as_str().into()),
            ("writeId", write_id.into()),
            ("workflow", case.workflow.as_str().into()),
            ("caseType", word(&case.given.value.case_type())),
            ("communications", case.communication_ids().into()),
            ("analyses", case.more.analyses().into()),
        ])
    }

    fn size(case: &NewCase) -> usize {
        1_000 + 2 * case.given.record.len()
    }

    fn decide(case: &NewCase, prepared: Option<Prepared>, decision: Decision<'_>) -> Result<Amended<()>> {
        let Some(prepared) = prepared else {
            let kind = case.given.value.case_type().text();
            return Err(Error::invalid("workflow_id", format!("there is no workflow with this id for cases of the type {kind}")));
        };
        match &prepared.record {
            Some(record) if is_same(record, &case.given) && prepared.reported == case.more.analyses() => Ok(Amended::nothing(())),
            Some(_) => Err(Error::invalid("id", "is the id of a case that another request has made")),
            None if prepared.analyses != case.more.analyses() => Err(Error::invalid(ANALYSIS, "must be the id of a case of the type ANALYSIS")),
            None => Ok(made(case, &prepared.first_step, &prepared.communications, &decision)),
        }
    }
}

/// The case as it begins, and the event that tells of it.
pub(super) fn made(case: &NewCase, first_step: &Step, communications: &StoredCommunications, decision: &Decision<'_>) -> Amended<()> {
    let event = Event::CaseCreated(CaseCreated {
        id: case.id.clone(),
        user_id: case.user.clone(),
        process_id: case.workflow.clone(),
        metadata: case.given.value.metadata.clone(),
    });
    let events = numbered(vec![event], 0, decision);
    Amended::by((), row(case, first_step, communications, decision)).telling(events)
}

/// What is said of a filing that comes of an analysis. It names its type, so that it is never empty.
fn with_analysis(record: &str, analysis: &CaseId) -> Arc<str> {
    Arc::from(record.replacen('{', &format!(r#"{{"{ANALYSIS}":{},"#, json_text(analysis.as_str())), 1))
}

/// However it is laid out.
fn is_same(record: &str, given: &Given<CreateCase>) -> bool {
    record == &*given.record || serde_json::from_str::<CreateCase>(record).is_ok_and(|stored| stored == given.value)
}

fn row(case: &NewCase, step: &Step, communications: &StoredCommunications, decision: &Decision<'_>) -> Value {
    let given = &case.given.value;
    let now = decision.now;
    let kind = given.case_type();
    let caption = match kind {
        CaseType::Analysis => "Analysis",
        CaseType::Filing => "Filing",
    };
    let mut props = vec![
        ("name", format!("{caption} {}", case.id).into()),
        ("type", word(&kind)),
        ("source", "API".into()),
        ("workflowId", case.workflow.as_str().into()),
        ("createdAt", given.created_at.unwrap_or(now).millis().into()),
        ("updatedAt", now.millis().into()),
        ("recordedAt", now.millis().into()),
        ("metadata", given.metadata.as_ref().map(|data| data.as_str()).into()),
        ("record", (&*case.given.record).into()),
        ("version", 1i64.into()),
        ("eventSequence", 1i64.into()),
    ];
    props.extend(step.props());
    let more = &case.more;
    if let Some(resolution) = &more.resolution {
        props.push(("resolution", resolution.as_str().into()));
    }
    if let Some(by) = more.gathered {
        props.push(("gatheredBy", word(&by)));
    }
    let props =
        props.into_iter().map(|(name, value)| (name.into(), value)).chain(custom_props(&more.custom_properties, more.custom_properties.names()));
    // Locked in one order everywhere.
    let mut actors = given.case_actors();
    actors.sort_by(|a, b| a.0.cmp(&b.0));
    let of_type = |wanted: CaseActorType| -> Value {
        let of_it = actors.iter().filter(|(_, kind)| *kind == wanted);
        Value::List(of_it.map(|(id, _)| map([("id", id.as_str().into()), ("props", Value::Map(Vec::new()))])).collect())
    };
    let mut observations: Vec<&str> = given.observation_ids.iter().flatten().map(|id| id.as_str()).collect();
    observations.sort_unstable();
    observations.dedup();
    let ids = case.communication_ids();
    let described = given.communications.iter().flatten().zip(&ids);
    let described = described.map(|(given, id)| (id.as_str(), communication(given, id, communications.get(id))));
    let described = communications.described(described, decision);
    let named: Vec<&str> = more.communications.iter().map(|id| id.as_str()).collect();
    map([
        ("id", case.id.as_str().into()),
        ("props", Value::Map(props.collect())),
        ("step", step.node.as_str().into()),
        ("focal", of_type(CaseActorType::Focal)),
        ("connected", of_type(CaseActorType::Connection)),
        ("observations", observations.into()),
        ("linkedAt", now.millis().into()),
        ("linkedBy", decision.entry.id().into()),
        ("by", case.user.as_str().into()),
        ("named", named.into()),
        ("logicalTime", decision.entry.acknowledged().given()),
        ("described", Value::List(described.rows)),
        ("analyses", more.analyses().into()),
    ])
}
