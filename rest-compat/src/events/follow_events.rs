//! Follow events: reads the events behind a position, and waits for some where there are none.

use std::time::Duration;

use graph_schema::{
    event,
    webhook::{EVERY_EVENT, Subscription},
};
use resolvers::{EventNames, EventPage, EventPosition, EventsQuery, FollowedEvent};
use utoipa::ToSchema;

use super::LONGEST_WAIT;
use crate::{
    answer::{Answer, made},
    documented::Errors,
    fault::Failure,
    operation::{Credentials, ErrorBody, Method, Operation},
    query::{DEFAULT_LIMIT, MAX_LIMIT, Query, whole},
    rest_request::{Authenticated, RestRequest},
};

/// Not of the document.
pub(crate) const OPERATION: Operation = Operation {
    name: "Follow events",
    method: Method::Get,
    path: "/events",
    success: 200,
    errors: &[400, 410, 500],
    error_body: ErrorBody::Errors,
    credentials: Credentials::Required,
};

/// A part of the events.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct EventsPage {
    /// In the order of their positions, each once.
    events: Vec<EventAtPosition>,
    /// The position to go on with. It goes on over events of other names, and is never before the one that was given.
    next: String,
    /// Whether more can be read right away.
    more: bool,
}

/// An event in the feed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct EventAtPosition {
    /// The position behind the event: `after` with it begins at the next event.
    position: String,
    event: EventEnvelope,
}

/// An event, as webhooks are sent it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct EventEnvelope {
    id: String,
    /// Such as `case.created`.
    name: String,
    /// Milliseconds since 1970.
    created_at: i64,
    #[schema(value_type = Object)]
    data: String,
}

/// Follow events.
#[utoipa::path(
    get,
    path = OPERATION.path,
    operation_id = "follow_events",
    tag = "events",
    description = "Reads the events that webhooks are sent, each once, in the order of the change feed. Go on with `next`; it can be kept for as long as events are (seven days unless the service is configured otherwise). With `wait` an answer without events comes when the time is over. For credentials of the roles INGEST and ADMIN.",
    params(
        ("after" = Option<String>, Query, description = "The `next` of the last answer, or the position of an event; `0` is before the first change of all; where that is kept no more, the 410 says where to begin. When absent, only what comes from now on: the answer has no events, unless it waits for some", pattern = "^[0-9]{1,18}([.][1-9][0-9]{0,17})?$"),
        ("limit" = Option<i32>, Query, description = "Most events of the answer; 100 when absent", minimum = 1, maximum = 1000),
        ("types" = Option<Vec<Subscription>>, Query, description = "Names of the events to answer with, `*` for all; all when absent", style = Form, explode = false),
        ("wait" = Option<i32>, Query, description = "Seconds to wait for an event where there is none; 0 when absent", minimum = 0, maximum = 30),
    ),
    // Refusals have one type: generators of clients that know no unions (progenitor) take no more than one.
    responses(
        (status = 200, description = "the events", body = EventsPage),
        (status = 410, description = "Events behind `after` are kept no more. `oldest` beside `errors` is the position behind which all is kept, a text.", body = Errors),
        (status = 429, description = "Too many requests for events are under way, or too many wrong credentials came from this address.", body = Errors,
            headers(("Retry-After" = i64, description = "Seconds after which another try is worth it"))),
    ),
)]
pub(crate) async fn handle(Authenticated(caller): Authenticated, request: RestRequest) -> Answer {
    let query = events_query(request.query())?;
    let page = request.resolvers.follow_events(&caller, query).await?;
    made(page_text(&page))
}

fn events_query(mut query: Query) -> Result<EventsQuery, Failure> {
    let after = query.optional("after", position);
    let limit = query.optional("limit", |text| whole(text, 1..=MAX_LIMIT)).unwrap_or(DEFAULT_LIMIT);
    let names = query.list("types", event_name);
    let wait = query.optional("wait", |text| whole(text, 0..=LONGEST_WAIT.as_secs() as i64)).unwrap_or_default();
    let names = match names {
        Some(names) if !names.iter().any(|name| name == EVERY_EVENT) => EventNames::These(names),
        _ => EventNames::All,
    };
    let [limit, wait] = [limit, wait].map(i64::unsigned_abs);
    query.finish(Some(EventsQuery { after, limit: limit as usize, names, wait: Duration::from_secs(wait) }))
}

fn position(text: &str) -> Result<EventPosition, String> {
    EventPosition::parse(text).ok_or_else(|| "must be a position that an answer gave, such as 17, or 0 for the first event that is kept".to_owned())
}

fn event_name(text: &str) -> Result<String, String> {
    if text == EVERY_EVENT || event::NAMES.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(format!("{text:?} is no event; must be one of {}, or {EVERY_EVENT} for all", event::NAMES.join(", ")))
}

/// The page as JSON text. What is told of an event is JSON already, and stays as it is; positions are digits and dots.
fn page_text(page: &EventPage) -> String {
    let item = |FollowedEvent { position, body }: &FollowedEvent| format!(r#"{{"position":"{position}","event":{body}}}"#);
    let items: Vec<String> = page.events.iter().map(item).collect();
    format!(r#"{{"events":[{}],"next":"{}","more":{}}}"#, items.join(","), page.next, page.more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_with_its_defaults_and_all_its_faults() {
        let read = |text: &str| events_query(Query::read(text));
        let plain = read("").expect("all is optional");
        assert_eq!((plain.after, plain.limit, plain.names, plain.wait), (None, 100, EventNames::All, Duration::ZERO));
        let full = read("after=18.2&limit=1000&types=case.created,case.closed&types=case.updated&wait=30").expect("all of it is right");
        let names = ["case.created", "case.closed", "case.updated"].map(str::to_owned);
        assert_eq!((full.after, full.limit, full.wait), (EventPosition::parse("18.2"), 1000, Duration::from_secs(30)));
        assert_eq!(full.names, EventNames::These(names.to_vec()));
        assert_eq!(read("types=case.created,*").expect("all events").names, EventNames::All);

        let Err(Failure::Unreadable(faults)) = read("after=x&limit=0&types=case.made,case.created,&wait=31&since=1") else { panic!("all is wrong") };
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        let places: Vec<&str> = told.iter().filter_map(|fault| fault.split(": ").next()).collect();
        assert_eq!(places, ["after", "limit", "types", "types", "wait", "since"], "{told:?}");
        assert!(told[2].contains("\"case.made\" is no event; must be one of case.assigned, "), "{told:?}");
    }

    #[test]
    fn a_page_has_events_as_they_are_told() {
        let event = FollowedEvent { position: EventPosition::parse("18.1").expect("a position"), body: r#"{"id":"e","data":{"n": 1.0}}"#.to_owned() };
        let next = EventPosition::parse("20").expect("a position");
        let page = EventPage { events: vec![event.clone(), event], next, more: true };
        let item = r#"{"position":"18.1","event":{"id":"e","data":{"n": 1.0}}}"#;
        assert_eq!(page_text(&page), format!(r#"{{"events":[{item},{item}],"next":"20","more":true}}"#));
        let nothing = EventPage { events: Vec::new(), next, more: false };
        assert_eq!(page_text(&nothing), r#"{"events":[],"next":"20","more":false}"#);
    }
}
