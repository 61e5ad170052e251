use clap::Parser;

use super::*;
use crate::cli::{Cli, Command, Detect};

/// The features that the command line asks for, of payments in CSV.
fn features(arguments: &[&str], payments: &str) -> String {
    let arguments = ["amlgraph", "detect", "features", "-"].into_iter().chain(arguments.iter().copied());
    let Command::Detect(Detect::Features(options)) = Cli::try_parse_from(arguments).unwrap().command else { panic!("another command") };
    let mut out = Vec::new();
    write(&payments::read(payments.as_bytes()).unwrap(), &feature_options(options), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A cell of the features, by line from one and column.
fn cell<'a>(features: &'a str, line: usize, column: &str) -> &'a str {
    let lines: Vec<Vec<&str>> = features.lines().map(|line| line.split(',').collect()).collect();
    assert!(lines.iter().all(|cells| cells.len() == lines[0].len()), "{features}");
    let place = lines[0].iter().position(|name| *name == column).unwrap_or_else(|| panic!("no column {column} in {:?}", lines[0]));
    lines[line][place]
}

const PAYMENTS: &str = "id,from,to,at,amount,currency\n\
    back,c,a,172900,9.50,EUR\n\
    first,a,b,0,10,EUR\n\
    again,a,b,100000,10,EUR\n\
    on,b,c,120000,9.75,EUR\n";

#[test]
fn payments_are_written_as_they_were_read_with_what_is_known_of_each() {
    let features = features(&[], PAYMENTS);
    assert_eq!(features.lines().map(|line| line.split(',').next().unwrap()).collect::<Vec<_>>(), ["id", "back", "first", "again", "on"]);
    // The ring is of the second payment from a to b: the first one is two days before it is closed.
    assert_eq!([1, 2, 3, 4].map(|line| cell(&features, line, "cycle_3")), ["1", "0", "1", "1"]);
    assert_eq!(cell(&features, 1, "cycles_closed"), "1");
    assert_eq!(cell(&features, 4, "pass_through_received"), "10");
    assert_eq!(cell(&features, 4, "pass_through_sent"), "9.75");
    assert_eq!(cell(&features, 2, "sender_idle_seconds"), "");
    assert_eq!(cell(&features, 3, "sender_idle_seconds"), "100000");
    assert_eq!(cell(&features, 3, "sender_out_payments"), "1");
}

#[test]
fn windows_are_those_that_are_asked_for() {
    let wide = features(&["--window", "7d", "--fan-window", "1h", "--cycle-length", "2"], PAYMENTS);
    assert_eq!(cell(&wide, 3, "sender_out_payments"), "2");
    assert_eq!(cell(&wide, 3, "sender_out_amount"), "20");
    assert!(!wide.contains("cycle_3"));
    let long = features(&["--cycle-window", "172900s"], PAYMENTS);
    assert_eq!(cell(&long, 2, "cycle_3"), "1");
    assert_eq!(cell(&long, 1, "cycle_3_ways"), "2");
    assert_eq!(cell(&long, 3, "sender_out_payments"), "1");
}

#[test]
fn a_file_without_payments_has_a_header() {
    let features = features(&["--bins", "2,5"], "id,from,to,at,amount,currency\n");
    assert_eq!(features.lines().count(), 1);
    assert!(features.contains(",fan_in_2_4,fan_in_5_up,"), "{features}");
}

#[test]
fn an_option_that_makes_no_sense_is_refused() {
    for wrong in [["--bins", "1,2"], ["--bins", "3,2"], ["--cycle-length", "40"], ["--window", "1"], ["--scatter-gather", "sideways"]] {
        let arguments = ["amlgraph", "detect", "features", "-"].into_iter().chain(wrong);
        assert!(Cli::try_parse_from(arguments).is_err(), "{wrong:?}");
    }
}
