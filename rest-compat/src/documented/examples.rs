//! An example of each body that is sent: together they tell one story, which can be sent in this order. A test sends it.

use std::collections::HashMap;

use serde_json::{Value, json};

/// The examples by the names of their operations.
pub(super) fn by_operation() -> HashMap<&'static str, Value> {
    [ingestion(), cases(), segmentation(), administration()].into_iter().flatten().collect()
}

type Examples = Vec<(&'static str, Value)>;

fn ingestion() -> Examples {
    vec![
        ("Add Actor", actor()),
        (
            "Add Actor Associates",
            json!({"actorAssociates": [{"id": "actor-2", "name": "Byron Trading Ltd", "type": "DIRECTOR", "isCustomer": true}], "asOfDate": "2024-01-31"}),
        ),
        ("Add Actor Exclusion", json!({"exclusion_type": "NOT_MONITORED"})),
        ("Add Actor RiskAssessment", json!([{"asOfDate": "2024-01-31", "type": "PEP", "value": "NO", "comment": "checked by hand"}])),
        ("Add Actor Extended Info", json!({"asOfDate": "2024-01-31", "numberOfBankAccounts": 2, "depositsTotalBalanceLcy": 12500.5})),
        (
            "Add Actor Risk Score",
            json!({"as_of_date": "2024-01-31", "final_score": 35.5, "risk_rule_id": "customer-risk", "sub_scores": {"geography": 12.5, "products": 23}}),
        ),
        (
            "Add Account",
            json!({"id": "account-1", "accountType": "CURRENT", "asOfDate": "2024-01-31", "currencyCode": "EUR", "iban": "DE75512108001245126199",
                "name": "Ada's current account", "openedDate": "2020-06-21", "status": "ACTIVE"}),
        ),
        ("Add Account Balance", json!({"currency": "EUR", "current": 1250.75, "available": 1200, "asOfDate": "2024-01-31", "type": "CLOSING"})),
        ("Add Actor to Account", json!({"actors": [{"id": "actor-1", "role": "OWNER"}], "asOfDate": "2024-01-31"})),
        (
            "Create Channel Location",
            json!({"id": "branch-1", "type": "BRANCH", "address": {"street": ["Main Street 1"], "city": "Ulm", "postal_code": "89073", "country": "DE"}}),
        ),
        ("Add Transaction", transaction()),
        ("Add Observation", observation()),
        ("Add Actors to Observation", json!([{"actorId": "actor-1", "primary": true}])),
        ("Bulk ingest", json!({"actors": [{"id": "actor-2", "type": "LEGAL_ENTITY", "as_of_date": "2024-01-31", "name": "Byron Trading Ltd"}]})),
        ("Initialize batch", json!({"closeOfBusinessDate": "2024-01-31", "lineOfBusiness": "INDIVIDUAL", "processType": "AML"})),
    ]
}

fn actor() -> Value {
    json!({"id": "actor-1", "type": "INDIVIDUAL", "asOfDate": "2024-01-31", "name": "Ada Byron", "dateOfBirth": "1990-12-10", "gender": "FEMALE",
        "nationality": "GB", "domicile": "DE", "status": "ACTIVE", "subType": ["CUSTOMER"],
        "addresses": [{"type": "HOME", "line1": "Main Street 1", "postcode": "89073", "city": "Ulm", "country": "DE"}],
        "phones": [{"type": "MOBILE", "number": "+49 731 1234567"}]})
}

fn transaction() -> Value {
    json!({"id": "transaction-1", "account_id": "account-1", "account_owner_id": "actor-1", "amount": {"value": 250.75, "currency": "EUR"},
        "counterparty": {"object": "ACCOUNT_INFO", "name": "Byron Trading Ltd", "account_info": {"iban": "GB33BUKB20201555555555"}},
        "created_at": 1_706_702_400, "direction": "OUTBOUND", "standardized_amount": 250.75, "status": "COMPLETED", "method": "WIRE_TRANSFER"})
}

fn observation() -> Value {
    json!({"id": "observation-1", "type": "ALERT_AML", "behaviorId": "B-17", "behaviorName": "Money that comes back", "date": 1_706_702_400, "score": 0.75,
        "businessDate": "2024-01-31"})
}

fn cases() -> Examples {
    let case = "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37";
    let communication = "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a38";
    vec![
        (
            "Create a new Case",
            json!({"id": case, "type": "ANALYSIS", "actors": [{"id": "actor-1", "type": "FOCAL"}], "observation_ids": ["observation-1"]}),
        ),
        ("Update a Case (earlier form)", json!({"communication_ids": [communication]})),
        ("Update case", json!({"resolution": "CLEARED", "c__reviewers": ["ada"]})),
        (
            "Add an actor to a case",
            json!({"actor": {"id": "actor-2", "type": "LEGAL_ENTITY", "as_of_date": "2024-01-31", "name": "Byron Trading Ltd"}, "type": "CONNECTION"}),
        ),
        ("Update multiple case actors", json!([{"actor_id": "actor-1", "properties": {"c__seen": true}}])),
        ("Update a case actor", json!({"c__seen": true})),
        (
            "Add a communication to a case",
            json!({"id": communication, "type": "email", "sender_id": "actor-1", "receiver_id": "actor-2", "subject": "Invoice 17", "content": "Please pay."}),
        ),
        ("Reject an RFD request", json!({"reason": "the data can't be had"})),
        (
            "Create or update an RFD schema",
            json!({"type": "source-of-funds", "schema": {"type": "object", "properties": {"actor_id": {"type": "string"}}, "required": ["actor_id"]}}),
        ),
    ]
}

fn segmentation() -> Examples {
    vec![
        ("Create a Segmentation Category", json!({"name": "Service", "description": "How clients are served"})),
        ("Update Segmentation Category", json!({"description": "How clients are served, and by whom"})),
        ("Create a Segmentation Group", json!({"category_id": "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37", "name": "Private banking"})),
        ("Update a Group", json!({"description": "Clients with an adviser of their own"})),
        ("Add Actors to a Group", json!(["actor-1", "actor-2"])),
        ("Remove Actors from a Group", json!(["actor-2"])),
    ]
}

fn administration() -> Examples {
    let webhook = json!({"name": "Case desk", "url": "https://desk.example.com/hooks", "events": ["case.created", "case.closed"]});
    vec![
        ("Create and register a new Webhook", webhook),
        ("Update Webhook", json!({"status": "INACTIVE"})),
        ("Create Key", json!({"role": "INGEST", "name": "Core banking"})),
        ("Create Client", json!({"role": "INGEST", "name": "Core banking"})),
        (
            "Token request",
            json!({"grant_type": "client_credentials", "client_id": "0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37", "client_secret": "amlsec_…"}),
        ),
    ]
}
