//! The results of a subscription, one for each event, as they are told.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Context, Response, ServerError, Value};
use futures::{FutureExt, Stream, StreamExt};
use serde_json::json;
use tokio::sync::Notify;

use crate::budget::AnswerBudget;
use crate::cost::COST;
use crate::exact::subscription::Subscribed;
use crate::limits::refused;
use crate::refusal::Refusal;
use crate::serving::explain;
use crate::settings::GraphqlLimits;

/// The code of an error that says that events are missing here, and that others follow.
const GAP: &str = "GAP";

/// What an operation tells: any number of results, then its end.
#[derive(Debug, PartialEq)]
pub enum Told {
    /// A result, as JSON.
    Next(Vec<u8>),
    /// It is over for these errors, a list as JSON.
    Failed(Vec<u8>),
    Complete,
}

impl Told {
    /// It is over for these errors.
    pub fn failed(limits: &GraphqlLimits, mut errors: Vec<ServerError>) -> Self {
        errors.iter_mut().for_each(|error| explain(limits, error));
        // Nothing in an error is hard to write.
        Told::Failed(serde_json::to_vec(&errors).unwrap_or_else(|_| b"[]".to_vec()))
    }

    /// It is over, as it was when the request that asks for it would be refused by HTTP.
    pub fn refused(limits: &GraphqlLimits, refusal: Refusal) -> Self {
        let (_, code, message) = refusal.parts();
        Self::failed(limits, vec![refused(code, message)])
    }
}

/// Tells when the result of an event is begun, so that the time that it may take is counted from there. Cheap to clone; all clones share.
#[derive(Clone, Default)]
pub struct EventClock(Arc<Notify>);

impl EventClock {
    fn begin(&self) {
        self.0.notify_one();
    }

    /// Forgets what was begun.
    fn clear(&self) {
        self.0.notified().now_or_never();
    }

    /// Done when a result has been under way for so long.
    async fn out_of_time(&self, limit: Duration) {
        self.0.notified().await;
        tokio::time::sleep(limit).await;
    }
}

/// The same events, of which each has to become a result within the time of a request. Every field of a subscription answers with its events so.
pub fn in_time<T, E: Stream<Item = T>>(context: &Context<'_>, events: E) -> impl Stream<Item = T> + use<T, E> {
    let clock = context.data_opt::<EventClock>().cloned();
    events.inspect(move |_| {
        if let Some(clock) = &clock {
            clock.begin();
        }
    })
}

/// A subscription under way.
pub struct Results<'a> {
    subscribed: Subscribed<'a>,
    limits: &'a GraphqlLimits,
    budget: AnswerBudget,
    clock: EventClock,
    /// What each result says of its cost.
    cost: Option<Value>,
    is_first: bool,
    /// What came behind the first result when that was looked at.
    held: Option<Response>,
}

impl<'a> Results<'a> {
    /// `budget` and `clock` are those that the subscription's request has.
    pub fn new(subscribed: Subscribed<'a>, limits: &'a GraphqlLimits, budget: AnswerBudget, clock: EventClock) -> Self {
        Self { subscribed, limits, budget, clock, cost: None, is_first: true, held: None }
    }

    /// The same, where each result says what it costs.
    pub fn with_cost(self, cost: Option<Value>) -> Self {
        Self { cost, ..self }
    }

    /// What is told next.
    pub async fn next(&mut self) -> Told {
        self.budget.renew();
        let response = match self.held.take() {
            Some(held) => Some(held),
            None => {
                let Ok(response) = self.response().await else {
                    let text = "the result of an event took longer than it may; ask for less of each, from the last position on";
                    return Told::failed(self.limits, vec![refused("TIME_LIMIT", text.into())]);
                };
                response
            }
        };
        let Some(mut response) = response else { return Told::Complete };
        let is_first = std::mem::take(&mut self.is_first);
        if let Some(gap) = gap(&response) {
            metrics::counter!("amlgraph_live_gaps_total").increment(1);
            return self.next_of(serde_json::to_vec(&gap));
        }
        if is_first && is_of_root(&response) && self.is_over() {
            // What the field answers with could not be begun.
            return Told::failed(self.limits, response.errors);
        }
        response.errors.iter_mut().for_each(|error| explain(self.limits, error));
        response.extensions.extend(self.cost.iter().map(|cost| (COST.to_owned(), cost.clone())));
        self.next_of(self.budget.written(&response))
    }

    async fn response(&mut self) -> Result<Option<Response>, OutOfTime> {
        let response = tokio::select! {
            biased;
            response = self.subscribed.next() => Ok(response),
            () = self.clock.out_of_time(self.limits.time) => Err(OutOfTime),
        };
        self.clock.clear();
        response
    }

    /// Whether nothing comes behind what has just come. What does is held.
    fn is_over(&mut self) -> bool {
        match self.subscribed.next().now_or_never() {
            Some(None) => true,
            Some(next) => {
                self.clock.clear();
                self.held = next;
                false
            }
            None => false,
        }
    }

    fn next_of(&self, result: serde_json::Result<Vec<u8>>) -> Told {
        match result {
            Ok(result) => Told::Next(result),
            Err(error) => Told::refused(self.limits, Refusal::Defect(format!("a result could not be written: {error}"))),
        }
    }
}

/// The result of an event took too long.
struct OutOfTime;

/// Whether there is nothing but errors of the root field itself.
fn is_of_root(response: &Response) -> bool {
    response.data == Value::Null && !response.errors.is_empty() && response.errors.iter().all(|error| error.path.len() < 2)
}

/// What is told of events that are missing: no data, and where they can be found.
fn gap(response: &Response) -> Option<serde_json::Value> {
    let [error] = response.errors.as_slice() else { return None };
    let extensions = error.extensions.as_ref()?;
    if !matches!(extensions.get("code"), Some(Value::String(code)) if code == GAP) {
        return None;
    }
    let mut gap = serde_json::to_value(extensions).ok()?;
    let fields = gap.as_object_mut()?;
    fields.remove("code");
    fields.insert("message".to_owned(), error.message.as_str().into());
    Some(json!({"data": null, "extensions": {"gap": gap}}))
}

#[cfg(test)]
mod tests;
