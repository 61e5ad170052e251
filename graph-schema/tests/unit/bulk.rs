mod ingest;
mod segmentation;

use graph_schema::actor::ActorRecord;
use graph_schema::bulk::{BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorAssociates, BulkObservation, BulkTransaction};
use graph_schema::given::read;
use graph_schema::observation::ObservationRecord;
use graph_schema::transaction::TransactionRecord;
use serde_json::{Value, json};

fn single(record: &str) -> Value {
    serde_json::from_str(record).unwrap()
}

#[test]
fn an_actor_keeps_everything() {
    let body = r#"{"id":"p","type":"LEGAL_ENTITY","as_of_date":"2024-01-01","name":"Acme",
        "addresses":[{"street":["Main St 1","2nd floor","rear"],"postal_code":"10115","city":"Berlin","type":"HOME"}],
        "custom_data":{"n":1.10},"phones":[{"number":"1"},{"number":"2","type":"WORK","custom_data":{"x":1e2}}],
        "government_ids":[{"id":"1","issuing_authority":"DE","type":"TAX","expiration_date":null}],
        "references":[{"id":"r","system_name":"crm"}],"subtypes":["MERCHANT"],"metadata":{"blocked":true}}"#;
    let given = read::<BulkActor>(body.as_bytes()).unwrap().value.into_single();
    let want = r#"{"asOfDate":"2024-01-01","id":"p","type":"LEGAL_ENTITY","addresses":[{"type":"HOME","line1":"Main St 1","line2":"2nd floor, rear","postcode":"10115","city":"Berlin"}],"customData":{"n":1.10,"bulk":{"phones":[null,{"x":1e2}]}},"governmentIds":[{"id":"1","type":"TAX","issuingAuthority":"DE"}],"metadata":{"blocked":true},"name":"Acme","phones":[{"number":"1"},{"type":"WORK","number":"2"}],"references":[{"id":"r","systemName":"crm"}],"subType":["MERCHANT"]}"#;
    let mut want = single(want);
    let mut got = single(&given.record);
    assert!(given.record.contains(r#""customData":{"n":1.10,"bulk":{"phones":[null,{"x":1e2}]}}"#));
    assert_eq!(got.as_object_mut().unwrap().remove("name"), want.as_object_mut().unwrap().remove("name"));
    assert_eq!(got, want);
    assert_eq!(read::<ActorRecord>(given.record.as_bytes()).unwrap().value, given.value);
}

#[test]
fn a_transaction_is_the_single_form() {
    let body = r#"{"id":"t","account_id":"a","account_owner_id":"p","amount":{"value":1.10,"currency":"USD"},
        "counterparty":{"type":"ACCOUNT_INFO","id":"b","date_of_registration":"2020-01-01",
          "account_info":{"id":"b","iban":"x"},"industry":{"code":"K","type":"NACE"}},
        "created_at":"2020-06-21T08:30:59.06+02:00","direction":"INBOUND","standardized_amount":1.10,"status":"PENDING"}"#;
    let given = read::<BulkTransaction>(body.as_bytes()).unwrap().value.into_single();
    assert!(given.record.contains(r#""created_at":1592721059.06,"#));
    assert!(given.record.contains(r#""amount":{"value":1.10,"currency":"USD"}"#));
    let counterparty = json!({"object": "ACCOUNT_INFO", "id": "b", "date_of_registration": "2020-01-01",
        "account_info": {"id": "b", "iban": "x"}, "industry": {"code": "K", "type": "NACE"}});
    assert_eq!(single(&given.record)["counterparty"], counterparty);
    assert_eq!(read::<TransactionRecord>(given.record.as_bytes()).unwrap().value, given.value);
}

#[test]
fn accounts_roles_balances_and_associates() {
    let body = r#"{"id":"a","account_type":"CURRENT","as_of_date":"2024-01-01","references":[{"system_name":"s"}],"status":"NO_TRADING"}"#;
    let account = read::<BulkAccount>(body.as_bytes()).unwrap().value.into_single();
    assert_eq!(
        single(&account.record),
        json!({"accountType": "CURRENT", "asOfDate": "2024-01-01", "id": "a", "status": "NO_TRADING",
               "references": [{"systemName": "s"}]})
    );
    let body = r#"{"account_id":"a","actor_id":"p","actor_role":"OWNER"}"#;
    let (id, role) = read::<BulkAccountActor>(body.as_bytes()).unwrap().value.into_single();
    assert_eq!((id.as_str(), &*role.record), ("a", r#"{"actors":[{"id":"p","role":"OWNER"}]}"#));
    let body = r#"{"account_id":"a","currency":"EUR","current":10.00,"available":-1e1}"#;
    let (_, balance) = read::<BulkAccountBalance>(body.as_bytes()).unwrap().value.into_single();
    assert_eq!(&*balance.record, r#"{"currency":"EUR","current":10.00,"available":-1e1}"#);
    let body = r#"{"actor_id":"p","as_of_date":"2024-01-01","actorAssociates":[{"id":"q","ratio":0.50}]}"#;
    let (id, associates) = read::<BulkActorAssociates>(body.as_bytes()).unwrap().value.into_single();
    assert_eq!(id.as_str(), "p");
    assert_eq!(&*associates.record, r#"{"actorAssociates":[{"id":"q","ratio":0.50}],"asOfDate":"2024-01-01"}"#);
}

#[test]
fn an_observation_is_the_single_form() {
    let body = r#"{"id":"o","type":"ALERT_AML_V2","created_at":"2024-01-31T12:00:00.50Z","behavior_id":"b","title":"Odd","score":0.50,
        "transaction_ids":["t"],"actor_ids":["p","q"],"features":[{"group":"g","items":[{"name":"n","value":1.10}]}],"version":"2",
        "references":[{"id":"r","system_name":"crm"}],"custom_data":{"n":1e2},
        "rules":[{"id":"r","created_at":"2024-01-31T12:00:00Z","score":1.0,"conditions":[{"id":"c","matched":true}]}]}"#;
    let given = read::<BulkObservation>(body.as_bytes()).unwrap().value.into_single();
    let want = r#"{"behaviorId":"b","behaviorName":"Odd","date":1706702400.5,"id":"o","type":"ALERT_AML_V2","title":"Odd","transactionIds":["t"],"actors":[{"actorId":"p"},{"actorId":"q"}],"features":[{"group":"g","items":[{"name":"n","value":1.10}]}],"rules":[{"id":"r","score":1.0,"date":1706702400,"conditions":[{"id":"c","matched":true}]}],"version":"2","score":0.50,"customData":{"n":1e2},"references":[{"id":"r","systemName":"crm"}]}"#;
    assert_eq!(&*given.record, want);
    assert_eq!(read::<ObservationRecord>(given.record.as_bytes()).unwrap().value, given.value);
    let least = r#"{"id":"o","type":"ALERT_RULE","created_at":"2024-01-31T12:00:00Z","behavior_id":"b"}"#;
    assert_eq!(read::<BulkObservation>(least.as_bytes()).unwrap().value.into_single().value.behavior_name, "b");
}
