use cypher::Value;
use cypher::graph::links;
use resolvers::explore::Place;
use resolvers::testing::explore::place::place_of;
use serde_json::json;

#[test]
fn places_come_back_as_they_went() {
    let page = links::ALL.iter().find(|link| link.name == "Account.transferredTo").expect("a link").usual_page();
    for keys in [
        vec![Value::Float(0.1 + 0.2), Value::from("a b\nc"), Value::from("EUR")],
        vec![Value::Float(-1e300), Value::from(""), Value::from("\",[")],
        vec![Value::Int(i64::MIN), Value::from("1"), Value::from("\u{fc}")],
    ] {
        let place = place_of(keys);
        assert_eq!(Place::read(&place.to_text(), page), Some(place));
    }
    let infinite = json!([[format!("{:x}", f64::NAN.to_bits())], "a", "EUR"]).to_string();
    for wrong in ["", "1", "[]", "[1,\"a\"]", "[1,\"a\",null]", "[1,\"a\",{}]", "[[1],\"a\",\"EUR\"]", "[1.5,\"a\",\"EUR\"]", &infinite] {
        assert_eq!(Place::read(wrong, page), None, "{wrong}");
    }
}
