//! Communications of a case, and such as come on their own until a case names them.

use std::collections::BTreeMap;

use cypher::statements::rows::LockedCaseContents;
use cypher::{Reading, Value, WriteStatement, map, statements};
use graph_schema::bulk::BulkCommunication;
use graph_schema::case::CommunicationRecord;
use graph_schema::given::Given;
use graph_schema::id::{CaseId, CommunicationId, RequestForDataId};
use graph_schema::json_object::JsonObject;
use serde::Deserialize;
use serde_json::json;

use super::addition::{Answers, CaseAddition, looked_up};
use super::contents::StoredContents;
use super::row::{checked, described};
use super::stored::{CaseChange, absent};
use crate::policy::{Action, Permit, Subject};
use crate::queue::{Amend, Amended, Amending, Decision, LockHint, Put, Rank, Write};
use crate::{Answered, Caller, Error, IdempotencyKey, Inner, Once, Resolvers, Result, boxed};

impl Resolvers {
    /// Add a communication to a case: describes it and links it to the case and to those of its parties that are actors. Answers with `id` and `type`.
    #[boxed]
    pub async fn add_case_communication(&self, caller: &Caller, request: CaseAddition<Given<CommunicationRecord>>) -> Result<Answered> {
        let CaseAddition { case, given, request_for_data, key } = request;
        let permit = self.inner.enter(caller, Action::RecordCase, Subject::One("Case", case.as_str()))?;
        let inner = &self.inner;
        // As another answer it is another request.
        let body = format!("{request_for_data:?}\n{}", given.record);
        let answer = json!({"id": given.value.id, "type": given.value.kind}).to_string();
        let write = inner.added_communication_write(&permit, case, given, request_for_data);
        inner.answer_once(&permit, Once { key, body: &body }, answer, &Amending::<AddCommunication>::NEW, write).await
    }

    /// The same as a piece of work: who may work on cases writes down what somebody wrote to somebody. Answers with its id.
    #[boxed]
    pub async fn add_communication_by_hand(
        &self,
        caller: &Caller,
        note: AddCommunicationByHand,
        key: Option<IdempotencyKey>,
    ) -> Result<CommunicationId> {
        let permit = self.work_on(caller, &note.case)?;
        let inner = &self.inner;
        // The same request whatever id was made for it.
        let body = note.text();
        let id = note.id.clone().unwrap_or_else(|| CommunicationId::new(inner.clock.id()));
        let answer = json!({"id": id}).to_string();
        let case = note.case.clone();
        let given = checked(note.into_record(id))?;
        let write = inner.added_communication_write(&permit, case, given, None);
        let answered = inner.answer_new_once(&permit, Once { key, body: &body }, answer, &Amending::<AddCommunication>::NEW, write).await?;
        let answer: AddedByHand = serde_json::from_str(&answered.text).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(answer.id)
    }
}

/// A communication that somebody writes down for a case.
#[derive(Debug, Clone)]
pub struct AddCommunicationByHand {
    pub case: CaseId,
    /// One is made when absent.
    pub id: Option<CommunicationId>,
    /// Such as email or SMS.
    pub kind: String,
    pub subject: String,
    pub content: Option<String>,
    pub sender: CommunicationParty,
    pub receiver: CommunicationParty,
    pub custom_data: Option<JsonObject>,
}

/// Who wrote a communication, or to whom it was written.
#[derive(Debug, Clone)]
pub struct CommunicationParty {
    /// An actor's id, or any text.
    pub id: String,
    pub is_actor: bool,
}

impl AddCommunicationByHand {
    /// What is compared when a key is used again.
    fn text(&self) -> String {
        let Self { case, id, kind, subject, content, sender, receiver, custom_data } = self;
        let parties = [sender, receiver].map(|party| json!([party.id, party.is_actor]));
        json!([case, id, kind, subject, content, parties, custom_data.as_ref().map(|data| data.as_str())]).to_string()
    }

    /// The communication as systems send it.
    fn into_record(self, id: CommunicationId) -> CommunicationRecord {
        let Self { kind, subject, content, sender, receiver, custom_data, .. } = self;
        let actors = [("sender_identifiable_as_actor", sender.is_actor), ("receiver_identifiable_as_actor", receiver.is_actor)];
        let said: BTreeMap<&str, bool> = actors.into_iter().filter(|(_, is_actor)| *is_actor).collect();
        let metadata = (!said.is_empty()).then(|| JsonObject::parse(&json!(said).to_string())).flatten();
        CommunicationRecord { id, kind, receiver_id: receiver.id, sender_id: sender.id, subject, content, custom_data, metadata }
    }
}

/// What writing a communication down is answered with.
#[derive(Deserialize)]
struct AddedByHand {
    id: CommunicationId,
}

/// Describes communications that no case need have named.
pub(crate) static RECORD_COMMUNICATION: Put = Put::of(statements::communication::RECORD, Rank::Record);

impl Inner {
    /// The write that adds a communication to a case, as an answer to a request for data where it is one.
    fn added_communication_write(
        &self,
        permit: &Permit<'_>,
        case: CaseId,
        given: Given<CommunicationRecord>,
        answers: Option<RequestForDataId>,
    ) -> Write<AddedCommunication> {
        let communication = &given.value;
        let parties = communication.sending_actor().into_iter().chain(communication.receiving_actor());
        let locks: Vec<LockHint> = parties.map(|actor| LockHint::of("Actor", actor.as_str())).collect();
        let id = communication.id.to_string();
        let entry = self.entry(permit, "Case", case.as_str(), "case.communication.added").in_case(case.as_str()).with_new_value(given.record.clone());
        let row = AddedCommunication { case, given, answers, by: permit.caller().id.clone() };
        Write::new(row, entry).locking(locks).describing("Communication", &id)
    }

    /// A communication on its own: cases name it by its id, before or after.
    pub(crate) fn communication_write(&self, permit: &Permit<'_>, given: &Given<BulkCommunication>) -> Write<Value> {
        let id = given.value.id.as_str();
        let entry = self.entry(permit, "Communication", id, "communication.recorded").with_new_value(given.record.clone());
        let fields = Value::Map(described(&given.value, &given.record, self.clock.now()));
        let row = map([("id", id.into()), ("logicalTime", entry.acknowledged().given()), ("fields", fields)]);
        Write::new(row, entry).describing("Communication", id)
    }
}

/// A communication to be added to a case.
pub(super) struct AddedCommunication {
    case: CaseId,
    given: Given<CommunicationRecord>,
    answers: Option<RequestForDataId>,
    by: String,
}

/// Links a communication to a case, as it is described now.
pub(super) struct AddCommunication;

impl Amend for AddCommunication {
    type Row = AddedCommunication;
    type Locked = LockedCaseContents;
    type Stored = StoredContents;
    type Answer = ();

    const LOCK: Reading<LockedCaseContents> = statements::case::LOCK_CONTENTS;
    const WRITE: WriteStatement = statements::case::ADD_COMMUNICATION;
    const RANK: Rank = Rank::Case;

    fn id(added: &AddedCommunication) -> &str {
        added.case.as_str()
    }

    fn lock_row(added: &AddedCommunication, write_id: &str) -> Value {
        map([
            ("id", Self::id(added).into()),
            ("writeId", write_id.into()),
            ("communications", vec![added.given.value.id.as_str()].into()),
            ("answers", looked_up(added.answers.as_ref())),
        ])
    }

    fn size(added: &AddedCommunication) -> usize {
        1_000 + 2 * added.given.record.len()
    }

    fn decide(added: &AddedCommunication, stored: Option<StoredContents>, decision: Decision<'_>) -> Result<Amended<()>> {
        let stored = stored.ok_or_else(|| absent(&added.case))?;
        let given = &added.given.value;
        let id = given.id.as_str();
        let mut fields = described(&given.described(), &added.given.record, decision.now);
        fields.push(("senderId".into(), given.sender_id.as_str().into()));
        fields.push(("receiverId".into(), given.receiver_id.as_str().into()));
        let parties = [given.sending_actor(), given.receiving_actor()].map(|actor| actor.iter().map(ToString::to_string).collect::<Vec<_>>());
        let answers = Answers::of(added.answers.as_ref(), &stored.requests, &stored.answered, id, &added.by, &decision)?;
        let has_parties = stored.communications.get(id).is_some_and(|stored| [&stored.senders, &stored.receivers] == [&parties[0], &parties[1]]);
        let changes_nothing = !answers.completes() && has_parties && stored.communications.say(id, &fields);
        let time = stored.communications.time_of(id, &decision);
        if changes_nothing && time == stored.communications.described_at(id) {
            return Ok(Amended::nothing(()));
        }
        let [senders, receivers] = parties;
        let more = [
            ("communication", id.into()),
            ("logicalTime", time.into()),
            ("fields", Value::Map(fields)),
            ("senders", senders.into()),
            ("receivers", receivers.into()),
            ("answered", answers.rows()),
        ];
        let change = CaseChange::of(&added.case, stored.counters);
        Ok(if changes_nothing { change.noted((), more) } else { change.telling_of_an_update().amended((), &decision, more) })
    }
}
