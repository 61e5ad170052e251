use graph_schema::date::{Date, DateTimeText, EpochSeconds, Timestamp};
use graph_schema::number::Number;

#[test]
fn dates_are_strict_and_exist() {
    assert_eq!(Date::parse("2024-02-29").unwrap().to_string(), "2024-02-29");
    for wrong in ["2023-02-29", "2024-2-29", "2024-02-29T", "+024-02-29", "20240229", "", "२०२४-0"] {
        assert!(Date::parse(wrong).is_none(), "{wrong}");
    }
}

#[test]
fn date_times_keep_what_they_say() {
    let table = [
        ("2020-06-21T06:30:59.06Z", 1_592_721_059_060, "1592721059.06"),
        ("2020-06-21T08:30:59.060+02:00", 1_592_721_059_060, "1592721059.06"),
        ("1969-12-31T23:59:59.9995Z", -1, "-0.0005"),
        ("1970-01-01T00:00:00Z", 0, "0"),
    ];
    for (text, millis, seconds) in table {
        let read = DateTimeText::parse(text).unwrap();
        assert_eq!(read.timestamp().millis(), millis, "{text}");
        assert_eq!(read.epoch_seconds().number().as_str(), seconds, "{text}");
        assert_eq!(read.epoch_seconds().millis(), millis, "{text}");
    }
    for wrong in ["2020-06-21 06:30:59Z", "2020-06-21T06:30:59", "2020-06-21", "2020-02-30T00:00:00Z"] {
        assert!(Timestamp::parse(wrong).is_none(), "{wrong}");
    }
    assert_eq!(Timestamp(1_592_721_059_060).to_string(), "2020-06-21T06:30:59.060Z");
}

#[test]
fn epoch_seconds_are_kept_and_bounded() {
    let seconds = |text| EpochSeconds::new(Number::parse(text).unwrap());
    assert_eq!(seconds("1592721059.060").unwrap().millis(), 1_592_721_059_060);
    assert_eq!(seconds("1592721059.060").unwrap().number().as_str(), "1592721059.060");
    assert_eq!(seconds("1.592721059e9").unwrap().millis(), 1_592_721_059_000);
    assert!(seconds("1592721059060").is_none());
}
