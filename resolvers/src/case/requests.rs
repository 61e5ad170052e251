//! Requests for data: a person asks a system for data on a case, which waits for it meanwhile. The system answers by adding something to the case
//! ([`super::addition`]), or rejects the request. A person may fulfil it, too, with something that the case has already.
//!
//! Where several are open, a case waits for all of them: it goes back where it was when the last one is rejected. That is where it was when it came to
//! wait last, whichever of them is rejected first: all that are open on a step put it back to the same one. What was asked for and has come leaves the
//! case where it stands; it is for a person to go on with it, by `RESUME`.
//!
//! Each is due at a time: as it says itself, else as its type has it, else as the settings do. One that is open then is overdue ([`super::overdue`]).

use std::time::Duration;

use cypher::statements::rows::{LockedAnswer, LockedCase, RequestRow};
use cypher::{Params, Reading, Value, WriteStatement, map, statements};
use graph_schema::date::Timestamp;
use graph_schema::event::{CaseWorkflowActioned, CaseWorkflowTransitioned, Event, RequestForDataCreated};
use graph_schema::fault::Fault;
use graph_schema::given::Given;
use graph_schema::id::{ActorId, CaseId, CommunicationId, FileId, RequestForDataId, UserId};
use graph_schema::json_object::JsonObject;
use graph_schema::json_text::JsonText;
use graph_schema::request_for_data::{RejectRequestForData, RequestForDataRecord, RequestStatus};
use graph_schema::workflow::{REQUEST_DATA, step_of_node};
use serde_json::json;

use super::custom::compiled;
use super::request_schemas::opaque;
use super::stored::{CaseChange, Counters, Move, StoredCase, absent};
use super::work::{CaseConflictKind, CaseWork, Work, conflict};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Rank, Write};
use crate::values::word;
use crate::{Answered, Caller, Error, IdempotencyKey, ObjectKind, Once, Resolvers, Result, boxed};

/// Asks a system for data on a case.
#[derive(Debug, Clone)]
pub struct RequestData {
    pub case: CaseId,
    /// By this its schema is known.
    pub kind: String,
    /// What is asked for, in the shape of that schema.
    pub request: JsonObject,
    /// Until when it is to be answered; as its type or the settings have it, when absent.
    pub due_at: Option<Timestamp>,
    pub expected_version: Option<i64>,
}

impl Resolvers {
    /// Asks a system for data on a case, which then waits for it. Told by `request_for_data.created`; answers with the request's id.
    #[boxed]
    pub async fn request_data(&self, caller: &Caller, wanted: RequestData, key: Option<IdempotencyKey>) -> Result<RequestForDataId> {
        let permit = self.work_on(caller, &wanted.case)?;
        let usual_wait = self.check_request(&permit, &wanted).await?;
        let id = RequestForDataId::new(self.inner.clock.id());
        let request = JsonText::parse(wanted.request.as_str()).map(|text| text.value());
        let said = json!({"type": wanted.kind, "request": request, "dueAt": wanted.due_at});
        let due = wanted.due_at.map_or(Due::After(usual_wait), Due::At);
        let (case, expected_version) = (wanted.case.clone(), wanted.expected_version);
        let work = Work::of(&permit, case, expected_version, AskedData { id: id.clone(), kind: wanted.kind, request: wanted.request, due });
        let write = work.written("case.data.requested", &said, &self.inner, &permit);
        let answered = self.answered(&permit, &said, write, key, id.as_str()).await?;
        Ok(RequestForDataId::new(answered.text))
    }

    /// That what is asked for has the shape of its type. Answers with how long requests of that type may wait.
    async fn check_request(&self, permit: &Permit<'_>, wanted: &RequestData) -> Result<Duration> {
        let Some(row) = self.request_schema_row(permit, &wanted.kind).await? else {
            return Err(Error::invalid("type", "must be a type of which there is a schema"));
        };
        let schema = compiled(&row.schema).map_err(|problem| Error::Internal(format!("the schema of a type of requests for data: {problem}")))?;
        let mut faults: Vec<Fault> = Vec::new();
        if let Some(request) = JsonText::parse(wanted.request.as_str()) {
            schema.check(&request, "request", &mut faults);
        }
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let seconds = row.due_within.and_then(|seconds| u64::try_from(seconds).ok());
        Ok(seconds.map_or(self.inner.settings.requests_due_within, Duration::from_secs))
    }

    /// Get RFD by Id.
    #[boxed]
    pub async fn request_for_data(&self, caller: &Caller, id: &RequestForDataId) -> Result<RequestForDataRecord> {
        let permit = self.inner.enter(caller, Action::ReadRecord, Subject::One("RequestForData", id.as_str()))?;
        self.request_row(&permit, id).await.and_then(|row| record(&row))
    }

    async fn request_row(&self, permit: &Permit<'_>, id: &RequestForDataId) -> Result<RequestRow> {
        let rows = self.inner.lookups.rows(permit, statements::request_for_data::READ, Params::none(), id.as_str()).await?;
        rows.first().cloned().ok_or_else(|| Error::not_found(ObjectKind::RequestForData, id.as_str()))
    }

    /// Reject an RFD request: it will not be answered. Answers with the request as it is then; one that is rejected already stays as it is.
    #[boxed]
    pub async fn reject_request_for_data(
        &self,
        caller: &Caller,
        id: &RequestForDataId,
        given: Given<RejectRequestForData>,
        key: Option<IdempotencyKey>,
    ) -> Result<Answered> {
        let permit = self.inner.enter(caller, Action::RecordCase, Subject::One("RequestForData", id.as_str()))?;
        let inner = &self.inner;
        let row = self.request_row(&permit, id).await?;
        if row.status == RequestStatus::Completed {
            return Err(completed());
        }
        let mut after = record(&row)?;
        if after.status == RequestStatus::Requested {
            after.status = RequestStatus::Rejected;
            after.reason = Some(given.value.reason.clone());
        }
        let answer = text(&after)?;
        // The case is what is locked; two requests of one case are rejected one after the other.
        let entry = inner.entry(&permit, "Case", &row.case_id, "case.data.rejected").in_case(&row.case_id).with_new_value(answer.clone());
        let body = format!("{id}\n{}", given.record);
        let rejected = Rejected {
            case: after.case_id,
            request: id.clone(),
            reason: given.value.reason,
            before: row.status,
            by: UserId::new(caller.id.as_str()),
        };
        let write = Write::new(rejected, entry).locking([LockHint::of("RequestForData", id.as_str())]);
        let written = inner.answer_once(&permit, Once { key, body: &body }, answer, &Amending::<Reject>::NEW, write).await;
        if row.status == RequestStatus::Requested && matches!(written, Err(Error::Invalid(_))) {
            // Somebody else has ended it since it was looked up: by rejecting it, too?
            let now = record(&self.request_row(&permit, id).await?)?;
            if now.status == RequestStatus::Rejected {
                return Ok(Answered::first(text(&now)?.into()));
            }
        }
        written
    }
}

/// A request as it is answered.
fn text(record: &RequestForDataRecord) -> Result<String> {
    serde_json::to_string(record).map_err(|error| Error::Internal(error.to_string()))
}

fn record(row: &RequestRow) -> Result<RequestForDataRecord> {
    Ok(RequestForDataRecord {
        id: RequestForDataId::new(row.id.as_str()),
        kind: row.kind.clone(),
        case_id: CaseId::new(row.case_id.as_str()),
        status: row.status,
        request: opaque(&row.request)?,
        created_at: Timestamp(row.created_at),
        due_at: Timestamp(row.due_at),
        reason: row.reason.clone(),
    })
}

fn completed() -> Error {
    Error::invalid("id", "is that of a request for data that has been completed")
}

/// A request for data that is to be made.
pub(super) struct AskedData {
    id: RequestForDataId,
    kind: String,
    request: JsonObject,
    due: Due,
}

/// When something is due.
enum Due {
    At(Timestamp),
    /// So long after it was asked for.
    After(Duration),
}

impl Due {
    /// The time, for something that is asked for now.
    fn at(&self, now: Timestamp) -> Result<Timestamp> {
        match self {
            Self::At(at) if *at <= now => Err(Error::invalid("dueAt", "must be later than now")),
            Self::At(at) => Ok(*at),
            Self::After(wait) => Ok(Timestamp(now.millis().saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)))),
        }
    }
}

impl CaseWork for AskedData {
    const WRITE: WriteStatement = statements::request_for_data::CREATE;

    fn done(work: &Work<Self>, stored: &StoredCase, decision: &Decision<'_>) -> Result<Option<Amended<()>>> {
        let allowed = stored.moves.iter().find(|allowed| allowed.action == REQUEST_DATA);
        // A case that waits for data already may be asked for more.
        let waiting = stored.requests.iter().find(|open| open.waits_at == stored.step.node);
        let (before, waits_at) = match (allowed, waiting) {
            (Some(Move { to, .. }), _) => (stored.step.node.as_str(), to.node.as_str()),
            (None, Some(open)) => (open.step_before.as_str(), stored.step.node.as_str()),
            (None, None) => return Err(conflict(CaseConflictKind::NotAllowed, stored)),
        };
        // Others that are open from when it waited before are waited for again, and put it back to where it is now.
        let comes_to_wait = stored.step.node != waits_at;
        let others = stored.requests.iter().filter(|open| comes_to_wait && open.waits_at == waits_at);
        let others: Vec<Value> = others.map(|open| map([("id", open.id.as_str().into()), ("props", map([("stepBefore", before.into())]))])).collect();
        let asked = &work.what;
        let due_at = asked.due.at(decision.now)?.millis();
        let fields = map([
            ("name", format!("{} of {}", asked.kind, work.case).into()),
            ("type", asked.kind.as_str().into()),
            ("caseId", work.case.as_str().into()),
            ("status", word(&RequestStatus::Requested)),
            ("request", asked.request.as_str().into()),
            ("createdAt", decision.now.millis().into()),
            ("dueAt", due_at.into()),
            ("overdueAt", due_at.into()),
            ("requestedBy", work.by.as_str().into()),
            ("stepBefore", before.into()),
            ("waitsAt", waits_at.into()),
        ]);
        let mut change = work.change(stored);
        let mut steps: Vec<&str> = Vec::new();
        if let Some(Move { to, .. }) = allowed {
            steps.push(&to.node);
            change = change.telling(actioned(work, stored)).telling(transitioned(&work.case, &work.by, stored, waits_at, REQUEST_DATA));
        }
        let created = RequestForDataCreated { rfd_id: asked.id.clone(), kind: asked.kind.clone(), case_id: work.case.clone() };
        let more = [
            ("request", asked.id.as_str().into()),
            ("fields", fields),
            ("steps", steps.into()),
            ("at", decision.now.millis().into()),
            ("others", Value::List(others)),
        ];
        Ok(Some(change.telling(Event::RequestForDataCreated(created)).amended((), decision, more)))
    }
}

fn actioned(work: &Work<AskedData>, stored: &StoredCase) -> Event {
    Event::CaseWorkflowActioned(CaseWorkflowActioned {
        id: work.case.clone(),
        user_id: work.by.clone(),
        action_name: REQUEST_DATA.to_owned(),
        comment: None,
        metadata: stored.metadata.clone(),
    })
}

fn transitioned(case: &CaseId, by: &UserId, stored: &StoredCase, to: &str, action: &str) -> Event {
    Event::CaseWorkflowTransitioned(CaseWorkflowTransitioned {
        id: case.clone(),
        workflow_id: stored.workflow.clone(),
        from_step_id: stored.step.id.clone(),
        to_step_id: step_of_node(&stored.workflow, to),
        user_id: by.clone(),
        action_name: action.to_owned(),
    })
}

/// A request for data that will not be answered.
pub(super) struct Rejected {
    case: CaseId,
    request: RequestForDataId,
    reason: String,
    /// As it was when it was looked up.
    before: RequestStatus,
    by: UserId,
}

/// What the event says was done to a case whose request was rejected. No workflow has it as an action.
const REJECTED: &str = "REQUEST_REJECTED";

/// Rejects a request for data, unless it has been answered meanwhile.
pub(super) struct Reject;

impl Amend for Reject {
    type Row = Rejected;
    type Locked = LockedCase;
    type Stored = StoredCase;
    type Answer = ();

    const LOCK: Reading<LockedCase> = statements::case::LOCK;
    const WRITE: WriteStatement = statements::request_for_data::REJECT;
    const RANK: Rank = Rank::Case;

    fn id(rejected: &Rejected) -> &str {
        rejected.case.as_str()
    }

    fn decide(rejected: &Rejected, stored: Option<StoredCase>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&rejected.case))?;
        let Some(request) = stored.requests.iter().find(|open| open.id == rejected.request.as_str()) else {
            return if rejected.before == RequestStatus::Rejected { Ok(Amended::nothing(())) } else { Err(completed()) };
        };
        let fields = map([
            ("status", word(&RequestStatus::Rejected)),
            ("reason", rejected.reason.as_str().into()),
            ("endedAt", decision.now.millis().into()),
            ("endedBy", rejected.by.as_str().into()),
            ("overdueAt", Value::Null),
        ]);
        let still_waits = stored.requests.iter().any(|other| other.id != request.id && other.waits_at == stored.step.node);
        // Who has moved the case on since knows where it is to be.
        let goes_back = request.waits_at == stored.step.node && request.step_before != stored.step.node && !still_waits;
        let mut change = CaseChange::of(&rejected.case, stored.counters);
        let mut steps: Vec<&str> = Vec::new();
        if goes_back {
            steps.push(&request.step_before);
            change = change.telling(transitioned(&rejected.case, &rejected.by, &stored, &request.step_before, REJECTED));
        } else {
            change = change.telling_of_an_update();
        }
        let more: [(&str, Value); 4] =
            [("request", rejected.request.as_str().into()), ("fields", fields), ("steps", steps.into()), ("at", decision.now.millis().into())];
        Ok(change.amended((), &decision, more))
    }
}

/// Something that a case has, and that answers a request for data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestAnswer {
    Actor(ActorId),
    Communication(CommunicationId),
    File(FileId),
}

impl RequestAnswer {
    fn id(&self) -> &str {
        match self {
            Self::Actor(id) => id.as_str(),
            Self::Communication(id) => id.as_str(),
            Self::File(id) => id.as_str(),
        }
    }

    /// The field of the input that names it.
    fn field(&self) -> &'static str {
        match self {
            Self::Actor(_) => "actorId",
            Self::Communication(_) => "communicationId",
            Self::File(_) => "fileId",
        }
    }

    /// Lists of ids by kind, as statements take them: one has the id.
    fn lists(&self) -> [(&'static str, Value); 3] {
        let list = |is_it: bool| Value::from(if is_it { vec![self.id()] } else { Vec::new() });
        [
            ("actors", list(matches!(self, Self::Actor(_)))),
            ("communications", list(matches!(self, Self::Communication(_)))),
            ("files", list(matches!(self, Self::File(_)))),
        ]
    }
}

impl Resolvers {
    /// Fulfils a request for data with something that its case has. The same again changes nothing. Answers with the case of the request.
    #[boxed]
    pub async fn fulfil_request_for_data(
        &self,
        caller: &Caller,
        id: &RequestForDataId,
        answer: RequestAnswer,
        key: Option<IdempotencyKey>,
    ) -> Result<CaseId> {
        let permit = self.inner.enter(caller, Action::RecordCase, Subject::One("RequestForData", id.as_str()))?;
        let inner = &self.inner;
        let case = CaseId::new(self.request_row(&permit, id).await?.case_id);
        let said = json!({"requestForData": id, answer.field(): answer.id()}).to_string();
        let entry = inner.entry(&permit, "Case", case.as_str(), "case.data.fulfilled").in_case(case.as_str()).with_new_value(said.clone());
        let row = Fulfilled { case: case.clone(), request: id.clone(), answer, by: caller.id.clone() };
        let write = Write::new(row, entry).locking([LockHint::of("RequestForData", id.as_str())]);
        inner.answer_once(&permit, Once { key, body: &said }, id.as_str(), &Amending::<Fulfil>::NEW, write).await?;
        Ok(case)
    }
}

/// A request for data and its answer.
pub(super) struct Fulfilled {
    case: CaseId,
    request: RequestForDataId,
    answer: RequestAnswer,
    by: String,
}

/// Completes a request for data that is open.
pub(super) struct Fulfil;

impl Amend for Fulfil {
    type Row = Fulfilled;
    type Locked = LockedAnswer;
    type Stored = LockedAnswer;
    type Answer = ();

    const LOCK: Reading<LockedAnswer> = statements::request_for_data::LOCK_ANSWER;
    const WRITE: WriteStatement = statements::request_for_data::COMPLETE;
    const RANK: Rank = Rank::Case;

    fn id(fulfilled: &Fulfilled) -> &str {
        fulfilled.case.as_str()
    }

    fn lock_row(fulfilled: &Fulfilled, write_id: &str) -> Value {
        let [actors, communications, files] = fulfilled.answer.lists();
        let request = fulfilled.request.as_str();
        map([("id", Self::id(fulfilled).into()), ("request", request.into()), ("writeId", write_id.into()), actors, communications, files])
    }

    fn decide(fulfilled: &Fulfilled, stored: Option<LockedAnswer>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&fulfilled.case))?;
        let answer = &fulfilled.answer;
        match stored.statuses.first() {
            None => return Err(Error::not_found(ObjectKind::RequestForData, fulfilled.request.as_str())),
            Some(RequestStatus::Completed) if stored.answered.iter().any(|id| id == answer.id()) => return Ok(Amended::nothing(())),
            Some(RequestStatus::Completed) => return Err(completed()),
            Some(RequestStatus::Rejected) => return Err(Error::invalid("id", "is that of a request for data that has been rejected")),
            Some(RequestStatus::Requested) => {}
        }
        if stored.actors.is_empty() && stored.communications.is_empty() && stored.files.is_empty() {
            return Err(Error::Invalid(vec![Fault::new(answer.field(), "must be the id of something that the case has; add it to the case first")]));
        }
        let fields = map([
            ("status", word(&RequestStatus::Completed)),
            ("endedAt", decision.now.millis().into()),
            ("endedBy", fulfilled.by.as_str().into()),
            ("overdueAt", Value::Null),
        ]);
        let counters = Counters { version: stored.version, event_sequence: stored.event_sequence };
        let change = CaseChange::of(&fulfilled.case, counters).telling_of_an_update();
        let more = [("request", fulfilled.request.as_str().into()), ("fields", fields)].into_iter().chain(answer.lists());
        Ok(change.amended((), &decision, more))
    }
}
