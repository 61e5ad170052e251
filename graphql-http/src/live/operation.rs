//! Carrying out one operation of a connection that stays open: a subscription to its end, anything else as `POST /graphql` does.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_graphql::parser::types::{ExecutableDocument, OperationType};
use async_graphql::{Executor, Request};
use futures::channel::mpsc;
use futures::{FutureExt, SinkExt};
use resolvers::Caller;

use super::places::{Full, Open, Place};
use super::results::{EventClock, Results, Told};
use super::shared::Live;
use crate::budget::AnswerBudget;
use crate::exact::subscription::subscribe;
use crate::limits::refused;
use crate::refusal::Refusal;
use crate::repeated::each_once;
use crate::selection::{operation_type, take_variables};
use crate::serving::out_of_time;

/// Where an operation tells what comes of it. One thing waits there until it is taken, so that an operation is as fast as its client.
#[derive(Clone)]
pub struct Outlet {
    sender: mpsc::Sender<Message>,
    id: Arc<str>,
    number: u64,
    /// Whether it may give any number of results; told to the connection.
    is_stream: Arc<AtomicBool>,
}

/// What the operation of this id and number tells.
pub type Message = (Arc<str>, u64, Told);

impl Outlet {
    pub fn new(sender: mpsc::Sender<Message>, id: Arc<str>, number: u64, is_stream: Arc<AtomicBool>) -> Self {
        Self { sender, id, number, is_stream }
    }

    /// Whether anybody takes it.
    pub async fn tell(&mut self, told: Told) -> bool {
        self.sender.send((Arc::clone(&self.id), self.number, told)).await.is_ok()
    }

    /// Tells a result, or what there is in its place, counted among large messages until it is taken. Whether there may be more.
    async fn tell_counted<S: Executor>(&mut self, live: &Live<S>, told: Told) -> bool {
        let mut share = live.memory.share();
        let told = match told {
            Told::Next(result) if !share.grow_to(result.len()) => {
                let text = "too many large results wait for their clients: ask for less, or again later";
                Told::failed(&live.serving.limits, vec![refused("UNAVAILABLE", text.into())])
            }
            told => told,
        };
        let may_go_on = matches!(told, Told::Next(_));
        self.tell(told).await && may_go_on
    }
}

/// What is to be carried out, and how.
pub struct Operation {
    /// A caller of its own: what it reads is noted with it.
    caller: Caller,
    request: Request,
    may_change: bool,
    /// `ws` or `sse`.
    transport: &'static str,
}

impl Operation {
    pub fn new(caller: &Caller, request: Request, may_change: bool, transport: &'static str) -> Self {
        Self { caller: caller.apart(), request, may_change, transport }
    }

    /// Carries it out, and tells all that comes of it, the end included, and of a panic that it was one.
    pub async fn carry_out<S: Executor>(self, live: Arc<Live<S>>, outlet: Outlet) {
        let mut in_place = outlet.clone();
        // The panic itself is logged where it happens.
        if AssertUnwindSafe(self.tell_all(&live, outlet)).catch_unwind().await.is_err() {
            in_place.tell(Told::refused(&live.serving.limits, Refusal::Defect("a panic".into()))).await;
        }
    }

    async fn tell_all<S: Executor>(mut self, live: &Live<S>, mut outlet: Outlet) {
        let limits = &live.serving.limits;
        let document = match live.serving.documents.parse(&mut self.request, &self.caller).await {
            Ok(document) => document,
            Err(error) => {
                outlet.tell(Told::failed(limits, vec![error])).await;
                return;
            }
        };
        match operation_type(&mut self.request) {
            Some(OperationType::Subscription) => self.subscribe(live, document.tree(), &mut outlet).await,
            Some(OperationType::Mutation) if !self.may_change => {
                outlet.tell(Told::refused(limits, Refusal::NeedsPost)).await;
            }
            _ => {
                // Its place is its own until the answer is taken, so that answers do not heap up with whoever reads none.
                // Apart, so that a subscription has no room for it as long as it lasts.
                let (told, _place) = Box::pin(self.answer(live)).await;
                if outlet.tell_counted(live, told).await {
                    outlet.tell(Told::Complete).await;
                }
            }
        }
    }

    /// The answer to a query or a mutation, and the place that it has. Those of connections that stay open have places of their own, as requests have.
    async fn answer<S: Executor>(self, live: &Live<S>) -> (Told, Option<Place>) {
        let text = match live.queries.take(&self.caller.id) {
            Ok(place) => return (self.answer_in_place(live).await, Some(place)),
            Err(Full::Caller) => "too much of this caller's is under way, try again later",
            Err(Full::Everybody) => "too much is under way, try again later",
        };
        (Told::failed(&live.serving.limits, vec![refused("UNAVAILABLE", text.into())]), None)
    }

    async fn answer_in_place<S: Executor>(self, live: &Live<S>) -> Told {
        let limits = &live.serving.limits;
        let budget = AnswerBudget::of(live.answer_bytes);
        let request = self.request.data(self.caller.clone()).data(budget.clone());
        let answer = live.serving.loader.gather(live.serving.answer_one(request, &self.caller)).await;
        if !live.noted(&self.caller).await {
            return Told::failed(limits, vec![out_of_time()]);
        }
        match answer {
            crate::serving::Answer::Refused { errors, .. } => Told::failed(limits, errors),
            answer => match budget.written(&answer) {
                Ok(result) => Told::Next(result),
                Err(error) => Told::refused(limits, Refusal::Defect(format!("an answer could not be written: {error}"))),
            },
        }
    }

    async fn subscribe<S: Executor>(self, live: &Live<S>, document: &ExecutableDocument, outlet: &mut Outlet) {
        outlet.is_stream.store(true, Ordering::Relaxed);
        let serving = &live.serving;
        let (budget, clock) = (AnswerBudget::of(live.answer_bytes), EventClock::default());
        let mut request = self.request.data(self.caller.clone()).data(budget.clone()).data(clock.clone());
        let begun = match take_variables(&mut request) {
            Ok(()) => {
                // Apart, as it is over before the first event.
                let cost = Box::pin(serving.cost(document, &request)).await;
                Box::pin(subscribe(&serving.schemas.strict, &serving.types, document, request)).await.map(|subscribed| (subscribed, cost))
            }
            Err(errors) => Err(errors),
        };
        let (subscribed, cost) = match begun {
            Ok(begun) => begun,
            Err(errors) => {
                outlet.tell(Told::failed(&serving.limits, each_once(document, errors))).await;
                return;
            }
        };
        let _open = Open::count(metrics::gauge!("amlgraph_live_subscriptions", "transport" => self.transport));
        let mut results = Results::new(subscribed, &serving.limits, budget, clock).with_cost(cost);
        loop {
            let told = serving.loader.gather(results.next()).await;
            // What can't be noted is not shown.
            let told = if live.noted(&self.caller).await { told } else { Told::failed(&serving.limits, vec![out_of_time()]) };
            if !outlet.tell_counted(live, told).await {
                return;
            }
        }
    }
}
