//! What is added to a case (an actor, a communication, a file), and the request for data that it answers.

use cypher::statements::rows::{AnsweredRequest, OpenRequest};
use cypher::{Value, map};
use graph_schema::id::{CaseId, RequestForDataId};
use graph_schema::request_for_data::RequestStatus;

use crate::queue::Decision;
use crate::values::word;
use crate::{Error, IdempotencyKey, Result};

/// A request that adds something to a case.
pub struct CaseAddition<T> {
    pub case: CaseId,
    pub given: T,
    /// The request for data that this answers.
    pub request_for_data: Option<RequestForDataId>,
    pub key: Option<IdempotencyKey>,
}

/// The header in which the request for data is named.
const AT: &str = "service-rfd-id";

/// The request for data that an addition is said to answer, as a write statement takes it.
pub(super) enum Answers {
    /// It is completed by this: the row that says so.
    Completing(Value),
    /// There is none, or this has completed it before.
    Nothing,
}

impl Answers {
    /// What becomes of the request that is `named`. It must be an open one of this case, or one that the same `addition` (its id) has completed: that
    /// is an answer that is sent again.
    pub fn of(
        named: Option<&RequestForDataId>,
        open: &[OpenRequest],
        before: &[AnsweredRequest],
        addition: &str,
        by: &str,
        decision: &Decision<'_>,
    ) -> Result<Self> {
        let Some(named) = named else { return Ok(Self::Nothing) };
        if before.iter().any(|request| request.id == named.as_str() && request.by == addition) {
            return Ok(Self::Nothing);
        }
        if !open.iter().any(|request| request.id == named.as_str()) {
            return Err(Error::invalid(AT, "must be the id of a request for data on this case that is still open"));
        }
        let props = map([
            ("status", word(&RequestStatus::Completed)),
            ("endedAt", decision.now.millis().into()),
            ("endedBy", by.into()),
            ("overdueAt", Value::Null),
        ]);
        Ok(Self::Completing(map([("id", named.as_str().into()), ("props", props)])))
    }

    pub fn completes(&self) -> bool {
        matches!(self, Self::Completing(_))
    }

    /// The list of those that are completed: one, or none.
    pub fn rows(self) -> Value {
        match self {
            Self::Completing(row) => Value::List(vec![row]),
            Self::Nothing => Value::List(Vec::new()),
        }
    }
}

/// The ids of requests that are to be looked up, for a row that locks a case.
pub(super) fn looked_up(named: Option<&RequestForDataId>) -> Value {
    let ids: Vec<&str> = named.iter().map(|id| id.as_str()).collect();
    ids.into()
}
