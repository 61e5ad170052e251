//! What is added to a case (an actor, a communication, a file), and the request for data that it answers.

use cypher::statements::rows::OpenRequest;
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

/// The requests for data that are completed, as a write statement takes them: the one that is named, or none. It must be an open one of this case.
pub(super) fn answered(named: Option<&RequestForDataId>, open: &[OpenRequest], by: &str, decision: &Decision<'_>) -> Result<Value> {
    let Some(named) = named else { return Ok(Value::List(Vec::new())) };
    if !open.iter().any(|request| request.id == named.as_str()) {
        return Err(Error::invalid(AT, "must be the id of a request for data on this case that is still open"));
    }
    let props = map([
        ("status", word(&RequestStatus::Completed)),
        ("endedAt", decision.now.millis().into()),
        ("endedBy", by.into()),
        ("overdueAt", Value::Null),
    ]);
    Ok(Value::List(vec![map([("id", named.as_str().into()), ("props", props)])]))
}
