use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use resolvers::testing::screening::breaker::Breaker;
use resolvers::testing::screening::http::{Asked, HttpProvider};
use resolvers::testing::screening::provider::{Kind, Provider, SEARCH};
use resolvers::testing::screening::{Payment, Subject};
use resolvers::{ProviderSecret, Reach};
use serde_json::json;
use tokio::sync::Semaphore;

#[tokio::test]
async fn who_waits_for_a_place_in_vain_is_no_failure_of_the_service() {
    let secret = ProviderSecret::parse(&BASE64_STANDARD.encode([7; 32])).expect("a secret");
    let http = HttpProvider { url: "https://screening.example.com".to_owned(), secret, timeout: SEARCH, reach: Reach::default(), client: None };
    let provider = Provider {
        operation: ScreeningOperation::Sanctions,
        name: "acme".to_owned(),
        kind: Kind::Http(http),
        breaker: Breaker::default(),
        places: Semaphore::new(0),
    };
    let record = json!({"id": "this", "account_id": "own", "account_owner_id": "me", "amount": {"value": 1, "currency": "EUR"},
        "standardized_amount": 1, "counterparty": {"object": "EMPTY"}, "created_at": 1_718_280_000, "direction": "OUTBOUND", "status": "COMPLETED"});
    let payment = Payment::stored(Arc::from(record.to_string())).expect("a payment");
    let asked = Asked { id: "s", operation: provider.operation, subject: Subject::Payment(&payment), party: None };
    for _ in 0..10 {
        assert_eq!(provider.ask(&asked, Duration::from_millis(1)).await.response, ScreeningResponse::Timeout);
    }
    assert!(provider.breaker.lets_through(Instant::now()));
    // What was asked, counts: here there is nobody to ask.
    provider.places.add_permits(1);
    for _ in 0..10 {
        assert_eq!(provider.ask(&asked, SEARCH).await.response, ScreeningResponse::Error);
    }
    assert!(!provider.breaker.lets_through(Instant::now()));
}
