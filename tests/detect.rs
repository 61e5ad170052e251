//! `amlgraph detect` as it is called: no server, no store, no setting.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Engine, command, tests};

tests![embedded: features_need_no_store_and_come_in_the_order_of_the_file, faults_are_told_together_and_nothing_is_printed,
    a_rule_is_tested_back_explained_and_challenged, an_individual_is_found_where_a_company_is_not_observed_for_long_enough,
    statements_of_rules_are_tested_without_a_store];

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

/// The payments of a test of a rule, as a file has them; the actor and the day of its finding.
const TEST: &str = "fan-in/tests/accounts-fires.toml";
const ACTOR: &str = "hub";
const DAY: &str = "2026-03-10";

fn rules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("detection/rules")
}

/// Writes the payments of a test of a rule as a file has them, and answers with its path.
fn payments_of(test: &str, folder: &Path) -> String {
    let test = fs::read_to_string(rules().join(test)).expect("a test");
    let table = test.split("\"\"\"").nth(1).expect("payments").trim_start();
    let line = |line: &str| match line.split(',').collect::<Vec<_>>().as_slice() {
        ["id", ..] => line.to_owned(),
        [id, from, to, at, rest @ ..] => format!("{id},{from},{to},{at}:00Z,{}", rest.join(",")),
        _ => panic!("{line}"),
    };
    let file = folder.join("payments.csv");
    fs::write(&file, table.lines().map(line).collect::<Vec<_>>().join("\n")).expect("a file");
    file.display().to_string()
}

async fn a_rule_is_tested_back_explained_and_challenged(_: Engine) {
    let (rules, folder) = (rules(), tempfile::tempdir().expect("a folder"));
    let file = payments_of(TEST, folder.path());
    let run = |arguments: &[&str]| {
        let arguments = [&["detect", arguments[0], &file][..], &arguments[1..]].concat();
        let output = command(&arguments).output().expect("the program runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("text"), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let json_of = |arguments: &[&str]| {
        let (code, printed, told) = run(&[arguments, &["--json"]].concat());
        serde_json::from_str::<Value>(&printed).unwrap_or_else(|error| panic!("{error}: {code:?} {printed} {told}"))
    };

    let days = ["backtest", "--rule", "fan-in", "--from", "2026-03-09", "--to", DAY];
    let backtest = json_of(&days);
    assert_eq!((&backtest["days"][1]["day"], &backtest["days"][1]["findings"]), (&json!(DAY), &json!(1)), "{backtest:#}");
    assert_eq!((backtest["days"].as_array().map(Vec::len), &backtest["parameters"]["accounts"]), (Some(2), &json!("6")), "{backtest:#}");
    let (code, table, told) = run(&days);
    assert!(code == Some(0) && table.contains(DAY) && table.lines().last().is_some_and(|line| line.starts_with("all")), "{table}{told}");

    let explained = json_of(&["explain", "--rule", "fan-in", "--actor", ACTOR, "--day", DAY]);
    assert_eq!((&explained[0]["replay"]["fires"], &explained[0]["replay"]["not_needed"]), (&json!(true), &json!([])), "{explained:#}");
    let (code, text, _) = run(&["explain", "--rule", "fan-in", "--actor", ACTOR, "--day", DAY]);
    for wanted in ["Measures", "accounts", "at least 6", "Necessary payments", "Replay: the rule fires with the necessary payments alone"] {
        assert!(code == Some(0) && text.contains(wanted), "{wanted}: {text}");
    }
    assert_eq!(run(&["explain", "--rule", "fan-in", "--actor", "nobody", "--day", DAY]).0, Some(1));

    // What is tried is what the rule can be tuned to; a value of many combinations is told once.
    let (code, _, told) = run(&["what-if", "--rule", "fan-in", "--try", "accounts=6,6.5", "--try", "amount=2500,3000", "--try", "window=24"]);
    let faults = ["--try accounts: must be a whole number of steps of 1 from 6, the default, not 6.5", "--try window: must stay 168"];
    assert!(code == Some(1) && faults.iter().all(|fault| told.matches(fault).count() == 1), "{told}");
    let (code, table, told) = run(&["what-if", "--rule", "fan-in", "--from", DAY, "--try", "accounts=6,7"]);
    assert!(code == Some(0) && table.lines().count() == 3, "{table}{told}");

    // A challenger that asks for one payer more does not find it.
    let (from, to) = (rules.join("fan-in"), folder.path().join("rules/fan-in"));
    fs::create_dir_all(&to).expect("a folder");
    let rule = fs::read_to_string(from.join("rule.toml")).expect("a rule").replace("default = 6\n", "default = 7\n");
    fs::write(to.join("rule.toml"), rule).expect("a rule");
    let challengers = folder.path().join("rules").display().to_string();
    let days = ["shadow", "--challenger", &challengers, "--from", DAY, "--to", DAY];
    let compared = json_of(&days);
    let counts = ["live_findings", "challenger_findings", "both", "only_live", "only_challenger"].map(|name| compared[0][name].as_u64());
    assert_eq!(counts, [Some(1), Some(0), Some(0), Some(1), Some(0)], "{compared:#}");
    let (code, table, told) = run(&days);
    assert!(code == Some(0) && table.contains(&format!("- {DAY} fan-in {ACTOR}")), "{table}{told}");
    let (code, _, told) = run(&["shadow", "--challenger", &challengers, "--rule", "no-rule"]);
    assert!(code != Some(0) && told.contains("--rule no-rule: must be the id of a rule: fan-in"), "{told}");
    let unknown: [&[&str]; 3] =
        [&["run", "--rule", "no-rule"], &["what-if", "--rule", "no-rule", "--try", "accounts=7"], &["backtest", "--rule", "no-rule"]];
    for arguments in unknown {
        let (code, _, told) = run(arguments);
        assert!(code == Some(1) && told.contains("--rule no-rule: must be the id of a rule: dormant-awakened, fan-in, "), "{arguments:?}: {told}");
    }
}

/// Nine strangers pay it in its first month of observation.
async fn an_individual_is_found_where_a_company_is_not_observed_for_long_enough(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let payments = payments_of("fan-in/tests/look-alike-first-month-of-a-business.toml", folder.path());
    let file = folder.path().join("accounts.csv").display().to_string();
    let run = |accounts: &str| {
        fs::write(&file, accounts).expect("a file");
        let arguments = ["detect", "run", &payments, "--rule", "fan-in", "--from", DAY, "--accounts", &file];
        let output = command(&arguments).output().expect("the program runs");
        (output.status.success(), String::from_utf8(output.stdout).expect("text"), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (accounts, findings) in [("id,owner\nhub,ada\n", 0), ("id,owner,kind\nhub,ada,\n", 0), ("id,owner,kind\nhub,ada,individual\n", 1)] {
        let (ok, printed, told) = run(accounts);
        assert!(ok && printed.lines().count() == findings, "{accounts}: {printed}{told}");
    }
    let (ok, printed, told) = run("id,owner,kind\nhub,ada,human\n");
    let fault = "line 2, column 3 (kind): \"human\" is no kind of an actor: individual or legal-entity";
    assert!(!ok && printed.is_empty() && told.contains("accounts.csv") && told.contains(fault), "{told}");
}

async fn statements_of_rules_are_tested_without_a_store(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = command(&["detect", "test"]).current_dir(&folder).output().expect("the program runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && printed.contains("mule-ring 1.0.0  positive-phone: OK"),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0, "nothing is left behind");
    let file = folder.path().join("payments.csv");
    fs::write(&file, "id,from,to,at,amount,currency\np,a,b,2026-01-31T05:00:00Z,10,EUR\n").expect("a file");
    let file = file.display().to_string();
    let refused = command(&["detect", "run", &file, "--rule", "mule-ring"]).output().expect("the program runs");
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("needs a store"), "{refused:?}");
    // Without it the others run.
    assert!(command(&["detect", "run", &file]).output().expect("the program runs").status.success());
}
