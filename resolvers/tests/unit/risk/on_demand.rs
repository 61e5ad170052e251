use graph_schema::json_text::JsonText;
use graph_schema::number::Number;
use resolvers::RiskFactor;
use resolvers::testing::risk::on_demand::Explained;

#[test]
fn factors_are_read_back_as_they_were_written() {
    let text = r#"{"metadata": {"factors": [
            {"factor": "exposure", "input": "exposure", "known": 0.1234, "decisive": null, "rating": 0.2468, "weight": 40, "contribution": 9.872},
            {"factor": "domicile", "input": "domicile", "known": ["DE"], "decisive": "DE", "rating": 0, "weight": 20, "contribution": 0},
            {"factor": "industry", "input": "industry", "known": null, "decisive": null, "rating": 0, "weight": 15, "contribution": 0}]}}"#;
    let explained: Explained = serde_json::from_str(text).expect("a record");
    let factors = explained.metadata.factors;
    let RiskFactor { rating, weight, contribution, .. } = &factors[0];
    assert_eq!([rating, weight, contribution].map(Number::as_str), ["0.2468", "40", "9.872"]);
    let known: Vec<Option<&str>> = factors.iter().map(|factor| factor.known.as_ref().map(JsonText::as_str)).collect();
    assert_eq!(known, [Some("0.1234"), Some("[\"DE\"]"), None]);
    assert_eq!(factors[1].decisive.as_deref(), Some("DE"));
}
