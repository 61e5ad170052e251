use graph_schema::screening::{ScreeningOperation, ScreeningResponse};
use resolvers::testing::screening::answer::{KeptProvider, KeptScreening, ToldResult, TransactionAnswer};

#[test]
fn what_is_kept_becomes_the_documented_answer() {
    let mut kept = TransactionAnswer::new("t", "r");
    assert_eq!(kept.text(), r#"{"transaction_id":"t","request_id":"r","screening_results":[]}"#);
    let providers = vec![KeptProvider { operation: ScreeningOperation::Sanctions, name: "watchlists".to_owned() }];
    kept.screening = Some(KeptScreening { submission: "s".to_owned(), providers, until: 1 });
    let read = TransactionAnswer::read(&kept.text()).expect("what was written");
    assert_eq!(read, kept);
    let results = vec![ToldResult { provider_name: "watchlists".to_owned(), response: ScreeningResponse::Miss }];
    let told = r#"{"transaction_id":"t","request_id":"r","screening_results":[{"provider_name":"watchlists","response":"MISS"}]}"#;
    assert_eq!(read.with_results(results).text(), told);
}
