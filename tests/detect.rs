//! `amlgraph detect` as it is called: no server, no store, no setting.

use std::fs;

use crate::support::{Engine, command, tests};

tests![embedded: features_need_no_store_and_come_in_the_order_of_the_file, faults_are_told_together_and_nothing_is_printed];

async fn features_need_no_store_and_come_in_the_order_of_the_file(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("payments.csv");
    let payments = "id,from,to,at,amount,currency\n\
        \"back, late\",c,a,2026-01-31T07:00:00+01:00,9.50,EUR\n\
        out,a,b,2026-01-31T05:00:00Z,10,EUR\n\
        on,b,c,2026-01-31T05:30:00.5Z,9.75,EUR\n";
    fs::write(&file, payments).expect("a file");
    let output = command(&["detect", "features", &file.display().to_string()]).current_dir(&folder).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 4, "{printed}");
    assert!(lines[0].starts_with("id,fan_in_2,") && lines[1].starts_with("\"back, late\",") && lines[3].starts_with("on,"), "{printed}");
    let column = lines[0].split(',').position(|name| name == "cycle_3").expect("a column");
    assert_eq!(lines[2].split(',').nth(column), Some("1"), "{printed}");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is left behind");
}

async fn faults_are_told_together_and_nothing_is_printed(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("payments.csv");
    fs::write(&file, "id,from,to,at,amount,currency\np,a,b,soon,10,EUR\nq,a,,0,ten,EUR\n").expect("a file");
    let output = command(&["detect", "features", &file.display().to_string()]).output().expect("the program runs");
    assert!(!output.status.success() && output.stdout.is_empty());
    let told = String::from_utf8_lossy(&output.stderr);
    for fault in ["payments.csv", "line 2, column 4 (at)", "line 3, column 3 (to)", "line 3, column 5 (amount)"] {
        assert!(told.contains(fault), "{told}");
    }
    let missing = command(&["detect", "features", "no-such-file.csv"]).output().expect("the program runs");
    assert!(!missing.status.success() && String::from_utf8_lossy(&missing.stderr).contains("no-such-file.csv"));
}
