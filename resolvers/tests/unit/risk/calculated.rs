use cypher::statements::rows::StoredScore;
use graph_schema::date::Date;
use resolvers::testing::risk::calculated::{Calculated, OF_RUNS, Occasion};
use risk::{ActorType, Facts, Input, Pack};
use serde_json::json;

fn calculated(relation_days: &str) -> Calculated {
    let pack = Pack::built_in().expect("the built-in rules");
    let rule = pack.live(ActorType::Individual).expect("a live rule");
    let mut facts = Facts::default();
    facts.add_texts(Input::Assessments, ["PEP=do\"mestic"]);
    facts.set_number(Input::RelationDays, relation_days.parse().expect("a number"));
    facts.set_number(Input::Exposure, "0.1234".parse().expect("a number"));
    let occasion = Occasion { as_of: Date::parse("2026-03-31").expect("a date"), data_source: OF_RUNS, run: Some("run:1"), known_up_to: 7 };
    Calculated::new(rule, rule.evaluate(&facts), &occasion)
}

#[test]
fn the_record_is_a_documented_one_whose_sub_scores_add_up() {
    let calculated = calculated("900");
    let given = calculated.record(None).expect("a record");
    let value = &given.value;
    assert_eq!((value.data_source.as_deref(), value.risk_rule_version.as_deref(), value.overridden), (Some(OF_RUNS), Some("1.0.0"), None));
    assert_eq!(value.calculated_score.as_ref(), Some(&value.final_score));
    assert_eq!(value.final_score.as_str(), calculated.breakdown.score.to_string());
    let sub_scores: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(value.sub_scores.as_ref().expect("sub-scores").as_str()).expect("an object");
    let sum: f64 = sub_scores.values().filter_map(serde_json::Value::as_f64).sum();
    assert!((sum - value.final_score.to_f64()).abs() < 1e-9, "{sum}");
    let metadata: serde_json::Value = serde_json::from_str(value.metadata.as_ref().expect("metadata").as_str()).expect("an object");
    let exposure = metadata["factors"].as_array().expect("factors").iter().find(|part| part["factor"] == "exposure").expect("the factor").clone();
    assert_eq!((&exposure["known"], &exposure["weight"], &exposure["contribution"]), (&json!(0.1234), &json!(40), &json!(9.872)));
}

#[test]
fn what_overrides_it_is_its_final_score() {
    let overriding = StoredScore {
        id: "by-hand".to_owned(),
        as_of_date: "2026-03-01".to_owned(),
        ingested_at: 1,
        final_score: 75.0,
        calculated_score: None,
        overrides: Some(true),
        override_reason: Some("known to us".to_owned()),
        overridden_by: None,
        breakdown: None,
        data_source: None,
        exposure: None,
        volume_against_segment: None,
        risk_rule_id: None,
    };
    let calculated = calculated("900");
    let value = calculated.record(Some(&overriding)).expect("a record").value;
    assert_eq!((value.final_score.as_str(), value.overridden, value.override_reason.as_deref()), ("75", Some(true), Some("known to us")));
    assert_eq!(value.calculated_score.expect("beside").as_str(), calculated.breakdown.score.to_string());
}

#[test]
fn another_day_of_the_same_rating_is_the_same_breakdown() {
    assert_eq!(calculated("900").digest, calculated("901").digest);
    assert_ne!(calculated("900").digest, calculated("10").digest);
}
