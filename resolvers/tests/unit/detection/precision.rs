use detection::Period;
use graph_schema::date::Date;
use resolvers::detection::{FeedbackMeanings, PrecisionQuery};
use resolvers::testing::detection::precision::{MOST_DAYS, days, false_positives, true_positives};

#[test]
fn feedback_gets_a_meaning_once() {
    let read = FeedbackMeanings::parse;
    assert_eq!(read(""), Ok(FeedbackMeanings::default()));
    let meanings = read(" CONFIRMED=TRUE_POSITIVE,a=b = FALSE_POSITIVE ,SAR filed=TRUE_POSITIVE").expect("it reads");
    assert_eq!(true_positives(&meanings), ["TRUE_POSITIVE", "CONFIRMED", "SAR filed"]);
    assert_eq!(false_positives(&meanings), ["FALSE_POSITIVE", "a=b"]);
    let table = [
        ("CONFIRMED", "\"CONFIRMED\" must be FEEDBACK="),
        ("CONFIRMED=true", "\"CONFIRMED=true\" must be FEEDBACK="),
        ("=TRUE_POSITIVE", "\"=TRUE_POSITIVE\" must be FEEDBACK="),
        ("A=TRUE_POSITIVE,A=FALSE_POSITIVE", "\"A\" must be named once"),
        ("TRUE_POSITIVE=FALSE_POSITIVE", "\"TRUE_POSITIVE\" must be named once"),
    ];
    for (text, told) in table {
        let error = read(text).expect_err(text);
        assert!(error.starts_with(told), "{text}: {error}");
    }
}

#[test]
fn days_are_bounded_and_in_order() {
    let query = |from: &str, to: &str| PrecisionQuery {
        from: Date::parse(from).expect("a date"),
        to: Date::parse(to).expect("a date"),
        period: Period::Month,
        rule: None,
        line: None,
    };
    let table = [
        ("2026-02-27", "2026-03-01", Some(3)),
        ("2026-03-01", "2026-03-01", Some(1)),
        ("2026-03-02", "2026-03-01", None),
        ("2021-01-01", "2026-01-04", Some(MOST_DAYS)),
        ("2021-01-01", "2026-01-05", None),
        ("0000-01-01", "9999-12-31", None),
    ];
    for (from, to, wanted) in table {
        let found = days(&query(from, to)).ok();
        assert_eq!(found.as_ref().map(Vec::len), wanted, "{from} to {to}");
        assert!(found.is_none_or(|days| days.first().map(String::as_str) == Some(from) && days.last().map(String::as_str) == Some(to)));
    }
}
