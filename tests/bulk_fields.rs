//! Every field that the document gives the records of a bulk request is taken, and is there when the record is read.

use serde_json::{Map, Value, json};

use crate::support::bulk::{SOON, arrived, bulk_actor, eventually_is, send, taken};
use crate::support::fixtures::{NOON, case_id, iban};
use crate::support::{Api, Engine, Ids, Server, eventually, tests};

tests![both: every_field_of_the_bulk_tables_is_taken; embedded: custom_data_of_a_communication_has_at_most_10000_characters];

/// The document's table of bulk entities; of cases the fields that the single form has besides.
const FIELDS: [(&str, &[&str]); 9] = [
    ("account_actors", &["account_id", "actor_id", "actor_role", "as_of_date"]),
    ("account_balances", &["account_id", "as_of_date", "available", "currency", "current"]),
    (
        "accounts",
        &[
            "account_number",
            "account_type",
            "as_of_date",
            "bank_code",
            "custom_data",
            "data_source",
            "iban",
            "id",
            "metadata",
            "name",
            "opened_date",
            "references",
            "status",
        ],
    ),
    ("actor_segmentation_groups", &["actor_id", "group_id"]),
    (
        "actors",
        &[
            "addresses",
            "as_of_date",
            "custom_data",
            "customer_since",
            "data_source",
            "date_of_birth",
            "domicile",
            "gender",
            "government_ids",
            "id",
            "metadata",
            "name",
            "nationality",
            "phones",
            "references",
            "status",
            "subtypes",
            "type",
        ],
    ),
    (
        "cases",
        &[
            "actors",
            "c__level",
            "communication_ids",
            "communications",
            "created_at",
            "focal_actor_id",
            "id",
            "metadata",
            "observation_ids",
            "resolution",
            "type",
            "workflow_id",
        ],
    ),
    ("communications", &["content", "custom_data", "id", "metadata", "subject", "type"]),
    (
        "observations",
        &[
            "actor_ids",
            "behavior_description",
            "behavior_id",
            "created_at",
            "custom_data",
            "data_source",
            "features",
            "id",
            "metadata",
            "references",
            "rules",
            "score",
            "title",
            "transaction_ids",
            "type",
            "version",
        ],
    ),
    (
        "transactions",
        &[
            "account_balance",
            "account_id",
            "account_owner_id",
            "amount",
            "channel",
            "channel_location_id",
            "counterparty",
            "created_at",
            "custom_data",
            "description",
            "device",
            "direction",
            "id",
            "metadata",
            "method",
            "purpose",
            "standardized_amount",
            "status",
            "user_id",
            "user_name",
        ],
    ),
];

/// What is sent, and what it is named by.
struct Sent {
    ids: Ids,
    group: String,
    case: String,
    filing: String,
    message: String,
    iban: String,
}

impl Sent {
    async fn new(api: &Api) -> Self {
        let ids = Ids::new();
        let made = async |path: &str, body: Value| {
            let made = api.post(path, body.to_string()).await.expect(200).json();
            made["id"].as_str().expect("an id").to_owned()
        };
        let category = made("/api/segmentation/categories", json!({"name": ids.of("category")})).await;
        let group = made("/api/segmentation/groups", json!({"category_id": category, "name": "group"})).await;
        // There is no list of them: a payment waits for the one that it names.
        let place = json!({"id": ids.of("atm"), "type": "ATM", "address": {"city": "Berlin"}});
        api.post("/api/channel_locations", place.to_string()).await.expect(200);
        let iban = iban(&ids.digits(18));
        Self { ids, group, case: case_id(), filing: case_id(), message: case_id(), iban }
    }

    fn of(&self, name: &str) -> String {
        self.ids.of(name)
    }

    /// The bank code, and the number at the bank, of the account's IBAN.
    fn number(&self) -> (&str, &str) {
        (&self.iban[4..12], &self.iban[12..])
    }

    fn body(&self) -> Value {
        let (bank_code, account_number) = self.number();
        json!({
            "actors": [self.person(), bulk_actor(&self.of("company"))],
            "accounts": [{"id": self.of("account"), "account_type": "CURRENT", "account_number": account_number, "as_of_date": "2024-01-31",
                "bank_code": bank_code, "custom_data": {"a": 1}, "iban": self.iban, "metadata": {"b": 2}, "name": "Salary", "opened_date": "2020-02-29",
                "references": [{"id": self.of("ledger"), "system_name": "core"}], "data_source": "ledger", "status": "NO_TRADING"}],
            "account_actors": [{"account_id": self.of("account"), "actor_id": self.of("person"), "actor_role": "PROXY", "as_of_date": "2023-12-31"}],
            "account_balances": [{"account_id": self.of("account"), "currency": "EUR", "current": 10.25, "as_of_date": "2024-01-30", "available": 5.5}],
            "transactions": [self.payment()],
            "actor_segmentation_groups": [{"actor_id": self.of("person"), "group_id": self.group}],
            "observations": [self.observation()],
            "communications": [{"id": self.message, "type": "SMS", "content": "Please call", "custom_data": {"i": 9}, "metadata": {"j": 10}, "subject": "Call"}],
            "cases": [
                {"id": self.case, "type": "ANALYSIS", "workflow_id": "default-analysis", "created_at": "2024-01-31T12:00:00Z",
                    "actors": [{"id": self.of("company"), "type": "CONNECTION"}], "focal_actor_id": self.of("person"),
                    "observation_ids": [self.of("observation")], "communication_ids": [self.message], "metadata": {"k": 11},
                    "communications": [{"communication_type": "email", "communication_id": self.of("mail"), "subject": "Hello", "content": "…",
                        "metadata": {}, "custom_data": {}}],
                    "resolution": {"value": "open"}, "c__level": ["high", 1, 2.5, true, {"a": null}]},
                {"id": self.filing, "type": "FILING", "resolution": "filed", "c__level": "low"},
            ],
        })
    }

    fn person(&self) -> Value {
        json!({"id": self.of("person"), "type": "INDIVIDUAL", "as_of_date": "2024-01-31", "custom_data": {"a": 1}, "customer_since": "2020-02-29",
            "addresses": [{"city": "Berlin", "country": "DE", "postal_code": "10115", "state": "BE", "street": ["Main St 1", "2nd floor"], "type": "HOME"}],
            "data_source": "crm", "date_of_birth": "1990-12-31", "domicile": "DE", "gender": "FEMALE",
            "government_ids": [{"expiration_date": "2030-01-01", "id": self.of("passport"), "issuing_authority": "Berlin", "type": "PASSPORT"}],
            "metadata": {"b": 2}, "name": "Anna", "nationality": "AT",
            "phones": [{"number": format!("+49 30 {}", self.ids.digits(7)), "type": "MOBILE", "custom_data": {"verified": true}}],
            "references": [{"id": self.of("customer"), "system_name": "crm"}], "status": "TERMINATED", "subtypes": ["CUSTOMER", "EMPLOYEE"]})
    }

    fn payment(&self) -> Value {
        json!({"id": self.of("payment"), "account_id": self.of("account"), "account_owner_id": self.of("person"), "amount": {"value": 10.5, "currency": "USD"},
            "counterparty": {"type": "LEGAL_ENTITY", "id": self.of("shop"), "name": "Shop", "birth_date": "1990-01-01", "date_of_registration": "2001-01-01",
                "postal_addresses": [{"lines": ["1 High St"], "postal_code": "AB1 2CD", "city": "London", "state": "L", "country": "GB", "location": "home"}],
                "account_info": {"id": self.of("till"), "bank_name": "Bank", "bic": "COBADEFFXXX", "bank_code": "37040044", "account_number": "1", "country": "DE"},
                "industry": {"classification_identifier": "NACE", "code": "64.19", "type": "K"}, "metadata": {"identifiable_as_actor": "false"}},
            "created_at": "2024-06-13T14:00:00.25+02:00", "direction": "OUTBOUND", "standardized_amount": 9.75, "status": "PENDING", "account_balance": 100.5,
            "channel": "ATM", "channel_location_id": self.of("atm"), "custom_data": {"a": 1}, "description": "Cash", "device": {"id": self.of("phone"),
            "ip_address": "192.0.2.1"}, "metadata": {"international": true}, "method": "CARD", "purpose": "FEE", "user_id": "u", "user_name": "User"})
    }

    fn observation(&self) -> Value {
        json!({"id": self.of("observation"), "type": "ALERT_AML_V2", "created_at": "2024-06-13T12:00:00Z", "transaction_ids": [self.of("payment")],
            "actor_ids": [self.of("person")], "behavior_description": "Many small payments", "behavior_id": "structuring", "title": "Structuring",
            "custom_data": {"a": 1}, "data_source": "engine", "features": [{"group": "amounts", "items": [{"name": "sum", "value": 10.5}]}],
            "metadata": {"b": 2}, "references": [{"id": self.of("alert"), "system_name": "engine"}],
            "rules": [{"id": self.of("rule"), "created_at": "2024-06-13T11:00:00Z", "custom_data": {"c": 3}, "name": "Below the limit", "score": 0.75,
                "status": "MATCHED", "conditions": [{"id": "count", "matched": true}]}],
            "score": 0.5, "version": "2"})
    }
}

/// The object's fields of these names; what the service adds of its own is left aside.
fn only(object: &Value, like: &Value) -> Value {
    let fields = like.as_object().expect("an object").keys();
    fields.map(|name| (name.clone(), object[name].clone())).collect::<Map<_, _>>().into()
}

async fn every_field_of_the_bulk_tables_is_taken(engine: Engine) {
    let mut server = Server::start(engine);
    let sent = Sent::new(&server).await;
    let body = sent.body();
    for (list, fields) in FIELDS {
        let item: Vec<&String> = body[list][0].as_object().expect("an item").keys().collect();
        assert_eq!(item, fields, "{list}: each field of the table");
    }
    let request = sent.of("request");
    taken(&server, &request, &body).await;
    for case in [&sent.case, &sent.filing] {
        eventually_is(&server, case, "COMPLETED").await;
    }
    let query = "query($request: String!) { bulkRequests(requestId: $request) { edges { node { items { edges { node { list state reasons } } }
        progress { pending deferred failed } } } } }";
    let progress = async || server.graphql(query, json!({"request": request})).await["bulkRequests"]["edges"][0]["node"].take();
    let over = |progress: &Value| progress.as_array().is_some_and(|lists| lists.iter().all(|list| list["pending"] == 0 && list["deferred"] == 0));
    eventually("all is processed", SOON, async || over(&progress().await["progress"])).await;
    let shown = progress().await;
    assert!(shown["progress"].as_array().expect("lists").iter().all(|list| list["failed"] == 0), "{shown:#}");

    actors_are_there(&server, &sent).await;
    accounts_are_there(&server, &sent).await;
    payments_are_there(&server, &sent).await;
    observations_are_there(&server, &sent).await;
    cases_are_there(&server, &sent).await;
    // No operation reads a balance.
    let account = sent.of("account");
    let kept = format!("MATCH (:Account {{id: '{account}'}})-[:HAS_BALANCE]->(b) RETURN b.record AS record, b.asOfDate AS day");
    let [kept] = &server.cypher(&kept)[..] else { panic!("one balance") };
    let record: Value = serde_json::from_str(kept["record"].as_str().expect("a text")).expect("JSON");
    let wanted = json!({"currency": "EUR", "current": 10.25, "asOfDate": "2024-01-30", "available": 5.5});
    assert_eq!((only(&record, &wanted), &kept["day"]), (wanted, &json!("2024-01-30")));
}

async fn actors_are_there(api: &Api, sent: &Sent) {
    let person = api.get(&format!("/api/actors/{}", sent.of("person"))).await.expect(200).json();
    let wanted = json!({"id": sent.of("person"), "type": "INDIVIDUAL", "asOfDate": "2024-01-31", "customerSince": "2020-02-29", "dataSource": "crm",
        // What of a phone has no field in the single form is kept with the actor's own.
        "customData": {"a": 1, "bulk": {"phones": [{"verified": true}]}},
        "addresses": [{"type": "HOME", "line1": "Main St 1", "line2": "2nd floor", "postcode": "10115", "city": "Berlin", "state": "BE", "country": "DE"}],
        "dateOfBirth": "1990-12-31", "domicile": "DE", "gender": "FEMALE", "metadata": {"b": 2}, "name": "Anna", "nationality": "AT",
        "governmentIds": [{"expirationDate": "2030-01-01", "id": sent.of("passport"), "issuingAuthority": "Berlin", "type": "PASSPORT"}],
        "phones": [{"type": "MOBILE", "number": format!("+49 30 {}", sent.ids.digits(7))}], "references": [{"id": sent.of("customer"), "systemName": "crm"}],
        "status": "TERMINATED", "subType": ["CUSTOMER", "EMPLOYEE"]});
    assert_eq!(person, wanted);
    let members = api.get(&format!("/api/segmentation/groups/{}/actors", sent.group)).await.expect(200).json();
    assert_eq!(members["actor_ids"], json!([sent.of("person")]));
}

async fn accounts_are_there(api: &Api, sent: &Sent) {
    let query =
        "query($id: ID!) { account(id: $id) { actors { edges { role asOfDate node { id } } } record { id accountType asOfDate accountNumber bankCode
        customData iban metadata name openedDate references { id systemName } dataSource status } } }";
    let shown = api.graphql(query, json!({"id": sent.of("account")})).await;
    let (bank_code, account_number) = sent.number();
    let record = json!({"id": sent.of("account"), "accountType": "CURRENT", "asOfDate": "2024-01-31", "accountNumber": account_number,
        "bankCode": bank_code, "customData": {"a": 1}, "iban": sent.iban, "metadata": {"b": 2}, "name": "Salary", "openedDate": "2020-02-29",
        "references": [{"id": sent.of("ledger"), "systemName": "core"}], "dataSource": "ledger", "status": "NO_TRADING"});
    let role = json!({"role": "PROXY", "asOfDate": "2023-12-31", "node": {"id": sent.of("person")}});
    assert_eq!(shown["account"], json!({"actors": {"edges": [role]}, "record": record}));
}

async fn payments_are_there(api: &Api, sent: &Sent) {
    let mut wanted = sent.payment();
    // The single form calls one field otherwise, and counts seconds.
    let kind = wanted["counterparty"].as_object_mut().expect("an object").remove("type").expect("a type");
    wanted["counterparty"]["object"] = kind;
    wanted["created_at"] = json!(NOON as f64 + 0.25);
    assert_eq!(arrived(api, &format!("/api/v2/transactions/{}", sent.of("payment"))).await, wanted);
}

async fn observations_are_there(api: &Api, sent: &Sent) {
    let wanted = json!({"id": sent.of("observation"), "type": "ALERT_AML_V2", "date": NOON, "transactionIds": [sent.of("payment")],
        "actors": [{"actorId": sent.of("person"), "primary": false}], "behaviorDescription": "Many small payments", "behaviorId": "structuring",
        "title": "Structuring", "custom_data": {"a": 1}, "dataSource": "engine", "features": [{"group": "amounts", "items": [{"name": "sum", "value": 10.5}]}],
        "metadata": {"b": 2}, "references": [{"id": sent.of("alert"), "systemName": "engine"}],
        "rules": [{"id": sent.of("rule"), "date": NOON - 3600, "custom_data": {"c": 3}, "name": "Below the limit", "score": 0.75, "status": "MATCHED",
            "conditions": [{"id": "count", "matched": true}]}],
        "score": "0.5", "version": "2", "finalized": true, "caseId": sent.case});
    let read = api.get(&format!("/api/observations/{}", sent.of("observation"))).await.expect(200).json();
    assert_eq!(only(&read, &wanted), wanted);
}

async fn cases_are_there(api: &Api, sent: &Sent) {
    let read = async |id: &str| api.get(&format!("/api/cases/{id}")).await.expect(200).json();
    let (case, filing) = (read(&sent.case).await, read(&sent.filing).await);
    let wanted = json!({"id": sent.case, "type": "ANALYSIS", "created_at": "2024-01-31T12:00:00Z", "observations": [{"id": sent.of("observation")}],
        "actors": [{"id": sent.of("person"), "type": "FOCAL"}, {"id": sent.of("company"), "type": "CONNECTION"}],
        "metadata": {"k": 11}, "resolution": {"value": "open"}, "c__level": ["high", 1, 2.5, true, {"a": null}]});
    assert_eq!(only(&case, &wanted), wanted);
    assert_eq!(case["workflow"]["id"], "default-analysis");
    let wanted = json!({"id": sent.filing, "type": "FILING", "resolution": "filed", "c__level": "low"});
    assert_eq!(only(&filing, &wanted), wanted);
    assert_eq!(filing["workflow"]["id"], "default-filing");

    let query = "query($id: ID!, $message: ID!) { case(id: $id) { communications { edges { node { subject } } } }
        communication(id: $message) { type content customData metadata subject cases { edges { node { id } } } } }";
    let shown = api.graphql(query, json!({"id": sent.case, "message": sent.message})).await;
    let mut subjects: Vec<&Value> =
        shown["case"]["communications"]["edges"].as_array().expect("edges").iter().map(|edge| &edge["node"]["subject"]).collect();
    subjects.sort_by_key(|subject| subject.as_str());
    assert_eq!(subjects, ["Call", "Hello"]);
    let message = json!({"type": "SMS", "content": "Please call", "customData": {"i": 9}, "metadata": {"j": 10}, "subject": "Call",
        "cases": {"edges": [{"node": {"id": sent.case}}]}});
    assert_eq!(shown["communication"], message);
}

/// However they are laid out: the compact text counts.
async fn custom_data_of_a_communication_has_at_most_10000_characters(engine: Engine) {
    let (server, ids) = (Server::shared(engine), Ids::new());
    let body = |count: usize| {
        let item = json!({"id": case_id(), "type": "email", "subject": "Data", "custom_data": {"a": "x".repeat(count - r#"{"a":""}"#.len())}});
        json!({"communications": [item]})
    };
    assert_eq!(send(&server, &ids.of("more"), &body(10_001)).await.expect(400).places(), ["communications[0].custom_data"]);
    taken(&server, &ids.of("most"), &body(10_000)).await;
}
