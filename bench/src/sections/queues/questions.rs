//! What is asked, and what has to be answered, worked out from the bank by plain code.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::bank::{Actor, Bank, Case, DAY, Observation, actor_id, case_id, observation_id, rule_id, user_id};
use super::fill::{entry_id, request_id, tag_id};

/// Of a page, but those of screens that have more.
const PAGE: usize = 50;
const SOON: Duration = Duration::from_millis(50);
const A_SECOND: Duration = Duration::from_secs(1);
/// Users and actors that are asked about by turns.
const ROOTS: i64 = 20;

const INBOX: &str = include_str!("../../../../docs/screens/01-case-inbox.graphql");
const ALERTS: &str = include_str!("../../../../docs/screens/07-alerts.graphql");
const REQUESTS: &str = include_str!("../../../../docs/screens/10-requests-for-data.graphql");
const AUDIT: &str = include_str!("../../../../docs/screens/08-audit.graphql");

const CASE: &str = "id nodeId title type version createdAt updatedAt dueAt overdue stepSince riskBand step { stepId label status state } \
    assignee { id name } tags { id label } focalActors(first: 2) { nodes { id nodeId name riskBand } }";
const OBSERVATION: &str = "id nodeId name title type date score priority handled behaviorName standardizedTotal \
    actors(first: 1) { nodes { id nodeId name riskBand } } rules(first: 1) { nodes { id name } }";
const REQUEST: &str = "id nodeId type status createdAt dueAt overdue case { id nodeId title assignee { id name } }";
const ACTOR: &str = "id nodeId name type domicile riskBand";
const ENTRY: &str = "id nodeId at action outcome objectType objectId by { id name }";

/// What has to come.
pub enum Answer {
    /// The ids of a page's nodes, at a place of the answer.
    Page(&'static str, Vec<String>),
    /// How many there are of each group, at a place of the answer, and what a row says of its group.
    Groups(&'static str, &'static str, BTreeMap<String, i64>),
}

/// A document with its variables, and what has to come of it.
pub struct Request {
    pub body: Json,
    pub answer: Answer,
}

/// A line of the table: one question about several roots.
pub struct Question {
    pub caption: String,
    pub aim: Duration,
    pub requests: Vec<Request>,
}

type Keeps<T> = Box<dyn Fn(&T) -> bool>;

/// What keeps some of a list.
struct Kept<T> {
    caption: &'static str,
    /// Members of the filter in GraphQL, and what has them. More than one are asked by turns.
    variants: Vec<(String, Keeps<T>)>,
}

/// What comes first, as GraphQL says it and as whole numbers do; then ids count.
type Order<T> = (&'static str, &'static str, fn(&T) -> (i64, i64));

const CASE_ORDERS: [Order<Case>; 8] = [
    ("CREATED_AT", "DESC", |case| (-case.created, 0)),
    ("UPDATED_AT", "DESC", |case| (-case.updated, 0)),
    ("DUE_AT", "ASC", |case| (case.due_order(), 0)),
    ("STEP_SINCE", "ASC", |case| (case.since, 0)),
    ("CLOSED_AT", "DESC", |case| (-case.closed_order(), 0)),
    ("RISK", "DESC", |case| (-case.band, case.since)),
    ("ID", "ASC", |_| (0, 0)),
    ("TYPE", "ASC", |case| (case.filing.into(), 0)),
];
/// The last ones have no index beside a filter.
const SOUGHT: usize = 6;
const OBSERVATION_ORDERS: [Order<Observation>; 3] =
    [("DATE", "DESC", |one| (-one.at, 0)), ("SCORE", "DESC", |one| (-one.billionths, -one.at)), ("AMOUNT", "DESC", |one| (-one.units, 0))];

fn one<T>(caption: &'static str, filter: &str, keeps: impl Fn(&T) -> bool + 'static) -> Kept<T> {
    Kept { caption, variants: vec![(filter.to_owned(), Box::new(keeps))] }
}

fn each<T, F: Fn(&T) -> bool + 'static>(caption: &'static str, filter: impl Fn(i64) -> String, keeps: impl Fn(i64) -> F) -> Kept<T> {
    let variant = |root| -> (String, Keeps<T>) { (filter(root), Box::new(keeps(root))) };
    Kept { caption, variants: (0..ROOTS).map(variant).collect() }
}

/// Those by which pages are looked up.
fn sought_cases(now: i64) -> Vec<Kept<Case>> {
    vec![
        one("all cases", "", |_| true),
        one("open ones", "states: [OPEN]", |case: &Case| case.open),
        each(
            "open ones of a user",
            |user| format!("assigneeIds: [\"{}\"], states: [OPEN]", user_id(user.unsigned_abs())),
            |user| move |case: &Case| case.open && case.assignee == Some(user.unsigned_abs()),
        ),
        one("open ones of nobody", "assigned: false, states: [OPEN]", |case: &Case| case.open && case.assignee.is_none()),
        one("overdue ones", "overdue: true", move |case: &Case| case.due().is_some_and(|due| due < now)),
        one("filings", "types: [FILING]", |case: &Case| case.filing),
        each("those of an actor", |actor| format!("focalActorIds: [\"{}\"]", actor_id(actor)), |actor| move |case: &Case| case.actor == actor),
    ]
}

/// Those for which entries of the order's index are passed over.
fn other_cases() -> Vec<Kept<Case>> {
    vec![
        one("open ones that wait for data", "states: [OPEN], statuses: [\"WAITING_FOR_DATA\"]", |case: &Case| case.step.status == "WAITING_FOR_DATA"),
        one("open ones of high risk", "states: [OPEN], riskBands: [\"high_risk\"]", |case: &Case| case.open && case.band == 3),
        one("open filings", "states: [OPEN], workflowIds: [\"default-filing\"]", |case: &Case| case.open && case.filing),
        each(
            "open ones with a tag",
            |tag| format!("states: [OPEN], tagIds: [\"{}\"]", tag_id(tag.unsigned_abs())),
            |tag| move |case: &Case| case.open && case.tag == Some(tag.unsigned_abs()),
        ),
    ]
}

fn observations(now: i64) -> Vec<Kept<Observation>> {
    let week = now - 7 * DAY;
    let since = chrono::DateTime::from_timestamp_millis(week).unwrap_or_default().format("%Y-%m-%dT%H:%M:%S%.3fZ");
    vec![
        one("all observations", "", |_| true),
        one("unhandled ones", "handled: false", |one: &Observation| !one.handled()),
        one("unhandled ones of a priority", "handled: false, priorities: [\"HIGH\"]", |one: &Observation| !one.handled() && one.priority == "HIGH"),
        one("unhandled ones of a score", "handled: false, minScore: 0.9", |one: &Observation| !one.handled() && one.billionths >= 900_000_000),
        one("unhandled ones of a week", &format!("handled: false, from: \"{since}\""), move |one: &Observation| !one.handled() && one.at >= week),
        each(
            "unhandled ones of a rule",
            |rule| format!("handled: false, ruleIds: [\"{}\"]", rule_id(rule.unsigned_abs())),
            |rule| move |one: &Observation| !one.handled() && one.rule == rule.unsigned_abs(),
        ),
        each("those of an actor", |actor| format!("actorIds: [\"{}\"]", actor_id(actor)), |actor| move |one: &Observation| one.actor == actor),
    ]
}

/// A page of a list: the first of those that are kept, in the order; items come in that of their ids. In a small store some roots have nothing, and are not asked
/// about.
fn page<T>(list: (&'static str, &str), items: &[T], kept: &Kept<T>, order: Order<T>, id: fn(&T) -> String) -> Question {
    let ((field, shown), (name, direction, key)) = (list, order);
    let requests = kept.variants.iter().filter_map(|(filter, keeps)| {
        let kept = items.iter().enumerate().filter(|(_, item)| keeps(item));
        let found: Vec<((i64, i64), usize)> = kept.map(|(place, item)| (key(item), place)).collect();
        let is_something = !found.is_empty();
        let ids = first(found, PAGE).into_iter().map(|place| id(&items[place])).collect();
        let filter = if filter.is_empty() { String::new() } else { format!("filter: {{{filter}}}, ") };
        let document = format!(
            "{{ {field}(first: {PAGE}, {filter}orderBy: {{field: {name}, direction: {direction}}}) {{ pageInfo {{ hasNextPage endCursor }} \
             nodes {{ {shown} }} }} }}"
        );
        is_something.then(|| Request { body: json!({ "query": document }), answer: Answer::Page(field, ids) })
    });
    Question { caption: format!("`{field}`: {}, {name} {direction}", kept.caption), aim: SOON, requests: requests.collect() }
}

/// The places of those that come first. Of a million items only these are put in order.
fn first(mut found: Vec<((i64, i64), usize)>, many: usize) -> Vec<usize> {
    if found.len() > many {
        found.select_nth_unstable(many);
        found.truncate(many);
    }
    found.sort_unstable();
    found.into_iter().map(|(_, place)| place).collect()
}

/// The first page of every queue. `now` (epoch milliseconds) is about when they are asked for.
pub fn pages(bank: Bank, now: i64) -> Vec<Question> {
    let cases: Vec<Case> = bank.all_cases().collect();
    let (looked_up, others) = (sought_cases(now), other_cases());
    let mut pages = Vec::new();
    let of_cases = |kept: &Kept<Case>, order| page(("cases", CASE), &cases, kept, order, |case| case_id(case.number));
    for (place, kept) in looked_up.iter().enumerate() {
        let orders = if place == 0 { CASE_ORDERS.len() } else { SOUGHT };
        pages.extend(CASE_ORDERS.into_iter().take(orders).map(|order| of_cases(kept, order)));
    }
    for order in [CASE_ORDERS[0], CASE_ORDERS[2]] {
        pages.extend(others.iter().map(|kept| of_cases(kept, order)));
    }
    let alerts: Vec<Observation> = cases.iter().flat_map(|case| bank.observations(case)).collect();
    for kept in observations(now) {
        let of = |order| page(("observations", OBSERVATION), &alerts, &kept, order, |one| observation_id(one.number));
        pages.extend(OBSERVATION_ORDERS.into_iter().map(of));
    }
    pages.extend(requests(&cases, now));
    pages.push(actors(bank));
    pages.push(entries(&cases, "audit entries of a user", None));
    pages.extend(screens(&cases, &alerts, now));
    pages
}

fn requests(cases: &[Case], now: i64) -> Vec<Question> {
    let asked = |case: &Case| case.request.filter(|asked| asked.open).map(|asked| asked.due);
    let kept = [
        one("open ones", "statuses: [REQUESTED]", move |case: &Case| asked(case).is_some()),
        one("overdue ones", "overdue: true", move |case: &Case| asked(case).is_some_and(|due| due < now)),
        each(
            "open ones of a user",
            |user| format!("statuses: [REQUESTED], caseAssigneeIds: [\"{}\"]", user_id(user.unsigned_abs())),
            move |user| move |case: &Case| asked(case).is_some() && case.assignee == Some(user.unsigned_abs()),
        ),
    ];
    let by_due: Order<Case> = ("DUE_AT", "ASC", |case| (case.request.map_or(0, |asked| asked.due), 0));
    let of = |kept| page(("requestsForData", REQUEST), cases, kept, by_due, |case| request_id(case.number));
    kept.iter().map(of).collect()
}

fn actors(bank: Bank) -> Question {
    let actors: Vec<(i64, Actor)> = (0..bank.actors()).map(|number| (number, bank.actor(number))).collect();
    let all = one("all", "", |_: &(i64, Actor)| true);
    let by_risk: Order<(i64, Actor)> = ("RISK", "DESC", |(_, actor)| (-actor.parts.unwrap_or(-1), 0));
    page(("actors", ACTOR), &actors, &all, by_risk, |(number, _)| actor_id(*number))
}

/// What users did, the latest first; of the screen, or of a plain page.
fn entries(cases: &[Case], caption: &str, screen: Option<&str>) -> Question {
    let first = if screen.is_some() { 100 } else { PAGE };
    let of = |user: i64| {
        let user = user.unsigned_abs();
        let acts = cases.iter().flat_map(|case| case.acts().into_iter().enumerate().map(move |(place, act)| (case.number, place, act)));
        let mut found: Vec<(i64, String)> =
            acts.filter(|(_, _, (by, _, _))| *by == user).map(|(case, place, (_, _, at))| (at, entry_id(case, place))).collect();
        found.sort_unstable();
        let ids = found.into_iter().rev().take(first).map(|(_, id)| id).collect();
        let filter = json!({"principalIds": [user_id(user)]});
        let document = format!(
            "query($filter: AuditEntryFilter!) {{ auditEntries(first: {first}, filter: $filter) {{ pageInfo {{ hasNextPage }} nodes {{ {ENTRY} }} }} }}"
        );
        let body = json!({"query": screen.unwrap_or(&document), "variables": variables(screen, ("filter", filter))});
        Request { body, answer: Answer::Page("auditEntries", ids) }
    };
    Question { caption: caption.to_owned(), aim: SOON, requests: (0..ROOTS).map(of).collect() }
}

/// A screen leaves out its counts.
fn variables(screen: Option<&str>, filter: (&str, Json)) -> Json {
    let mut variables = json!({});
    variables[filter.0] = filter.1;
    if screen.is_some() {
        variables["withCounts"] = json!(false);
    }
    variables
}

/// The documents of `docs/screens`, with all that a row of a screen shows.
fn screens(cases: &[Case], alerts: &[Observation], now: i64) -> Vec<Question> {
    let of = |caption: &str, screen: &str, view: Json, field, ids| {
        let body = json!({"query": screen, "variables": variables(Some(screen), ("view", view))});
        Question { caption: caption.to_owned(), aim: SOON, requests: vec![Request { body, answer: Answer::Page(field, ids) }] }
    };
    let open = one("", "", |case: &Case| case.open);
    let unhandled = one("", "", |one: &Observation| !one.handled());
    let ids = |question: Question| match question.requests.into_iter().next().map(|request| request.answer) {
        Some(Answer::Page(_, ids)) => ids,
        _ => Vec::new(),
    };
    let inbox = ids(page(("cases", ""), cases, &open, CASE_ORDERS[2], |case| case_id(case.number)));
    let queue = ids(page(("observations", ""), alerts, &unhandled, OBSERVATION_ORDERS[1], |one| observation_id(one.number)));
    let asked = requests(cases, now).into_iter().next().map(ids).unwrap_or_default();
    vec![
        of("screen *Case inbox*, open ones", INBOX, json!({"states": ["OPEN"]}), "cases", inbox),
        of("screen *Alerts queue*, unhandled ones", ALERTS, json!({"handled": false}), "observations", queue),
        of("screen *Requests for data*, open ones", REQUESTS, json!({"statuses": ["REQUESTED"]}), "requestsForData", asked),
        entries(cases, "screen *Audit view*, of a user", Some(AUDIT)),
    ]
}

/// A question for statistics: a member of the query, its filter, the key, and what a row says of its group and besides.
struct Numbers {
    caption: &'static str,
    aim: Duration,
    field: &'static str,
    filter: String,
    key: &'static str,
    group: &'static str,
    besides: &'static str,
}

/// Numbers that are kept, medians, and observations by rule.
pub fn numbers(bank: Bank, now: i64) -> Vec<Question> {
    let cases: Vec<Case> = bank.all_cases().collect();
    let month = (now - 30 * DAY).div_euclid(DAY) * DAY;
    let open = || cases.iter().filter(|case| case.open);
    let kept = |caption, filter: &str, (key, group): (&'static str, &'static str), counts| {
        let numbers = Numbers { caption, aim: SOON, field: "caseStatistics", filter: filter.to_owned(), key, group, besides: "" };
        numbers.question(counts)
    };
    let medians = |caption, filter: &str, (key, group): (&'static str, &'static str), counts| {
        let besides = "medianAgeSeconds";
        Numbers { caption, aim: A_SECOND, field: "caseStatistics", filter: filter.to_owned(), key, group, besides }.question(counts)
    };
    let by_rule = |caption, filter: String, from: i64| {
        let found = cases.iter().flat_map(|case| bank.observations(case)).filter(|one| one.at >= from);
        let (group, besides) = ("rule { id }", "handled");
        Numbers { caption, aim: A_SECOND, field: "observationStatistics", filter, key: "RULE", group, besides }
            .question(counted(found.map(|one| rule_id(one.rule))))
    };
    let (status, assignee, of_type, of_day) =
        (("STATUS", "status"), ("ASSIGNEE", "assignee { id }"), ("TYPE", "type"), ("CREATED_DAY", "createdDay"));
    let since = format!("{}T00:00:00Z", day(month));
    let of_month = cases.iter().filter(|case| case.created >= month);
    vec![
        kept("kept counts: by status", "", status, counted(cases.iter().map(status_of))),
        kept("kept counts: by assignee", "", assignee, counted(cases.iter().map(assignee_of))),
        kept("kept counts: open ones by assignee", "states: [OPEN]", assignee, counted(open().map(assignee_of))),
        kept("kept counts: by type", "", of_type, counted(cases.iter().map(type_of))),
        kept("kept counts: by day", "", of_day, counted(cases.iter().map(|case| day(case.created)))),
        medians("medians: of all cases by status", "", status, counted(cases.iter().map(status_of))),
        medians("medians: of open ones by assignee", "states: [OPEN]", assignee, counted(open().map(assignee_of))),
        medians("medians: of 30 days by status", &format!("createdFrom: \"{since}\""), status, counted(of_month.map(status_of))),
        by_rule("by rule: all observations", String::new(), i64::MIN),
        by_rule("by rule: observations of 30 days", format!("from: \"{since}\""), month),
    ]
}

impl Numbers {
    fn question(self, counts: BTreeMap<String, i64>) -> Question {
        let Self { caption, aim, field, filter, key, group, besides } = self;
        let filter = if filter.is_empty() { filter } else { format!("filter: {{{filter}}}, ") };
        let document = format!("{{ {field}({filter}groupBy: [{key}]) {{ rows {{ {group} count {besides} }} }} }}");
        let requests = vec![Request { body: json!({ "query": document }), answer: Answer::Groups(field, group, counts) }];
        Question { caption: caption.to_owned(), aim, requests }
    }
}

fn status_of(case: &Case) -> String {
    case.step.status.to_owned()
}

/// Empty: nobody.
fn assignee_of(case: &Case) -> String {
    case.assignee.map(user_id).unwrap_or_default()
}

fn type_of(case: &Case) -> String {
    if case.filing { "FILING" } else { "ANALYSIS" }.to_owned()
}

fn day(at: i64) -> String {
    chrono::DateTime::from_timestamp_millis(at).unwrap_or_default().format("%Y-%m-%d").to_string()
}

fn counted(groups: impl Iterator<Item = String>) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    for group in groups {
        *counts.entry(group).or_default() += 1;
    }
    counts
}
