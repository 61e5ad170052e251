use cypher::statements::rows::StoredScore;
use resolvers::RiskBands;
use resolvers::testing::risk::score::{overriding, standing};

/// When January begins.
const NEW_YEAR: i64 = 1_767_225_600_000;

/// A score of a day in January: when it came, its final score, what it says of overriding, and what overrides it.
fn score(day: u32, at: i64, score: f64, overrides: Option<bool>, overridden_by: Option<&str>) -> StoredScore {
    StoredScore {
        id: format!("{day}-{at}"),
        as_of_date: format!("2026-01-{day:02}"),
        ingested_at: at,
        final_score: score,
        calculated_score: overridden_by.map(|_| score + 1.0),
        overrides,
        override_reason: None,
        overridden_by: overridden_by.map(str::to_owned),
        breakdown: overridden_by.map(|_| "made of".to_owned()),
        data_source: None,
        exposure: None,
        volume_against_segment: None,
        risk_rule_id: None,
    }
}

#[test]
fn an_override_holds_until_a_later_score_lifts_it() {
    let plain = |day, at, value| score(day, at, value, None, None);
    let overrides = |day, at, value| score(day, at, value, Some(true), None);
    let lifts = |day, at, value| score(day, at, value, Some(false), None);
    let lifts_by_hand = |day, at, value| StoredScore { risk_rule_id: Some("set-by-hand".to_owned()), ..lifts(day, at, value) };
    let carried = |day, at, value| score(day, at, value, Some(true), Some("2-2"));
    let table = [
        (vec![plain(1, 1, 10.0)], (10.0, false)),
        (vec![plain(1, 1, 10.0), plain(2, 2, 20.0)], (20.0, false)),
        // One that comes late is of the past.
        (vec![plain(2, 1, 20.0), plain(1, 2, 10.0)], (20.0, false)),
        (vec![plain(1, 1, 10.0), plain(1, 2, 11.0)], (11.0, false)),
        (vec![plain(1, 1, 10.0), overrides(2, 2, 90.0)], (90.0, true)),
        (vec![overrides(2, 2, 90.0), plain(3, 3, 10.0)], (90.0, true)),
        (vec![overrides(2, 2, 90.0), carried(3, 3, 90.0)], (90.0, true)),
        (vec![overrides(2, 2, 90.0), lifts(2, 3, 10.0)], (10.0, false)),
        // Lifted as of a day before the last calculation: what that has calculated counts.
        (vec![overrides(2, 2, 90.0), carried(3, 3, 90.0), lifts(2, 4, 10.0)], (91.0, false)),
        (vec![overrides(2, 2, 90.0), lifts(3, 3, 10.0), plain(4, 4, 40.0)], (40.0, false)),
        // A late word of lifting, as of before the override.
        (vec![overrides(2, 2, 90.0), lifts(1, 3, 10.0)], (90.0, true)),
        (vec![overrides(2, 2, 90.0), lifts(3, 3, 10.0), overrides(4, 4, 70.0)], (70.0, true)),
        // On the first of January a person lifts what is dated the second: what comes on the first counts as well. A system means the day that it says.
        (vec![plain(1, 1, 10.0), overrides(2, 2, 90.0), lifts_by_hand(2, NEW_YEAR, 10.0)], (10.0, false)),
        (vec![plain(1, 1, 10.0), overrides(2, 2, 90.0), lifts_by_hand(2, NEW_YEAR, 10.0), plain(1, NEW_YEAR + 1, 40.0)], (40.0, false)),
        (vec![overrides(2, 2, 90.0), lifts(2, NEW_YEAR, 10.0), plain(1, NEW_YEAR + 1, 40.0)], (10.0, false)),
        (vec![overrides(2, 2, 90.0), lifts_by_hand(2, NEW_YEAR, 10.0), overrides(2, NEW_YEAR + 1, 70.0), plain(1, NEW_YEAR + 2, 40.0)], (70.0, true)),
    ];
    for (scores, expected) in table {
        let standing = standing(&scores, RiskBands::default()).expect("a standing");
        assert_eq!((standing.score, standing.is_overridden), expected, "{scores:#?}");
        assert_eq!(standing.band, RiskBands::default().band(standing.score));
    }
    assert_eq!(standing(&[], RiskBands::default()), None);
}

#[test]
fn what_overrides_a_day_was_said_as_of_that_day_or_before() {
    let scores = [score(2, 2, 90.0, Some(true), None), score(4, 3, 10.0, Some(false), None)];
    let of = |date: &str| overriding(&scores, Some(date)).map(|score| score.id.as_str());
    assert_eq!(of("2026-01-01"), None);
    assert_eq!(of("2026-01-02"), Some("2-2"));
    assert_eq!(of("2026-01-03"), Some("2-2"));
    assert_eq!(of("2026-01-04"), None);
}
