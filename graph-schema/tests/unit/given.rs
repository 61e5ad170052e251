use graph_schema::account::{AccountActors, AccountBalance, AccountRecord};
use graph_schema::actor::{ActorExclusion, ActorRecord};
use graph_schema::associate::ActorAssociates;
use graph_schema::bulk::{BulkAccount, BulkAccountActor, BulkAccountBalance, BulkActor, BulkActorAssociates, BulkTransaction};
use graph_schema::channel_location::ChannelLocationRecord;
use graph_schema::device::{DeviceRecord, SignInRecord};
use graph_schema::fault::{Fault, Unacceptable};
use graph_schema::given::{Given, Input, read, read_list};
use graph_schema::risk::{ExtendedInformation, RiskAssessment, RiskScore};
use graph_schema::testing::given::compile;
use graph_schema::transaction::TransactionRecord;
use serde_json::{Value, json};

const TRANSACTION: &str = r#" {"id":"t-1","account_id":"a-1","account_owner_id":"p-1",
  "amount":{"value":100.10,"currency":"EUR"},
  "counterparty":{"object":"INDIVIDUAL","id":"x","name":"Jo","birth_date":"1980-01-31",
    "postal_addresses":[{"lines":["Main St 1"],"postal_code":"10115","city":"Berlin","country":"DE"}],
    "account_info":{"bank_name":"B","bic":"DEUTDEFF","iban":"DE44500105175407324931"},
    "industry":{"classification_identifier":"NACE","code":"K"},"metadata":{"identifiable_as_actor":"true"}},
  "created_at":1592721059.060,"direction":"OUTBOUND","standardized_amount":1.1e2,"status":"COMPLETED",
  "account_balance":12,"channel":"ONLINE","custom_data":{"x": 1.0, "y":[1e2]},"description":"d",
  "device":{"id":"d-1","ip_address":"10.0.0.1"},"metadata":{"international":true},"method":"WIRE_TRANSFER",
  "purpose":"BILL_PAYMENT","user_id":"u","user_name":"U"}
"#;

/// The minimal body of an input, changed by `change`.
fn changed(body: Value, change: impl FnOnce(&mut Value)) -> String {
    let mut body = body;
    change(&mut body);
    body.to_string()
}

fn actor() -> Value {
    json!({"asOfDate": "2024-01-31", "id": "p-1", "type": "INDIVIDUAL"})
}

fn transaction() -> Value {
    serde_json::from_str(TRANSACTION).unwrap()
}

fn faults<T: Input>(body: &str) -> Vec<String> {
    match read::<T>(body.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(Unacceptable::Invalid(faults)) => sorted(&faults),
        Err(Unacceptable::Unreadable(faults)) => panic!("unreadable: {faults:?}"),
    }
}

fn sorted(faults: &[Fault]) -> Vec<String> {
    let mut faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    faults.sort();
    faults
}

#[test]
fn what_came_in_is_kept_byte_for_byte() {
    let given = read::<TransactionRecord>(TRANSACTION.as_bytes()).unwrap();
    assert_eq!(&*given.record, TRANSACTION);
    let value = given.value;
    assert_eq!(value.amount.value.as_str(), "100.10");
    assert_eq!(value.standardized_amount.as_str(), "1.1e2");
    assert_eq!(value.created_at.number().as_str(), "1592721059.060");
    assert_eq!(value.created_at.millis(), 1_592_721_059_060);
    assert_eq!(value.custom_data.as_ref().unwrap().as_str(), r#"{"x": 1.0, "y":[1e2]}"#);
    let again = read::<TransactionRecord>(Given::made(value.clone()).unwrap().record.as_bytes());
    assert_eq!(again.unwrap().value, value);
}

#[test]
fn every_shape_compiles() {
    fn compiles<T: Input>() {
        compile::<T>();
    }
    compiles::<ActorRecord>();
    compiles::<ActorExclusion>();
    compiles::<ActorAssociates>();
    compiles::<RiskAssessment>();
    compiles::<ExtendedInformation>();
    compiles::<RiskScore>();
    compiles::<AccountRecord>();
    compiles::<AccountBalance>();
    compiles::<AccountActors>();
    compiles::<TransactionRecord>();
    compiles::<ChannelLocationRecord>();
    compiles::<DeviceRecord>();
    compiles::<SignInRecord>();
    compiles::<BulkActor>();
    compiles::<BulkAccount>();
    compiles::<BulkAccountActor>();
    compiles::<BulkAccountBalance>();
    compiles::<BulkActorAssociates>();
    compiles::<BulkTransaction>();
}

#[test]
fn all_faults_are_told_at_once_with_their_paths() {
    let body = json!({
        "id": "", "type": "PERSON", "asOfDate": "2023-02-29", "acountType": 1, "firstname": "Jo",
        "domicile": "XX", "gender": 5, "phones": [{"number": "1"}, {"numbr": "2"}],
        "legalEntity": {"industry": [{"code": 7}]}, "governmentIds": {"id": "1"},
        "ingestDate": "2024-01-31", "customData": [], "subType": ["CUSTOMER", "BOSS"],
    });
    let want = [
        "acountType: unknown field",
        "asOfDate: must be a date that exists, as YYYY-MM-DD",
        "customData: must be an object, not an array",
        "domicile: must be an assigned ISO 3166-1 alpha-2 country code (or XK), such as DE",
        "firstname: unknown field (did you mean \"firstName\"?)",
        "gender: must be a string, not a number",
        "governmentIds: must be an array, not an object",
        "id: must not be empty",
        "ingestDate: must be a date-time as RFC 3339 writes it, such as 2020-06-21T06:30:59.06Z",
        "legalEntity.industry[0].code: must be a string, not a number",
        "phones[1].numbr: unknown field (did you mean \"number\"?)",
        "subType[1]: must be one of CUSTOMER, EMPLOYEE, MERCHANT, PSP",
        "type: must be one of INDIVIDUAL, LEGAL_ENTITY",
    ];
    assert_eq!(faults::<ActorRecord>(&body.to_string()), want);
}

#[test]
fn faults_of_transactions() {
    type Change = fn(&mut Value);
    let table: [(Change, &[&str]); 9] = [
        (|body| drop(body["amount"].as_object_mut().unwrap().remove("currency")), &["amount.currency: is required"]),
        (
            |body| body["amount"] = json!({"value": "1", "currency": "eur"}),
            &[
                "amount.currency: must be a currency code, three to twelve capital letters or digits, such as EUR or USDT",
                "amount.value: must be a number, not a string",
            ],
        ),
        (|body| body["counterparty"] = json!({}), &["counterparty.object: is required"]),
        (
            |body| body["counterparty"]["postal_addresses"][0]["line"] = json!("x"),
            &["counterparty.postal_addresses[0].line: unknown field (did you mean \"lines\"?)"],
        ),
        (
            |body| body["created_at"] = json!(1_592_721_059_060_i64),
            &["created_at: must be seconds since 1970-01-01 within the years 0 to 9999 (not milliseconds)"],
        ),
        (|body| body["amount"]["value"] = json!(1e15), &["amount.value: must be less than 10^15 and more than -10^15"]),
        (|body| body["method"] = json!("WIRE"), &["method: must be one of CARD, CASH, CHECK, VIRTUAL, WIRE_TRANSFER"]),
        (|body| body["id"] = json!("a\nb"), &["id: must not contain control characters"]),
        (|body| body["id"] = json!("x".repeat(257)), &["id: must be at most 256 characters"]),
    ];
    for (change, want) in table {
        assert_eq!(faults::<TransactionRecord>(&changed(transaction(), change)), want);
    }
}

#[test]
fn optional_fields_may_be_null() {
    let body = changed(actor(), |body| {
        for name in ["gender", "domicile", "phones", "legalEntity", "customData", "ingestDate", "monitored"] {
            body[name] = Value::Null;
        }
        body["governmentIds"] = json!([{"id": "1", "expirationDate": null}]);
    });
    assert_eq!(faults::<ActorRecord>(&body), [] as [&str; 0]);
    let body = changed(actor(), |body| body["id"] = Value::Null);
    assert_eq!(faults::<ActorRecord>(&body), ["id: must be a string, not null"]);
}

#[test]
fn limits_of_the_reference() {
    let score = json!({"as_of_date": "2024-01-01", "final_score": 1, "risk_rule_id": "r"});
    let long = changed(score.clone(), |body| body["override_reason"] = json!("ü".repeat(513)));
    assert_eq!(faults::<RiskScore>(&long), ["override_reason: must be at most 512 characters"]);
    let fits = changed(score.clone(), |body| {
        body["override_reason"] = json!("ü".repeat(512));
        body["override"] = json!(true);
        body["sub_scores"] = json!({"a": 1.5});
    });
    assert_eq!(faults::<RiskScore>(&fits), [] as [&str; 0]);
    let wrong = changed(score, |body| body["sub_scores"] = json!({"a": "1.5"}));
    assert_eq!(faults::<RiskScore>(&wrong), ["sub_scores.a: must be a number, not a string"]);

    let associates = json!({"actorAssociates": [{"id": "a", "ratio": 1.5, "isCustomer": true}, {"ratio": "1"},
        {"ratio": 0.25, "customer": false, "type": "INVESTOR"}]});
    assert_eq!(
        faults::<ActorAssociates>(&associates.to_string()),
        ["actorAssociates[0].ratio: must be at most 1", "actorAssociates[1].ratio: must be a number, not a string",]
    );
}

#[test]
fn untyped_fields_of_accounts_take_their_natural_type() {
    let body = json!({"accountType": "LOAN", "asOfDate": "2024-01-01", "id": "a", "accountInDefaultDays": 3,
        "loan": {"loanType": 5, "loanPrincipal": 10.50, "loanSecured": true, "isSettled": false,
                 "loanIssueDate": "2024-01-01", "paymentFrequency": "MONTHLY"},
        "brokerage": {"is1940ActAccount": true, "locateByPass": "Y"}, "interest": [{"interestRate": 1.250}]});
    let text = body.to_string();
    let given = read::<AccountRecord>(text.as_bytes()).unwrap();
    assert_eq!(given.value.loan.unwrap().loan_type.unwrap().text(), "5");
    let wrong = json!({"accountType": "LOAN", "asOfDate": "2024-01-01", "id": "a",
        "loan": {"loanType": true, "loanPrincipal": "10", "isSettled": "no"}, "accountInDefaultDays": 1.5});
    assert_eq!(
        faults::<AccountRecord>(&wrong.to_string()),
        [
            "accountInDefaultDays: must be an integer, not a number with decimals",
            "loan.isSettled: must be true or false, not a string",
            "loan.loanPrincipal: must be a number, not a string",
            "loan.loanType: must be a number or a string, not a truth value",
        ]
    );
}

#[test]
fn a_whole_number_may_be_written_in_any_way() {
    let body = |number: &str| format!(r#"{{"accountType":"LOAN","asOfDate":"2024-01-01","accountInDefaultDays":{number},"id":"a"}}"#);
    for (number, value) in
        [("30", 30), ("3.0", 3), ("1e2", 100), ("-0.0", 0), ("-120e-1", -12), ("2147483647", i32::MAX), ("-2.147483648e9", i32::MIN)]
    {
        let given = read::<AccountRecord>(body(number).as_bytes()).unwrap();
        assert_eq!(given.value.account_in_default_days, Some(value), "{number}");
    }
    // What GraphQL could not show.
    for (number, fault) in [
        ("2147483648", "must be at most 2147483647"),
        ("3e9", "must be at most 2147483647"),
        ("-2147483649", "must be at least -2147483648"),
        ("1234567890123456789", "must be at most 2147483647"),
        ("123456789012345678901234567890", "must be at most 2147483647"),
        ("1e18", "must be at most 2147483647"),
    ] {
        assert_eq!(faults::<AccountRecord>(&body(number)), [format!("accountInDefaultDays: {fault}")], "{number}");
    }
}

#[test]
fn doubled_keys_are_refused() {
    let body = r#"{"asOfDate":"2024-01-01","id":"a","id":"b","type":"INDIVIDUAL","metadata":{"k":1,"k":2}}"#;
    assert_eq!(faults::<ActorRecord>(body), ["id: must not be given twice", "metadata.k: must not be given twice"]);
}

#[test]
fn unreadable_is_not_invalid() {
    for bytes in [&b"{"[..], b"", b"{\"a\":\xff}", b"{} {}", b"nul", b"[1,]", b"{\"a\":1e400}"] {
        let error = read::<ActorRecord>(bytes).unwrap_err();
        assert!(matches!(error, Unacceptable::Unreadable(_)), "{error}");
        assert_eq!(error.faults()[0].at, "body");
    }
    let deep = "[".repeat(100_000);
    assert!(matches!(read::<ActorRecord>(deep.as_bytes()), Err(Unacceptable::Unreadable(_))));
    for (body, given) in [("[]", "an array"), ("5", "a number"), ("null", "null")] {
        let want = format!("body: must be an object, not {given}");
        assert_eq!(faults::<ActorRecord>(body), [want]);
    }
}

#[test]
fn lists_are_read_item_by_item() {
    let body = r#"[{"asOfDate":"2024-01-01","type":"PEP","value":"1.0"}, {"asOfDate":"2024-01-01","type":"SAR","value":"x"}]"#;
    let list = read_list::<RiskAssessment>(body.as_bytes()).unwrap();
    assert_eq!(&*list.record, body);
    assert_eq!(&*list.items[1].record, r#"{"asOfDate":"2024-01-01","type":"SAR","value":"x"}"#);
    let body = r#"[{"asOfDate":"2024-01-01","type":"PEP","value":"1"},{"asOfDate":"x","type":"PEP"},7]"#;
    let error = read_list::<RiskAssessment>(body.as_bytes()).unwrap_err();
    assert_eq!(
        sorted(error.faults()),
        ["[1].asOfDate: must be a date that exists, as YYYY-MM-DD", "[1].value: is required", "[2]: must be an object, not a number",]
    );
    assert!(matches!(read_list::<RiskAssessment>(b"{}"), Err(Unacceptable::Invalid(_))));
    assert!(matches!(read_list::<RiskAssessment>(b"[{},"), Err(Unacceptable::Unreadable(_))));
    assert!(read_list::<RiskAssessment>(b"[]").unwrap().items.is_empty());
}
