//! The quick start of the guide, step by step, with the client that progenitor has made of the OpenAPI document.
//!
//! AMLGRAPH_URL and AMLGRAPH_KEY (an administrator's) say where.

use api::{Client, ResponseValue};
use reqwest::header::{HeaderMap, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What was made of the document.
mod api {
    progenitor::generate_api!(spec = "openapi-3.0.json");
}

type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A model out of its JSON, as somebody who has only the document writes it.
fn of<T: DeserializeOwned>(fields: Value) -> Done<T> {
    Ok(serde_json::from_value(fields)?)
}

/// That a model is what was sent.
fn is<T: Serialize>(answer: ResponseValue<T>, sent: &Value) -> Done {
    assert!(answer.headers().contains_key("x-request-id"));
    assert_eq!(serde_json::to_value(answer.into_inner())?, *sent);
    Ok(())
}

fn client(url: &str, header: &'static str, value: &str) -> Done<Client> {
    let mut credentials = HeaderMap::new();
    credentials.insert(header, HeaderValue::from_str(value)?);
    Ok(Client::new_with_client(url, reqwest::Client::builder().no_proxy().default_headers(credentials).build()?))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let (url, key) = (std::env::var("AMLGRAPH_URL")?, std::env::var("AMLGRAPH_KEY")?);
    // 1. Credentials.
    let admin = client(&url, "x-api-key", &key)?;
    let made = admin.create_client(&of(json!({"role": "INGEST", "name": "rust"}))?).await?.into_inner();
    let form = json!({"grant_type": "client_credentials", "client_id": made.client_id, "client_secret": made.client_secret});
    let token = admin.token_request(&of(form)?).await?.into_inner();
    let client = client(&url, "authorization", &format!("Bearer {}", token.access_token))?;
    // 2. Actors.
    let person = json!({"id": "rs-anna", "type": "INDIVIDUAL", "asOfDate": "2024-01-31", "name": "Anna Ek", "dateOfBirth": "1990-12-10", "gender": "FEMALE"});
    is(client.add_actor(None, &of(person.clone())?).await?, &person)?;
    let company = json!({"id": "rs-ek-ab", "type": "LEGAL_ENTITY", "asOfDate": "2024-01-31", "legalEntity": {"dateOfRegistration": "2010-05-01"}});
    is(client.add_actor(None, &of(company.clone())?).await?, &company)?;
    // 3. Accounts.
    let account = json!({"id": "rs-current", "accountType": "CURRENT", "asOfDate": "2024-01-31", "currencyCode": "EUR"});
    is(client.add_account(None, &of(account.clone())?).await?, &account)?;
    // 4. Who holds them.
    let roles = json!({"actors": [{"id": "rs-anna", "role": "OWNER"}], "asOfDate": "2024-01-31"});
    is(client.add_actor_to_account(&of(json!("rs-current"))?, None, &of(roles.clone())?).await?, &roles)?;
    // 5. Balances.
    let balance = json!({"currency": "EUR", "current": 1250.75, "asOfDate": "2024-01-31"});
    let stored = client.add_account_balance(&of(json!("rs-current"))?, None, &of(balance)?).await?.into_inner();
    assert_eq!(serde_json::to_value(&stored)?["accountId"], json!("rs-current"));
    // 6. Transactions; again under the same key, as after a failure.
    let payment = json!({"id": "rs-payment", "account_id": "rs-current", "account_owner_id": "rs-anna", "amount": {"value": 250.75, "currency": "EUR"},
        "standardized_amount": 250.75, "direction": "OUTBOUND", "status": "COMPLETED", "created_at": 1_706_702_400.0,
        "counterparty": {"object": "ACCOUNT_INFO", "name": "Ek AB", "account_info": {"iban": "GB33BUKB20201555555555"}}});
    for replayed in [None, Some("true")] {
        let sent = client.add_transaction(None, None, Some(&of(json!("rs-payment-1"))?), &of(payment.clone())?).await?;
        assert_eq!(sent.headers().get("idempotent-replayed").and_then(|value| value.to_str().ok()), replayed);
        assert_eq!(sent.into_inner().transaction_id, "rs-payment");
    }
    is(client.get_transaction(&of(json!("rs-payment"))?).await?, &payment)?;
    // 7. Associates and risk assessments.
    let associates = json!({"actorAssociates": [{"id": "rs-ek-ab", "type": "DIRECTOR", "isCustomer": true}], "asOfDate": "2024-01-31"});
    is(client.add_actor_associates(&of(json!("rs-anna"))?, None, &of(associates.clone())?).await?, &associates)?;
    let assessments = json!([{"asOfDate": "2024-01-31", "type": "PEP", "value": "NO"}]);
    is(client.add_actor_risk_assessment(&of(json!("rs-anna"))?, None, &of(assessments.clone())?).await?, &assessments)?;
    // What is wrong is told in the documented shape.
    match client.get_actor(&of(json!("rs-nobody"))?).await {
        Err(api::Error::ErrorResponse(told)) => {
            assert_eq!(told.status(), 404);
            assert!(!told.into_inner().errors.is_empty());
        }
        other => panic!("an actor that is not there: {other:?}"),
    }
    // 8. The batch.
    let batch = json!({"closeOfBusinessDate": "2024-01-31", "lineOfBusiness": "INDIVIDUAL", "processType": "AML"});
    is(client.initialize_batch(None, &of(batch.clone())?).await?, &batch)?;
    println!("progenitor: the quick start is taken");
    Ok(())
}
