use super::*;

fn faults(text: &str) -> Vec<String> {
    match read(text.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(error) => error.to_string().lines().skip(1).map(|line| line.trim().to_owned()).collect(),
    }
}

fn with(lines: &str) -> String {
    format!("id,from,to,at,amount,currency\n{lines}")
}

#[test]
fn columns_stand_in_any_order_beside_others_behind_a_mark() {
    let payments = read("\u{feff}currency,label,amount,at,to,from,id\nEUR,x,1.5,1000,b,a,p\n".as_bytes()).unwrap();
    let payment = payments.network.payments().next().unwrap();
    assert_eq!(payments.ids.get(0), "p");
    assert_eq!(payments.network.at(payment).millis(), 1_000_000);
    assert_eq!(payments.network.amount(payment), Amount(1_500_000_000));
}

#[test]
fn a_time_is_rfc_3339_or_seconds() {
    let table = [
        ("0", Some(0)),
        ("-1.5", Some(-1_500)),
        ("1769841000", Some(1_769_841_000_000)),
        ("1769841000.25", Some(1_769_841_000_250)),
        ("1769841000.2509", Some(1_769_841_000_250)),
        ("2026-01-31T06:30:00Z", Some(1_769_841_000_000)),
        ("2026-01-31T07:30:00.250+01:00", Some(1_769_841_000_250)),
        ("2026-01-31", None),
        ("1.", None),
        (".5", None),
        ("1e9", None),
        ("", None),
        ("99999999999999", None),
        ("9999999999999999999", None),
    ];
    for (text, millis) in table {
        assert_eq!(time(text).ok().map(Timestamp::millis), millis, "{text}");
    }
}

#[test]
fn each_fault_is_told_with_its_line_and_column() {
    let lines = "p,a,b,yesterday,1,EUR\nq,,b,0,-1,eur\np,a,b,0,\"1,000\",EUR\nr,a,b,0,1,EUR\nr,a,b,0,1,EUR\ns,a\n";
    let told = faults(&with(lines));
    let expected = [
        "line 2, column 4 (at): \"yesterday\" is no time",
        "line 3, column 2 (from): is empty",
        "line 3, column 5 (amount): \"-1\" is below zero",
        "line 3, column 6 (currency): \"eur\" is no currency",
        "line 4, column 5 (amount): \"1,000\" is no amount",
        "line 6, column 1 (id): \"r\" is the id of line 5, too",
        "line 7: has 2 columns, and the header has 6",
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told}");
    }
}

#[test]
fn a_header_names_all_columns_that_are_missing() {
    let told = faults("id,source,to,at,amount\np,a,b,0,1\n");
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].contains("\"from\"") && told[1].contains("\"currency\""), "{told:#?}");
    assert_eq!(faults("").len(), 6);
}

#[test]
fn the_first_twenty_faults_are_told() {
    let told = faults(&with(&"p,a,b,never,1,EUR\n".repeat(50)));
    assert_eq!(told.len(), 21);
    assert!(told[20].contains("there may be more"), "{}", told[20]);
    assert_eq!(faults(&with(&"p,a,b,never,1,EUR\n".repeat(19))).len(), 19);
}

#[test]
fn what_is_not_utf_8_is_told_with_its_place() {
    let mut bytes = with("p,a,b,0,1,EUR\nq,").into_bytes();
    bytes.extend([0xff, b',', b'b', b',', b'0', b',', b'1', b',', b'E', b'U', b'R', b'\n']);
    let error = read(bytes.as_slice()).err().unwrap().to_string();
    assert!(error.contains("line 3: column 2 is not UTF-8"), "{error}");
}
