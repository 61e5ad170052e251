//! A random graph of the product's labels: every kind of link there is, several of most, and all that links and lists are sorted and filtered by.

use std::time::Duration;

use cypher::{Engine, Params, Statement, Value, map};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// How many nodes of a label there are.
const EACH: usize = 3;

/// Main labels.
pub const LABELS: &[&str] = &[
    "Actor",
    "Account",
    "ActorVersion",
    "AccountVersion",
    "AccountIdentifier",
    "Address",
    "BulkItem",
    "BulkRequest",
    "Case",
    "CaseComment",
    "ChannelLocation",
    "ClearedMatch",
    "Communication",
    "Delivery",
    "Device",
    "Email",
    "Event",
    "File",
    "GovernmentId",
    "IpAddress",
    "Observation",
    "ObservationAction",
    "ObservationFeedback",
    "ObservationRule",
    "Phone",
    "Reference",
    "RequestForData",
    "RiskScore",
    "Screening",
    "SegmentationCategory",
    "SegmentationGroup",
    "SuppressedSignal",
    "Tag",
    "Transaction",
    "TransactionVersion",
    "User",
    "Webhook",
    "Workflow",
    "WorkflowStep",
    "AuditEntry",
    "RiskAssessment",
    "ActorExclusion",
    "ExtendedInformation",
    "AccountBalance",
];

/// Labels that nodes may have besides.
const FURTHER: &[(&str, &str)] = &[
    ("Actor", "Placeholder"),
    ("Observation", "Placeholder"),
    ("Transaction", "AwaitedTransaction"),
    ("Transaction", "Placeholder"),
    ("Account", "ExternalAccount"),
    ("Webhook", "RemovedWebhook"),
    ("BulkItem", "DeadLetter"),
];

/// From where to where links of each type lead.
pub const LINKS: &[(&str, &str, &str)] = &[
    ("Transaction", "HAS_SCREENING", "Screening"),
    ("Actor", "HAS_SCREENING", "Screening"),
    ("Screening", "FOUND", "Observation"),
    ("ClearedMatch", "CLEARED_FOR", "Actor"),
    ("Actor", "HAS_ROLE", "Account"),
    ("Actor", "ASSOCIATED_WITH", "Actor"),
    ("Actor", "HAS_PHONE", "Phone"),
    ("Actor", "HAS_EMAIL", "Email"),
    ("Actor", "HAS_ADDRESS", "Address"),
    ("Actor", "HAS_GOVERNMENT_ID", "GovernmentId"),
    ("Actor", "HAS_REFERENCE", "Reference"),
    ("Account", "HAS_REFERENCE", "Reference"),
    ("Account", "IDENTIFIED_BY", "AccountIdentifier"),
    ("Actor", "HAS_VERSION", "ActorVersion"),
    ("Account", "HAS_VERSION", "AccountVersion"),
    ("Actor", "HAS_RISK_SCORE", "RiskScore"),
    ("Account", "SENT", "Transaction"),
    ("Transaction", "RECEIVED_BY", "Account"),
    ("Transaction", "OWNED_BY", "Actor"),
    ("Transaction", "INVOLVES", "Actor"),
    ("Transaction", "USED", "Device"),
    ("Transaction", "CONNECTED_FROM", "IpAddress"),
    ("Transaction", "AT", "ChannelLocation"),
    ("Account", "TRANSFERRED_TO", "Account"),
    ("Device", "SIGNED_IN", "Account"),
    ("Device", "SEEN_AT", "IpAddress"),
    ("Case", "FOCUSES_ON", "Actor"),
    ("Case", "CONCERNS", "Actor"),
    ("Case", "HAS_COMMENT", "CaseComment"),
    ("Case", "HAS_COMMUNICATION", "Communication"),
    ("Communication", "SENT_BY", "Actor"),
    ("Communication", "SENT_TO", "Actor"),
    ("Case", "HAS_FILE", "File"),
    ("Case", "RAISED_FROM", "Observation"),
    ("Case", "HAS_FEEDBACK", "ObservationFeedback"),
    ("ObservationFeedback", "GIVEN_ON", "Observation"),
    ("Case", "HAS_OBSERVATION_ACTION", "ObservationAction"),
    ("ObservationAction", "TAKEN_ON", "Observation"),
    ("Case", "DECIDED_ON", "Transaction"),
    ("Case", "REPORTS_ON", "Case"),
    ("Case", "AT_STEP", "WorkflowStep"),
    ("Case", "HAS_TAG", "Tag"),
    ("Case", "ASSIGNED_TO", "User"),
    ("Observation", "ABOUT", "Actor"),
    ("Observation", "MENTIONS", "Actor"),
    ("Observation", "CITES", "Transaction"),
    ("Observation", "MATCHED", "ObservationRule"),
    ("SuppressedSignal", "SUPPRESSED_FOR", "Actor"),
    ("RequestForData", "ABOUT", "Case"),
    ("RequestForData", "ANSWERED_BY", "Actor"),
    ("RequestForData", "ANSWERED_BY", "Communication"),
    ("RequestForData", "ANSWERED_BY", "File"),
    ("BulkItem", "PART_OF", "BulkRequest"),
    ("Workflow", "HAS_STEP", "WorkflowStep"),
    ("WorkflowStep", "MAY_MOVE_TO", "WorkflowStep"),
    ("SegmentationGroup", "IN_CATEGORY", "SegmentationCategory"),
    ("Actor", "MEMBER_OF", "SegmentationGroup"),
    ("Actor", "OWNS_GROUP", "SegmentationGroup"),
    ("Delivery", "TELLS", "Event"),
    ("Delivery", "GOES_TO", "Webhook"),
    ("Transaction", "HAD_VERSION", "TransactionVersion"),
    ("Actor", "HAD_ROLE", "Account"),
    ("Actor", "WAS_ASSOCIATED_WITH", "Actor"),
    ("Actor", "WAS_MEMBER_OF", "SegmentationGroup"),
    ("Actor", "OWNED_GROUP", "SegmentationGroup"),
    ("Actor", "HAS_RISK_ASSESSMENT", "RiskAssessment"),
    ("Actor", "HAS_EXCLUSION", "ActorExclusion"),
    ("Actor", "HAS_EXTENDED_INFORMATION", "ExtendedInformation"),
    ("Account", "HAS_BALANCE", "AccountBalance"),
];

/// A random graph, and what its ids begin with, so that it is alone in a store that others use.
pub struct Graph {
    prefix: String,
    nodes: Vec<(&'static str, Vec<Value>)>,
    links: Vec<(&'static str, &'static str, &'static str, Vec<Value>)>,
    further: Vec<(&'static str, &'static str, Vec<Value>)>,
}

impl Graph {
    pub fn random(seed: u64, prefix: &str) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let prefix = format!("{prefix}{seed}-");
        let mut graph = Self { prefix, nodes: Vec::new(), links: Vec::new(), further: Vec::new() };
        for label in LABELS.iter().copied() {
            let node = |id: String| {
                let Value::Map(mut properties) = graph.properties(&mut random, "node") else { panic!("{id} has properties") };
                properties.push(("objectType".into(), if id.contains("AuditEntry") { "Transaction" } else { "Actor" }.into()));
                map([("id", id.into()), ("props", Value::Map(properties))])
            };
            let rows = graph.ids(label).into_iter().map(node).collect();
            graph.nodes.push((label, rows));
        }
        let mut uid = 0;
        for &(from, kind, to) in LINKS {
            let (ends, others) = (graph.ids(from), graph.ids(to));
            let number = random.random_range(1..=2 * EACH);
            let mut end = |ids: &[String]| Value::from(ids.choose(&mut random).expect("a node").as_str());
            let pairs: Vec<(Value, Value)> = (0..number).map(|_| (end(&ends), end(&others))).collect();
            let mut rows = Vec::new();
            for (from, to) in pairs {
                uid += 1;
                let Value::Map(mut properties) = graph.properties(&mut random, "link") else { continue };
                // What tells links apart that are equal else.
                properties.push(("uid".into(), Value::Int(uid)));
                rows.push(map([("from", from), ("to", to), ("props", Value::Map(properties))]));
            }
            graph.links.push((from, kind, to, rows));
        }
        for &(label, further) in FURTHER {
            let some = graph.ids(label).into_iter().filter(|_| random.random_ratio(1, 3)).map(|id| map([("id", id.into())])).collect();
            graph.further.push((label, further, some));
        }
        graph
    }

    /// What the ids of its nodes begin with.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The ids of all nodes of a label. Some entries of the audit log have the id of what they recorded.
    pub fn ids(&self, label: &str) -> Vec<String> {
        let labels = if label == "AuditEntry" { &["RiskScore", "ActorExclusion", "AuditEntry"][..] } else { &[label] };
        labels.iter().flat_map(|label| (0..EACH).map(move |at| format!("{}{label}-{at}", self.prefix))).collect()
    }

    /// One of them.
    pub fn id(&self, random: &mut StdRng, label: &str) -> Value {
        self.ids(label).choose(random).expect("a node").as_str().into()
    }

    /// All that anything is sorted or filtered by, out of few values, so that some are equal.
    fn properties(&self, random: &mut StdRng, name: &str) -> Value {
        let mut properties: Vec<(&'static str, Value)> = vec![("name", name.into()), ("record", "{}".into())];
        for property in NUMBERS {
            properties.push((property, random.random_range(0..4_i64).into()));
        }
        for property in FRACTIONS {
            properties.push((property, (random.random_range(0..4_i64) as f64 / 2.0).into()));
        }
        for property in TEXTS {
            properties.push((property, ["A", "B", "C"].choose(random).copied().unwrap_or_default().into()));
        }
        for property in DATES {
            properties.push((property, format!("2024-01-0{}", random.random_range(1..4)).into()));
        }
        let primary = random.random_bool(0.5);
        properties.push(("primary", primary.into()));
        properties.push(("btlFlag", primary.into()));
        properties.push(("hidden", random.random_bool(0.5).into()));
        properties.push(("ipAddress", self.id(random, "IpAddress")));
        properties.push(("caseId", self.id(random, "Case")));
        properties.push(("accountId", self.id(random, "Account")));
        properties.push(("accountOwnerId", self.id(random, "Actor")));
        properties.push(("webhookId", self.id(random, "Webhook")));
        properties.push(("objectId", self.id(random, "Transaction")));
        properties.push(("transactionId", self.id(random, "Transaction")));
        // Entries of the audit log that have an id of their own; and behind 27 signs of its place the score that counts.
        properties.push(("writeId", format!("{}AuditEntry-{}", self.prefix, random.random_range(0..EACH)).into()));
        properties.push(("riskScoreKey", format!("{:0>27}{}RiskScore-{}", "", self.prefix, random.random_range(0..EACH)).into()));
        for &(property, same_as) in COPIES {
            let value = properties.iter().find(|(other, _)| *other == same_as).map(|(_, value)| value.clone());
            properties.push((property, value.expect("it has one")));
        }
        let larger = if primary { "SENT" } else { "RECEIVED" };
        properties.push(("largerTally", larger.into()));
        Value::Map(properties.into_iter().map(|(property, value)| (property.into(), value)).collect())
    }

    /// Writes it.
    pub async fn write(&self, engine: &Engine) {
        for (label, rows) in &self.nodes {
            self.put(engine, format!("UNWIND $rows AS row MERGE (n:`{label}` {{id: row.id}}) SET n += row.props"), rows).await;
        }
        for (from, kind, to, rows) in &self.links {
            let ends = format!("MATCH (a:`{from}` {{id: row.from}}) MATCH (b:`{to}` {{id: row.to}})");
            self.put(engine, format!("UNWIND $rows AS row {ends} CREATE (a)-[r:{kind}]->(b) SET r += row.props"), rows).await;
        }
        for (label, further, rows) in &self.further {
            self.put(engine, format!("UNWIND $rows AS row MATCH (n:`{label}` {{id: row.id}}) SET n:{further}"), rows).await;
        }
    }

    async fn put(&self, engine: &Engine, text: String, rows: &[Value]) {
        let statement = Statement::new("test/graph", text.leak());
        engine.write_within(statement, Params::rows(rows.to_vec()), Duration::from_secs(60)).await.expect("it is written");
    }
}

pub const NUMBERS: &[&str] = &[
    "createdAt",
    "updatedAt",
    "dueAt",
    "dueOrder",
    "overdueAt",
    "stepSince",
    "closedAt",
    "sentAt",
    "screenedAt",
    "knownFrom",
    "closedOrder",
    "riskOrder",
    "observedAt",
    "processedAt",
    "receivedAt",
    "recordedAt",
    "storedAt",
    "ingestedAt",
    "at",
    "since",
    "until",
    "knownUntil",
    "count",
    "first",
    "last",
    "position",
    "riskScoreOrder",
    "riskScoreParts",
    "sequence",
    "version",
    "totalUnits",
    "totalNanos",
    "amountUnits",
    "amountNanos",
];
const FRACTIONS: &[&str] = &["amount", "total", "ratio", "score", "riskScore"];
/// What is told of amounts in the default currency and of observations, and which value it has here, too.
const COPIES: &[(&str, &str)] = &[
    ("standardizedAmount", "amount"),
    ("sentStandardUnits", "totalUnits"),
    ("sentStandardNanos", "totalNanos"),
    ("receivedStandardUnits", "amountUnits"),
    ("receivedStandardNanos", "amountNanos"),
    ("scoreBillionths", "version"),
    ("logicalTime", "sequence"),
    ("standardUnits", "totalUnits"),
    ("standardNanos", "totalNanos"),
    ("priority", "role"),
    ("observationLabel", "label"),
    ("programGroup", "status"),
    ("dataSource", "method"),
    ("taxonomyDescription", "channel"),
    ("domicile", "state"),
    ("communicationType", "type"),
    ("response", "status"),
    ("operation", "method"),
];
const TEXTS: &[&str] = &[
    "riskBand",
    "type",
    "status",
    "state",
    "direction",
    "channel",
    "method",
    "currency",
    "role",
    "action",
    "by",
    "behaviorId",
    "workflowId",
    "stepId",
    "eventName",
    "list",
    "subject",
    "label",
    "decision",
    "userId",
    "assigneeId",
    "queue",
    "createdBy",
    "jurisdiction",
    "source",
    "closeReason",
    "narrative",
    "text",
];
const DATES: &[&str] = &["asOfDate", "reviewDate"];
