//! Events on their way to webhooks.
//!
//! A change leaves its events in its own transaction, as `(:Event:Pending)`. From there:
//! 1. **Fan-out** ([`fan_out`], the job `events`, one worker at a time) takes `Pending` away and makes a `Delivery` for each webhook that is to be told,
//!    in the same transaction. It puts it into the *lane* of that webhook and that case.
//! 2. **Couriers** ([`courier`], the job `deliveries`, all workers beside each other) claim lanes that are due, and deliver what stands first in each:
//!    so the events of one case reach one webhook in order, and what fails holds back its own case there and nothing else. A lane is held by a lease
//!    ([`lane`]); a courier that dies lets it run out, and what it was at goes again: at least once, with the same id.
//! 3. **Settling** ([`settle`]): how attempts went is written for many lanes in one transaction, which also looks what is next in each.
//!
//! [`endpoint`] says how many deliveries a receiver may have under way, so that a slow one keeps nobody waiting but itself, and [`endpoints`] how many may
//! wait for each; [`send`] makes the request (Standard Webhooks 1.0), to no address that [`address`] forbids; [`verdict`] says what follows from the
//! answer.
//!
//! In the graph: `(:Delivery)-[:TELLS]->(:Event)`, `-[:GOES_TO]->(:Webhook)`, `-[:WAITS_IN]->(:DeliveryLane {dueAt, holder})`; statements in
//! `cypher/statements/delivery`. `dueAt` is when somebody may take a lane: at once, after a failure, or when a lease has run out.

pub mod address;
mod courier;
pub(crate) mod endpoint;
pub(crate) mod endpoints;
mod fan_out;
pub(crate) mod lane;
pub(crate) mod send;
mod settle;
pub(crate) mod verdict;

use std::time::Duration;

pub(crate) use courier::Courier;
pub(crate) use fan_out::fan_out;
pub(crate) use send::{envelope, guarded_client};

use crate::clock::millis;

/// The job that makes deliveries of events, for who stores events.
pub(crate) const EVENTS_JOB: &str = "events";
/// The job that delivers, for who makes lanes due.
pub(crate) const DELIVERIES_JOB: &str = "deliveries";

/// Lanes that are claimed at once, and that a process holds altogether.
const AT_ONCE: usize = 256;
const MOST_HELD: usize = 2_048;

/// How long a lane is held whose attempts may take so long: for waiting for a place, the attempt, and what is written before and after it.
fn lease(attempt: Duration) -> Duration {
    attempt * 2 + Duration::from_secs(15)
}
