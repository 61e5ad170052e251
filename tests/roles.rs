//! The rights of the roles: each REST operation and each root field of GraphQL is allowed or refused, role by role, as its row says.
//!
//! The rows are the table of rights as an integrator meets it. An operation or a root field that has no row fails the test.

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, FieldDefinition, Type, TypeKind, TypeSystemDefinition};
use serde_json::{Value, json};

use crate::support::fixtures::case_id;
use crate::support::{Api, Engine, Server, Store, tests};

// Rights are decided above the engines.
tests![embedded: each_operation_is_for_the_roles_of_its_row, each_root_field_is_for_the_roles_of_its_row];

const EVERYONE: &[&str] = &["INGEST", "ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"];
const SENDERS: &[&str] = &["INGEST", "ADMIN"];
const NO_AUDITORS: &[&str] = &["INGEST", "ANALYST", "SUPERVISOR", "ADMIN"];
const EXPLORERS: &[&str] = &["ANALYST", "SUPERVISOR", "AUDITOR", "ADMIN"];
const INVESTIGATORS: &[&str] = &["ANALYST", "SUPERVISOR", "ADMIN"];
const OVERSEERS: &[&str] = &["SUPERVISOR", "AUDITOR", "ADMIN"];
const STARTERS_OF_DETECTION: &[&str] = &["INGEST", "SUPERVISOR", "ADMIN"];
const SUPERVISORS: &[&str] = &["SUPERVISOR", "ADMIN"];
const ADMINISTRATORS: &[&str] = &["ADMIN"];

/// REST operations by the roles that may use them, each with its example as the body.
const OPERATIONS: &[(&[&str], &[&str])] = &[
    (
        SENDERS,
        &[
            "Add Actor",
            "Add Actor Associates",
            "Add Actor Extended Info",
            "Add Actor Risk Score",
            "Add Account",
            "Add Account Balance",
            "Add Actor to Account",
            "Remove Actor from Account",
            "Add Transaction",
            "Create Channel Location",
            "Add Observation",
            "Add Actors to Observation",
            "Bulk ingest",
            "Create a Segmentation Category",
            "Update Segmentation Category",
            "Create a Segmentation Group",
            "Update a Group",
            "Set an owner for a Group",
            "Remove an owner from a Group",
            "Create or update an RFD schema",
            "Follow events",
        ],
    ),
    (
        EVERYONE,
        &[
            "Get Actor",
            "Get Actor Extended Info",
            "Get Actor Risk Score",
            "Get Transaction",
            "Get All Channel Locations",
            "Get Observation",
            "Get Cases",
            "Get Case",
            "Get Workflows",
            "Retrieves a list of custom properties",
            "Get Bulk Case Ingestion Status",
            "Get Cases in Dead Letter Queue",
            "Get Observation Feedback",
            "Get Suppressed Signals",
            "Get Segmentation Categories",
            "Get Segmentation Category",
            "Get all Groups under a Category",
            "Get all Actors of a Category",
            "Get a single Group",
            "Get all Actors for a Group",
            "Get Groups of an Actor",
            "Get the owners for a Group",
            "Get all owners for a Group",
            "Get RFD by Id",
            "Retrieve a list of RFD schemas",
            "Retrieve RFD schema by type",
            "Get Users",
            "Get User by ID",
        ],
    ),
    (
        NO_AUDITORS,
        &[
            "Add Actor Exclusion",
            "Add Actor RiskAssessment",
            "Create a new Case",
            "Update a Case (earlier form)",
            "Update case",
            "Add an actor to a case",
            "Update multiple case actors",
            "Update a case actor",
            "Add a communication to a case",
            "Upload a file to a case",
            "Reject an RFD request",
            "Add Actors to a Group",
            "Remove Actors from a Group",
        ],
    ),
    (EXPLORERS, &["Download a file"]),
    (OVERSEERS, &["Get Audit Logs"]),
    (SUPERVISORS, &["Upload a list"]),
    (STARTERS_OF_DETECTION, &["Initialize batch"]),
    (
        ADMINISTRATORS,
        &[
            "List webhooks",
            "Create and register a new Webhook",
            "Retrieve a Webhook by Id",
            "Remove a Webhook by Id",
            "Update Webhook",
            "Create Key",
            "List Keys",
            "Revoke Key",
            "Create Client",
            "List Clients",
            "Revoke Client",
        ],
    ),
];

/// An operation whose roles are others where the request says more: the operation, its query, its body, and the roles.
const MORE_REQUESTS: &[(&str, &str, &str, &[&str])] = &[
    (
        "Add Actor Risk Score",
        "",
        r#"{"as_of_date": "2024-01-31", "final_score": 90, "risk_rule_id": "customer-risk", "override": true, "override_reason": "seen"}"#,
        NO_AUDITORS,
    ),
    (
        "Add Actor Risk Score",
        "",
        r#"{"as_of_date": "2024-01-31", "final_score": 10, "risk_rule_id": "customer-risk", "override": false}"#,
        NO_AUDITORS,
    ),
    ("Get Audit Logs", "?startDate=2020-01-01T00:00:00Z&endDate=2020-01-02T00:00:00Z&caseId=0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37", "", EXPLORERS),
];

/// It has credentials of its own, and no role.
const TOKEN_REQUEST: &str = "Token request";

/// In the place of each id. It is the id of the examples' case, too.
const ID: &str = "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37";

/// Root fields of GraphQL: the field, its arguments, in which `{id}` stands for an id, and the roles.
const FIELDS: &[(&str, &str, &[&str])] = &[
    ("viewer", "", EVERYONE),
    ("node", "id: \"Actor:{id}\"", EXPLORERS),
    ("nodes", "ids: [\"Actor:{id}\"]", EXPLORERS),
    ("nodes", "ids: [\"Webhook:{id}\"]", ADMINISTRATORS),
    ("node", "id: \"Webhook:{id}\"", ADMINISTRATORS),
    ("node", "id: \"Delivery:{id}\"", ADMINISTRATORS),
    ("node", "id: \"AuditEntry:{id}\"", OVERSEERS),
    ("actor", "id: \"{id}\"", EXPLORERS),
    ("account", "id: \"{id}\"", EXPLORERS),
    ("transaction", "id: \"{id}\"", EXPLORERS),
    ("channelLocation", "id: \"{id}\"", EXPLORERS),
    ("device", "id: \"{id}\"", EXPLORERS),
    ("ipAddress", "id: \"192.0.2.1\"", EXPLORERS),
    ("case", "id: \"{id}\"", EXPLORERS),
    ("communication", "id: \"{id}\"", EXPLORERS),
    ("file", "id: \"{id}\"", EXPLORERS),
    ("observation", "id: \"{id}\"", EXPLORERS),
    ("requestForData", "id: \"{id}\"", EXPLORERS),
    ("workflow", "id: \"default-analysis\"", EXPLORERS),
    ("workflowStep", "id: \"default-analysis/to-do\"", EXPLORERS),
    ("user", "id: \"{id}\"", EXPLORERS),
    ("segmentationCategory", "id: \"{id}\"", EXPLORERS),
    ("segmentationGroup", "id: \"{id}\"", EXPLORERS),
    ("event", "id: \"{id}\"", EXPLORERS),
    ("requestForDataSchema", "type: \"KYC\"", EXPLORERS),
    ("caseTag", "id: \"tag\"", EXPLORERS),
    ("observationRule", "id: \"{id}\"", EXPLORERS),
    ("bulkRequest", "id: \"{id}\"", EXPLORERS),
    ("bulkItem", "id: \"{id}\"", EXPLORERS),
    ("webhook", "id: \"{id}\"", ADMINISTRATORS),
    ("delivery", "id: \"{id}\"", ADMINISTRATORS),
    ("auditEntry", "id: \"{id}\"", OVERSEERS),
    // Each role sees the caller's own jobs; `job_instances` looks at which.
    ("job", "id: \"{id}\"", EVERYONE),
    ("jobs", "first: 1", EVERYONE),
    ("changes", "first: 1", ADMINISTRATORS),
    ("feedPosition", "", EXPLORERS),
    ("detectionRuns", "first: 1", EXPLORERS),
    ("detectionRules", "", EXPLORERS),
    ("riskRules", "", EXPLORERS),
    ("detectionPrecision", "from: \"2024-01-01\", to: \"2024-01-31\"", EXPLORERS),
    ("detectionSnoozes", "first: 1", EXPLORERS),
    ("watchlists", "", EXPLORERS),
    ("watchlist", "id: \"{id}\"", EXPLORERS),
    ("actors", "first: 1", EXPLORERS),
    ("accounts", "first: 1", EXPLORERS),
    ("transactions", "first: 1", EXPLORERS),
    ("cases", "first: 1", EXPLORERS),
    ("observations", "first: 1", EXPLORERS),
    ("observationFeedback", "first: 1", EXPLORERS),
    ("suppressedSignals", "first: 1", EXPLORERS),
    ("scoredActors", "first: 1", EXPLORERS),
    ("clearedMatches", "first: 1", EXPLORERS),
    ("channelLocations", "first: 1", EXPLORERS),
    ("bulkRequests", "first: 1", EXPLORERS),
    ("bulkItems", "first: 1", EXPLORERS),
    ("devices", "first: 1", EXPLORERS),
    ("users", "first: 1", EXPLORERS),
    ("segmentationCategories", "first: 1", EXPLORERS),
    ("segmentationGroups", "first: 1", EXPLORERS),
    ("workflows", "first: 1", EXPLORERS),
    ("requestForDataSchemas", "first: 1", EXPLORERS),
    ("requestsForData", "first: 1", EXPLORERS),
    ("customProperties", "first: 1", EXPLORERS),
    ("caseTags", "first: 1", EXPLORERS),
    ("observationRules", "first: 1", EXPLORERS),
    ("caseStatistics", "groupBy: [STATUS]", EXPLORERS),
    ("observationStatistics", "groupBy: [RULE]", EXPLORERS),
    ("apiKeys", "", ADMINISTRATORS),
    ("apiClients", "", ADMINISTRATORS),
    ("webhooks", "first: 1", ADMINISTRATORS),
    ("deliveries", "first: 1", ADMINISTRATORS),
    ("auditEntries", "first: 1", OVERSEERS),
    ("auditEntries", "first: 1, filter: {objectIds: [\"{id}\"]}", OVERSEERS),
    ("auditEntries", "first: 1, filter: {caseIds: [\"{id}\"]}", EXPLORERS),
    ("recordDevices", "devices: [{id: \"device\"}]", SENDERS),
    ("recordSignIns", "signIns: [{deviceId: \"device\", accountId: \"account\", at: \"2024-01-01T00:00:00Z\"}]", SENDERS),
    ("assignCase", "input: {caseId: \"{id}\"}", INVESTIGATORS),
    ("assignCases", "input: {cases: [{caseId: \"{id}\"}]}", INVESTIGATORS),
    ("tagCases", "input: {cases: [{caseId: \"{id}\"}], remove: [\"tag\"]}", INVESTIGATORS),
    ("closeCases", "input: {cases: [{caseId: \"{id}\"}]}", INVESTIGATORS),
    ("createCase", "input: {}", INVESTIGATORS),
    ("addCaseActors", "input: {caseId: \"{id}\", actors: [{actorId: \"actor\"}]}", INVESTIGATORS),
    ("addCaseCommunication", "input: {caseId: \"{id}\", type: \"email\", subject: \"s\", senderId: \"a\", receiverId: \"b\"}", INVESTIGATORS),
    ("setCaseProperties", "input: {caseId: \"{id}\", properties: [{name: \"c__x\", value: 1}]}", INVESTIGATORS),
    ("setCaseActorProperties", "input: {caseId: \"{id}\", actorId: \"actor\", properties: [{name: \"c__x\", value: 1}]}", INVESTIGATORS),
    ("setCaseResolution", "input: {caseId: \"{id}\", resolution: 1}", INVESTIGATORS),
    ("commentOnCase", "input: {caseId: \"{id}\", text: \"seen\"}", INVESTIGATORS),
    ("actOnCase", "input: {caseId: \"{id}\", action: \"CLAIM\"}", INVESTIGATORS),
    ("closeCase", "input: {caseId: \"{id}\"}", INVESTIGATORS),
    ("reopenCase", "input: {caseId: \"{id}\"}", INVESTIGATORS),
    ("decideTransaction", "input: {caseId: \"{id}\", transactionId: \"payment\", decision: BLOCK}", INVESTIGATORS),
    ("tagCase", "input: {caseId: \"{id}\", add: [{id: \"tag\", label: \"Tag\"}]}", INVESTIGATORS),
    ("setCaseJurisdiction", "input: {caseId: \"{id}\", jurisdiction: \"DE\"}", INVESTIGATORS),
    ("setCaseActorFinding", "input: {caseId: \"{id}\", actorId: \"actor\"}", INVESTIGATORS),
    ("placeCase", "input: {caseId: \"{id}\", jurisdiction: \"DE\"}", INVESTIGATORS),
    ("decideActor", "input: {caseId: \"{id}\", actorId: \"actor\"}", INVESTIGATORS),
    ("giveObservationFeedback", "input: {caseId: \"{id}\", observationId: \"observation\", feedback: \"TRUE_POSITIVE\"}", INVESTIGATORS),
    ("whitelistObservation", "input: {caseId: \"{id}\", observationId: \"observation\"}", INVESTIGATORS),
    ("raiseCase", "input: {observationIds: [\"observation\"]}", INVESTIGATORS),
    ("raiseCases", "input: {observationIds: [[\"observation\"]]}", INVESTIGATORS),
    ("dismissObservation", "input: {observationId: \"observation\", reason: \"known\"}", INVESTIGATORS),
    ("restoreObservation", "input: {observationId: \"observation\"}", INVESTIGATORS),
    ("dismissObservations", "input: {observationIds: [\"observation\"], reason: \"known\"}", INVESTIGATORS),
    ("snoozeDetection", "input: {actorId: \"{id}\", ruleId: \"fan-in\", until: \"2999-01-01T00:00:00Z\", reason: \"known\"}", INVESTIGATORS),
    (
        "snoozeDetections",
        "input: {targets: [{actorId: \"{id}\", ruleId: \"fan-in\"}], until: \"2999-01-01T00:00:00Z\", reason: \"known\"}",
        INVESTIGATORS,
    ),
    ("calculateRisk", "input: {actorId: \"{id}\"}", INVESTIGATORS),
    ("setActorExclusion", "input: {actorId: \"{id}\", type: SUPPRESSED}", INVESTIGATORS),
    ("overrideRiskScore", "input: {actorId: \"{id}\", finalScore: \"1\", reason: \"known\"}", INVESTIGATORS),
    ("liftRiskScoreOverride", "input: {actorId: \"{id}\"}", INVESTIGATORS),
    ("addRiskAssessments", "input: {actorId: \"{id}\", assessments: [{type: \"PEP\", value: \"yes\"}]}", INVESTIGATORS),
    ("clearMatch", "input: {actorId: \"{id}\", entry: \"own/Q1\", reason: \"another\"}", INVESTIGATORS),
    ("clearMatches", "input: {targets: [{actorId: \"{id}\", entry: \"own/Q1\"}], reason: \"another\"}", INVESTIGATORS),
    ("unclearMatch", "input: {clearedMatchId: \"{id}\", reason: \"it is so\"}", INVESTIGATORS),
    ("requestData", "input: {caseId: \"{id}\", type: \"KYC\", request: {}}", INVESTIGATORS),
    ("rejectRequestForData", "input: {requestForDataId: \"{id}\", reason: \"nobody knows\"}", INVESTIGATORS),
    ("fulfilRequestForData", "input: {requestForDataId: \"{id}\", actorId: \"{id}\"}", INVESTIGATORS),
    ("addSegmentationGroupMembers", "input: {groupId: \"{id}\", actorIds: [\"{id}\"]}", INVESTIGATORS),
    ("removeSegmentationGroupMembers", "input: {groupId: \"{id}\", actorIds: [\"{id}\"]}", INVESTIGATORS),
    ("addSegmentationGroupOwner", "input: {groupId: \"{id}\", actorId: \"{id}\"}", ADMINISTRATORS),
    ("removeSegmentationGroupOwner", "input: {groupId: \"{id}\", actorId: \"{id}\"}", ADMINISTRATORS),
    ("createSegmentationGroup", "input: {categoryId: \"{id}\", name: \"roles\"}", ADMINISTRATORS),
    ("createSegmentationCategory", "input: {name: \"roles\"}", ADMINISTRATORS),
    ("cancelJob", "input: {jobId: \"{id}\"}", EVERYONE),
    ("verifyTransfers", "input: {}", ADMINISTRATORS),
    ("importWatchlist", "input: {name: \"Roles\", uploadId: \"{id}\"}", SUPERVISORS),
    ("screenActors", "input: {}", SUPERVISORS),
    ("snoozeDetection", "input: {actorId: \"{id}\", ruleId: \"fan-in\", until: \"2999-01-01T00:00:00Z\", reason: \"known\"}", INVESTIGATORS),
    ("endDetectionSnooze", "input: {snoozeId: \"{id}\", reason: \"over\"}", INVESTIGATORS),
    ("tuneDetectionRule", "input: {ruleId: \"no-rule\", status: OFF, reason: \"tried\"}", SUPERVISORS),
    ("addDetectionRule", "input: {files: []}", SUPERVISORS),
    ("backtestRule", "input: {ruleId: \"fan-in\", lineOfBusiness: \"roles\", from: \"2024-01-01\", to: \"2024-01-01\"}", SUPERVISORS),
    ("tuneRiskRule", "input: {ruleId: \"no-rule\", status: OFF, reason: \"tried\"}", SUPERVISORS),
    ("addRiskRule", "input: {files: []}", SUPERVISORS),
    ("backtestRiskRule", "input: {ruleId: \"no-rule\", lineOfBusiness: \"roles\", from: \"2024-01-01\", to: \"2024-01-01\"}", SUPERVISORS),
    ("createUser", "input: {username: \"roles\"}", ADMINISTRATORS),
    ("updateUser", "input: {userId: \"{id}\", firstName: \"Ada\"}", ADMINISTRATORS),
    ("createWebhook", "input: {name: \"roles\", url: \"https://desk.example.com/hooks\", events: []}", ADMINISTRATORS),
    ("updateWebhook", "input: {webhookId: \"{id}\", name: \"roles\"}", ADMINISTRATORS),
    ("removeWebhook", "input: {webhookId: \"{id}\"}", ADMINISTRATORS),
    ("rotateWebhookSecret", "input: {webhookId: \"{id}\"}", ADMINISTRATORS),
    ("replayDelivery", "input: {deliveryId: \"{id}\"}", ADMINISTRATORS),
    ("replayFailedDeliveries", "input: {webhookId: \"{id}\", since: \"2024-01-01T00:00:00Z\"}", ADMINISTRATORS),
    ("replayEvents", "input: {webhookId: \"{id}\", since: \"2024-01-01T00:00:00Z\"}", ADMINISTRATORS),
    ("replayAllEvents", "input: {webhookId: \"{id}\", since: \"2024-01-01T00:00:00Z\"}", ADMINISTRATORS),
    ("sendTestEvent", "input: {webhookId: \"{id}\"}", ADMINISTRATORS),
    (
        "addWorkflow",
        "input: {workflow: {id: \"roles\", name: \"Roles\", type: ANALYSIS, steps: [{id: \"new\", label: \"New\", status: \"NEW\", state: OPEN}, \
         {id: \"done\", label: \"Done\", status: \"DONE\", state: CLOSED}], moves: [{action: \"CLOSE\", from: \"new\", to: \"done\"}]}}",
        ADMINISTRATORS,
    ),
    ("defineCustomProperty", "input: {entity: CASE, name: \"c__roles\", schema: {}}", ADMINISTRATORS),
];

/// A caller of each role, by a key.
async fn callers(server: &Api) -> Vec<(&'static str, Api)> {
    let mut callers = Vec::new();
    for role in EVERYONE {
        let made = server.post("/admin/keys", json!({"role": role}).to_string()).await.expect(201).json();
        callers.push((*role, server.with_key(made["key"].as_str().expect("a key"))));
    }
    callers
}

/// The roles of an operation's row.
fn roles_of(operation: &str) -> Option<&'static [&'static str]> {
    OPERATIONS.iter().find(|(_, operations)| operations.contains(&operation)).map(|(roles, _)| *roles)
}

/// What an operation has to be asked for.
fn query_of(operation: &str) -> &'static str {
    match operation {
        "Get Audit Logs" | "Get Observation Feedback" => "?startDate=2020-01-01T00:00:00Z&endDate=2020-01-02T00:00:00Z",
        "Get Suppressed Signals" => "?startDate=2020-01-01&endDate=2020-01-01",
        _ => "",
    }
}

/// Media type and text of the body that an operation's part of the document shows.
fn body_of(operation: &Value) -> (&'static str, String) {
    let content = &operation["requestBody"]["content"];
    if content["multipart/form-data"].is_object() {
        let form = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\na\r\n--x--\r\n";
        return ("multipart/form-data; boundary=x", form.to_owned());
    }
    let example = content["application/json"].get("example");
    ("application/json", example.map(Value::to_string).unwrap_or_default())
}

/// The path with an id in the place of each parameter.
fn filled_in(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { ID } else { part }).collect::<Vec<_>>().join("/")
}

async fn each_operation_is_for_the_roles_of_its_row(engine: Engine) {
    let server = Server::on(Store::of(engine));
    let callers = callers(&server).await;
    let document = server.anonymous().get("/openapi.json").await.expect(200).json();
    let mut tried = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("methods") {
            let name = operation["summary"].as_str().expect("a name");
            if name == TOKEN_REQUEST {
                continue;
            }
            let roles = roles_of(name).unwrap_or_else(|| panic!("{name}: has no row"));
            tried.insert(name);
            let (media_type, example) = body_of(operation);
            let more = MORE_REQUESTS.iter().filter(|(of, ..)| *of == name).map(|(_, query, body, roles)| (*query, (*body).to_owned(), *roles));
            let requests: Vec<(&str, String, &[&str])> = std::iter::once((query_of(name), example, roles)).chain(more).collect();
            for (query, body, roles) in requests {
                let path = format!("{}{query}", filled_in(path));
                for (role, api) in &callers {
                    let request = api.request(&method.to_uppercase(), &path).header("content-type", media_type).header("x-request-id", case_id());
                    let answer = api.send(request.body(body.clone())).await;
                    if roles.contains(role) {
                        assert!(![401, 403, 405].contains(&answer.status) && answer.status < 500, "{role} {name} {path}: {answer:?}");
                    } else {
                        assert_eq!(answer.status, 403, "{role} {name} {path}: {answer:?}");
                        assert!(answer.text.contains(role), "{role} {name}: {answer:?}");
                    }
                }
            }
        }
    }
    let rows = OPERATIONS.iter().flat_map(|(_, operations)| operations.iter().copied());
    let never: Vec<&str> = rows.filter(|name| !tried.contains(name)).collect();
    assert_eq!(never, Vec::<&str>::new(), "rows of operations that are not there");
    let listed = include_str!("operations.tsv").lines().skip(1).filter_map(|line| line.split('\t').next());
    let without: Vec<&str> = listed.filter(|name| *name != TOKEN_REQUEST && roles_of(name).is_none()).collect();
    assert_eq!(without, Vec::<&str>::new(), "operations of the list without a row");
}

/// What the schema says of the fields that questions begin with.
struct Roots {
    /// `query` or `mutation`, and the name of the type, by field.
    fields: BTreeMap<String, (&'static str, String)>,
    /// Names of fields by object.
    objects: BTreeMap<String, BTreeSet<String>>,
}

impl Roots {
    fn read() -> Self {
        let document = parse_schema(include_str!("../docs/schema.graphql")).expect("the schema");
        let (mut fields, mut objects) = (BTreeMap::new(), BTreeMap::new());
        for definition in document.definitions {
            let TypeSystemDefinition::Type(definition) = definition else { continue };
            let name = definition.node.name.node.to_string();
            let of: Vec<FieldDefinition> = match definition.node.kind {
                TypeKind::Object(object) => object.fields.into_iter().map(|field| field.node).collect(),
                TypeKind::Interface(interface) => interface.fields.into_iter().map(|field| field.node).collect(),
                _ => continue,
            };
            let kind = match name.as_str() {
                "Query" => Some("query"),
                "Mutation" => Some("mutation"),
                _ => None,
            };
            if let Some(kind) = kind {
                fields.extend(of.iter().map(|field| (field.name.node.to_string(), (kind, named(&field.ty.node).to_owned()))));
            }
            objects.insert(name, of.into_iter().map(|field| field.name.node.to_string()).collect());
        }
        Self { fields, objects }
    }

    /// A question with a root field, and as little below it as makes the field be asked.
    fn question(&self, field: &str, arguments: &str) -> String {
        let (kind, of) = self.fields.get(field).unwrap_or_else(|| panic!("{field}: is not in the schema"));
        let selection = match self.objects.get(of) {
            None => "",
            Some(names) if names.contains("totalCount") => "{ totalCount }",
            Some(names) if names.contains("id") => "{ id }",
            Some(names) if names.contains("position") => "{ position }",
            Some(_) => "{ __typename }",
        };
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.replace("{id}", ID)) };
        format!("{kind} {{ {field}{arguments} {selection} }}")
    }
}

fn named(field: &Type) -> &str {
    match &field.base {
        BaseType::Named(name) => name,
        BaseType::List(item) => named(item),
    }
}

/// The codes of an answer's errors.
fn codes(answer: &Value) -> BTreeSet<&str> {
    answer["errors"].as_array().into_iter().flatten().filter_map(|error| error["extensions"]["code"].as_str()).collect()
}

async fn each_root_field_is_for_the_roles_of_its_row(engine: Engine) {
    let server = Server::on(Store::of(engine));
    let callers = callers(&server).await;
    let roots = Roots::read();
    let without: Vec<&String> = roots.fields.keys().filter(|field| !FIELDS.iter().any(|(of, ..)| of == field)).collect();
    assert_eq!(without, Vec::<&String>::new(), "root fields without a row");
    for (field, arguments, roles) in FIELDS {
        let question = roots.question(field, arguments);
        for (role, api) in &callers {
            let answer = api.graphql_answer(&question, json!({})).await;
            let codes = codes(&answer);
            if roles.contains(role) {
                assert!(!codes.contains("FORBIDDEN") && !codes.contains("INTERNAL"), "{role}: {question}: {answer}");
            } else {
                assert_eq!(codes, BTreeSet::from(["FORBIDDEN"]), "{role}: {question}: {answer}");
                assert_eq!(answer["errors"][0]["extensions"]["role"], *role, "{question}: {answer}");
            }
        }
    }
}
