use graph_schema::bulk::{BulkIngest, BulkList, BulkLists, read};
use graph_schema::date::Timestamp;
use graph_schema::days::Days;

fn days() -> Days {
    Days::at(Timestamp::parse("2024-02-28T12:00:00Z").expect("a time"))
}

fn faults(body: &str) -> Vec<String> {
    read(body.as_bytes(), days()).expect_err("faults").faults().iter().map(ToString::to_string).collect()
}

#[test]
fn items_come_as_they_are_in_the_order_of_processing() {
    let body = r#"{"transactions": [], "actors": [ {"id":"a","type":"INDIVIDUAL" ,"as_of_date":"2024-01-01"} ]}"#;
    let lists = read(body.as_bytes(), days()).expect("in order");
    let actor = r#"{"id":"a","type":"INDIVIDUAL" ,"as_of_date":"2024-01-01"}"#;
    assert_eq!(lists, BulkLists(vec![(BulkList::Actors, vec![actor]), (BulkList::Transactions, vec![])]));
}

#[test]
fn a_list_that_is_null_has_no_items() {
    assert_eq!(read(br#"{"actors": null}"#, days()).expect("in order"), BulkLists(vec![(BulkList::Actors, vec![])]));
}

#[test]
fn every_fault_of_every_list_is_told_with_its_place() {
    let body = r#"{"actors":[{"id":"a","type":"INDIVIDUAL","as_of_date":"2024-01-01"},{"id":"","type":"MAN"}],"acounts":[],
            "account_balances":[{"account_id":"k","currency":"EUR","current":"1"}],"cases":7}"#;
    let told = faults(body).join("\n");
    for place in [
        "actors[1].id: ",
        "actors[1].type: ",
        "actors[1].as_of_date: ",
        "acounts: is not a list",
        "account_balances[0].current: ",
        "cases: must be an array",
    ] {
        assert!(told.contains(place), "{place} in {told}");
    }
    assert_eq!(faults("[]"), ["body: must be an object"]);
    assert_eq!(faults(r#"{"actors":[],"actors":[]}"#), ["actors: must be there once"]);
    assert!(faults("{").first().is_some_and(|fault| fault.starts_with("body: must be JSON")));
}

#[test]
fn what_is_dated_later_than_tomorrow_is_told_with_its_place() {
    let body = r#"{"actors":[{"id":"a","type":"INDIVIDUAL","as_of_date":"2024-02-29","date_of_birth":"2024-02-29"}],
            "accounts":[{"id":"b","account_type":"CURRENT","as_of_date":"2999-01-01"}],
            "account_actors":[{"account_id":"b","actor_id":"a","actor_role":"OWNER","as_of_date":"2024-03-01"}],
            "account_balances":[{"account_id":"b","currency":"EUR","current":1,"as_of_date":"2024-02-29"}]}"#;
    let told = faults(body);
    let places: Vec<&str> = told.iter().filter_map(|fault| fault.split(':').next()).collect();
    assert_eq!(places, ["actors[0].date_of_birth", "accounts[0].as_of_date", "account_actors[0].as_of_date"], "{told:?}");
}

#[test]
fn a_list_has_at_most_a_thousand_items() {
    let item = r#"{"id":"a","type":"INDIVIDUAL","as_of_date":"2024-01-01"}"#;
    let of = |count: usize| format!(r#"{{"actors":[{}]}}"#, vec![item; count].join(","));
    assert!(read(of(1000).as_bytes(), days()).is_ok());
    assert_eq!(faults(&of(1001)), ["actors: has 1001 items; must have at most 1000"]);
}

#[test]
fn fields_are_the_names_of_the_schema() {
    let utoipa::openapi::RefOr::T(utoipa::openapi::Schema::Object(schema)) = <BulkIngest as utoipa::PartialSchema>::schema() else {
        panic!("an object")
    };
    let mut fields: Vec<&str> = BulkList::ALL.map(BulkList::field).to_vec();
    fields.sort_unstable();
    let mut documented: Vec<&str> = schema.properties.keys().map(String::as_str).collect();
    documented.sort_unstable();
    assert_eq!(documented, fields);
}
