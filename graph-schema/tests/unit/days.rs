use graph_schema::date::{Date, Timestamp};
use graph_schema::days::{Days, Latest};

#[test]
fn tomorrow_is_today_somewhere_else() {
    let days = Days::at(Timestamp::parse("2024-02-28T23:59:59Z").expect("a time"));
    let date = |text: &str| Some(Date::parse(text).expect("a date"));
    let told = |date, latest| days.faults([("at", date, latest)]).into_iter().map(|fault| fault.to_string()).collect::<Vec<_>>();
    assert_eq!(told(date("2024-02-29"), Latest::Tomorrow), Vec::<String>::new());
    assert_eq!(told(date("2024-03-01"), Latest::Tomorrow), ["at: must not be after tomorrow (2024-02-29, UTC)"]);
    assert_eq!(told(date("2024-02-29"), Latest::Today), ["at: must not be after today (2024-02-28, UTC)"]);
    assert_eq!(told(None, Latest::Today), Vec::<String>::new());
}
