//! A store with all that a bank's inbox has, written by hand: nodes, links and properties as the product writes them, but for texts of records, which lists
//! do not read.

use anyhow::Result;
use cypher::{Engine, Params, Statement, Value, map};

use crate::database::write;
use crate::report;

use super::bank::{
    ANALYSIS, Bank, Case, FILING, NOT_DUE, NOT_SCORED, Observation, RULES, Step, TAGS, USERS, actor_id, case_id, observation_id, rule_id, user_id,
};

/// Transactions at a time: the server has more than one processor to write with, and rows are put together meanwhile.
pub const WAYS: usize = 3;
/// Actors, or cases, of one transaction.
const AT_ONCE: i64 = 1_000;
/// Cases whose observations are one transaction.
const WITH_OBSERVATIONS: i64 = 200;
const BANDS: [&str; 4] = ["", "low_risk", "medium_risk", "high_risk"];
const DOMICILES: [&str; 8] = ["DE", "FR", "NL", "AT", "PL", "GB", "CH", "AE"];

const STEPS: Statement = Statement::new("fill/steps", "UNWIND $rows AS row\nMATCH (s:WorkflowStep {id: row.id})\nSET s.dueWithin = row.dueWithin");
const USER: Statement = Statement::new(
    "fill/users",
    "UNWIND $rows AS row
CREATE (:User {id: row.id, name: 'Analyst ' + row.id, username: row.id, enabled: true, groups: [], createdAt: $now})",
);
const TAG: Statement = Statement::new("fill/tags", "UNWIND $rows AS row\nCREATE (:Tag {id: row.id, name: row.id, label: row.id})");
const RULE: Statement = Statement::new("fill/rules", "UNWIND $rows AS row\nCREATE (:ObservationRule {id: row.id, name: 'Rule ' + row.id})");
/// Each owns a payment.
const ACTORS: Statement = Statement::new(
    "fill/actors_of_cases",
    "UNWIND $rows AS row
CREATE (a:Actor:Individual {id: row.id, name: 'Robin ' + row.id, nameOrder: 'robin ' + row.id, fullName: 'Robin ' + row.id, type: 'INDIVIDUAL', record: '{}',
  status: 'ACTIVE', asOfDate: '2025-01-01', domicile: row.domicile, domicileOrder: row.domicile, recordedAt: $now, riskScoreOrder: row.order,
  riskScoreParts: row.parts, riskScore: row.parts / 10000.0, riskScoreAlone: row.parts / 10000.0, riskBand: row.band, riskScoreOverridden: row.overridden,
  riskScoreKey: row.scoreKey, riskScoreAsOf: row.scoreAsOf})
CREATE (t:Transaction {id: row.payment, name: '100 EUR', record: '{}', createdAt: $now, amount: 100.0, amountUnits: 100, amountNanos: 0,
  standardizedAmount: 100.0, standardUnits: 100, standardNanos: 0, currency: 'EUR', direction: 'OUTBOUND', status: 'COMPLETED', recordedAt: $now})
CREATE (t)-[:OWNED_BY]->(a)",
);
/// Their links to actors, steps, users and tags, what was asked for, and what the audit log has. They wait to be counted.
const CASES: Statement = Statement::new(
    "fill/cases_of_actors",
    "UNWIND $rows AS row
MATCH (a:Actor {id: row.actor}) MATCH (s:WorkflowStep {id: row.step})
CREATE (c:`Case`:UncountedCase {id: row.id, name: row.caption + ' ' + row.id, type: row.type, source: 'API', workflowId: row.workflow, version: 1,
  eventSequence: 1, createdAt: row.createdAt, updatedAt: row.updatedAt, recordedAt: row.createdAt, record: '{}', createdBy: row.creator, stepId: s.stepId,
  status: s.status, state: s.state, assigneeId: row.assignee, stepSince: row.since, dueAt: row.due, dueOrder: row.dueOrder, closedAt: row.closedAt,
  closedOrder: row.closedOrder, closeReason: row.closeReason, queue: s.state + '/' + coalesce(row.assignee, ''), riskOrder: row.band,
  logicalTime: row.updatedAt})
CREATE (c)-[:AT_STEP]->(s)
CREATE (c)-[:FOCUSES_ON]->(a)
FOREACH (e IN row.entries | CREATE (:AuditEntry {id: e.id, name: e.action + ' ' + row.id, timestamp: e.at, action: e.action, domain: 'case_management',
  logType: 'UPDATE', objectType: 'Case', objectId: row.id, caseId: row.id, userId: e.by, userName: 'Analyst ' + e.by, userRole: 'ANALYST',
  means: 'token', requestId: e.id, newValue: '{}', actionResult: 'SUCCESS'}))
FOREACH (q IN row.requests | CREATE (:RequestForData {id: q.id, name: 'documents of ' + row.id, type: 'documents', caseId: row.id, status: q.status,
  request: '{}', createdAt: q.createdAt, dueAt: q.due, overdueAt: q.overdueAt, endedAt: q.endedAt, requestedBy: row.creator, stepBefore: row.first,
  waitsAt: row.waitsAt})-[:ABOUT]->(c))
WITH c, row
UNWIND row.links AS link
CALL {
  WITH c, link
  MATCH (u:User {id: link.user})
  CREATE (c)-[:ASSIGNED_TO]->(u)
}
CALL {
  WITH c, link
  MATCH (t:Tag {id: link.tag})
  CREATE (c)-[:HAS_TAG]->(t)
}",
);
/// Of cases that are there, with what became of them.
const OBSERVATIONS: Statement = Statement::new(
    "fill/observations_of_cases",
    "UNWIND $rows AS row
MATCH (c:`Case` {id: row.id}) MATCH (a:Actor {id: row.actor}) MATCH (t:Transaction {id: row.payment})
UNWIND row.observations AS of
MATCH (m:ObservationRule {id: of.rule})
CREATE (o:Observation {id: of.id, name: 'Alert of ' + of.rule, type: 'ALERT_AML_V2', record: '{}', recordedAt: of.at, observedAt: of.at, logicalTime: of.at,
  internalId: of.id, submittedBy: 'monitoring', behaviorId: of.rule, behaviorName: 'Behaviour of ' + of.rule, taxonomyDescription: 'Layering',
  observationTitle: 'Unusual payments', priority: of.priority, programGroup: 'AML', btlFlag: false, businessDate: of.day,
  score: CASE WHEN of.billionths < 0 THEN null ELSE of.billionths / 1000000000.0 END, scoreBillionths: of.billionths, dataSource: 'monitoring',
  lineOfBusiness: 'INDIVIDUAL', standardUnits: of.units, standardNanos: 0})
CREATE (o)-[:ABOUT {recorded: true, primary: true}]->(a)
CREATE (o)-[:CITES]->(t)
CREATE (o)-[:MATCHED {status: 'MATCHED', score: of.billionths / 1000000000.0, date: of.at, ruleId: of.rule, observedAt: of.at,
  scoreBillionths: of.billionths, standardUnits: of.units, standardNanos: 0}]->(m)
FOREACH (_ IN CASE WHEN of.raised THEN [1] ELSE [] END | CREATE (c)-[:RAISED_FROM {linkedAt: c.createdAt, linkedBy: row.id, by: c.createdBy}]->(o))
FOREACH (_ IN CASE WHEN of.dismissed THEN [1] ELSE [] END | CREATE (:ObservationDismissal {id: of.id, name: 'Dismissal', reason: 'Explained',
  userId: c.createdBy, createdAt: of.at + 86400000, observationId: of.id, feedback: of.feedback})-[:DISMISSES]->(o))",
);

/// Fills a store that is empty but for its schema.
pub async fn fill(engine: &Engine, bank: Bank) -> Result<()> {
    let now = || Params::none().with("now", bank.now);
    let ids = |ids: Vec<String>| Value::List(ids.into_iter().map(|id| map([("id", id.into())])).collect());
    let steps = ANALYSIS.iter().chain(&FILING).map(|step| map([("id", step.id.into()), ("dueWithin", step.due_within.into())]));
    write(engine, STEPS, Params::rows(steps.collect())).await?;
    write(engine, USER, now().with("rows", ids((0..USERS).map(user_id).collect()))).await?;
    write(engine, TAG, now().with("rows", ids((0..TAGS).map(tag_id).collect()))).await?;
    write(engine, RULE, now().with("rows", ids((0..RULES).map(rule_id).collect()))).await?;
    in_parts(engine, ACTORS, (bank, bank.actors()), AT_ONCE, actor).await?;
    report::doing("queues: cases");
    in_parts(engine, CASES, (bank, bank.cases), AT_ONCE, |bank, number| case(&bank.case(number))).await?;
    report::doing("queues: observations");
    in_parts(engine, OBSERVATIONS, (bank, bank.cases), WITH_OBSERVATIONS, |bank, number| observations(bank, &bank.case(number))).await
}

/// Writes the rows of so many numbers, some in each transaction. One that loses against another is made again.
async fn in_parts(engine: &Engine, statement: Statement, (bank, count): (Bank, i64), at_once: i64, row: fn(Bank, i64) -> Value) -> Result<()> {
    let mut ways = Vec::with_capacity(WAYS);
    for way in 0..WAYS {
        let engine = engine.clone();
        ways.push(tokio::spawn(async move {
            for from in (0..count).step_by(at_once as usize).skip(way).step_by(WAYS) {
                let rows: Vec<Value> = (from..count.min(from + at_once)).map(|number| row(bank, number)).collect();
                write(&engine, statement, Params::rows(rows).with("now", bank.now)).await?;
            }
            anyhow::Ok(())
        }));
    }
    for way in ways {
        way.await??;
    }
    Ok(())
}

pub fn tag_id(number: u64) -> String {
    format!("tag-{number:02}")
}

fn payment_id(actor: i64) -> String {
    format!("payment-{actor:08}")
}

fn actor(bank: Bank, number: i64) -> Value {
    let of = bank.actor(number);
    let scored = of.parts.is_some();
    let domicile = DOMICILES[(number % DOMICILES.len() as i64) as usize];
    map([
        ("id", actor_id(number).into()),
        ("payment", payment_id(number).into()),
        ("domicile", domicile.into()),
        ("parts", of.parts.into()),
        ("order", of.parts.unwrap_or(NOT_SCORED).into()),
        ("band", scored.then(|| BANDS[of.band as usize]).into()),
        ("overridden", scored.then_some(false).into()),
        ("scoreKey", scored.then(|| format!("2025-01-01/00{}/{}", bank.now, actor_id(number))).into()),
        ("scoreAsOf", scored.then_some("2025-01-01").into()),
    ])
}

fn case(of: &Case) -> Value {
    let id = case_id(of.number);
    let (caption, kind, workflow, steps) =
        if of.filing { ("Filing", "FILING", "default-filing", &FILING) } else { ("Analysis", "ANALYSIS", "default-analysis", &ANALYSIS) };
    let node = |step: &Step| Value::from(step.id);
    let entries = of.acts().into_iter().enumerate().map(|(place, (by, action, at))| {
        map([("id", entry_id(of.number, place).into()), ("by", user_id(by).into()), ("action", action.into()), ("at", at.into())])
    });
    let requests = of.request.map(|asked| {
        let (status, overdue_at, ended_at) = if asked.open { ("REQUESTED", Some(asked.due), None) } else { ("COMPLETED", None, Some(of.since)) };
        map([
            ("id", request_id(of.number).into()),
            ("status", status.into()),
            ("createdAt", asked.created.into()),
            ("due", asked.due.into()),
            ("overdueAt", overdue_at.into()),
            ("endedAt", ended_at.into()),
        ])
    });
    let link = map([("user", of.assignee.map(user_id).into()), ("tag", of.tag.map(tag_id).into())]);
    map([
        ("id", id.into()),
        ("caption", caption.into()),
        ("type", kind.into()),
        ("workflow", workflow.into()),
        ("step", node(of.step)),
        ("first", node(&steps[0])),
        ("waitsAt", node(&steps[3])),
        ("createdAt", of.created.into()),
        ("updatedAt", of.updated.into()),
        ("since", of.since.into()),
        ("due", of.due().into()),
        ("dueOrder", of.due().unwrap_or(NOT_DUE).into()),
        ("closedAt", (!of.open).then_some(of.since).into()),
        ("closedOrder", of.closed_order().into()),
        ("closeReason", (!of.open).then_some("FALSE_POSITIVE").into()),
        ("assignee", of.assignee.map(user_id).into()),
        ("creator", user_id(of.creator).into()),
        ("actor", actor_id(of.actor).into()),
        ("band", of.band.into()),
        ("entries", Value::List(entries.collect())),
        ("requests", Value::List(requests.into_iter().collect())),
        ("links", Value::List(vec![link])),
    ])
}

pub fn entry_id(case: i64, place: usize) -> String {
    format!("entry-{case:08}-{place}")
}

pub fn request_id(case: i64) -> String {
    format!("request-{case:08}")
}

fn observations(bank: Bank, of: &Case) -> Value {
    map([
        ("id", case_id(of.number).into()),
        ("actor", actor_id(of.actor).into()),
        ("payment", payment_id(of.actor).into()),
        ("observations", Value::List(bank.observations(of).iter().map(observation).collect())),
    ])
}

fn observation(of: &Observation) -> Value {
    let day = chrono::DateTime::from_timestamp_millis(of.at).map(|at| at.format("%Y-%m-%d").to_string());
    map([
        ("id", observation_id(of.number).into()),
        ("rule", rule_id(of.rule).into()),
        ("at", of.at.into()),
        ("day", day.into()),
        ("billionths", of.billionths.into()),
        ("units", of.units.into()),
        ("priority", of.priority.into()),
        ("raised", of.raised.into()),
        ("dismissed", of.dismissed.into()),
        ("feedback", (of.dismissed && of.number % 4 != 0).then_some("FALSE_POSITIVE").into()),
    ])
}
