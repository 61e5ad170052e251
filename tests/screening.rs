//! `amlgraph screening …`, which needs no server and no store.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{Engine, command, tests};

tests![embedded: pairs_are_scored_in_their_order, names_are_scored_in_the_manner_of_ofac, a_list_is_searched, a_list_is_validated,
    all_errors_of_a_file_are_told_and_nothing_is_printed];

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn run(arguments: &[&str], files: &[&Path]) -> Output {
    command(&[&["screening"], arguments].concat()).args(files).output().expect("the program runs")
}

fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

async fn names_are_scored_in_the_manner_of_ofac(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let pairs = write(
        folder.path(),
        "pairs.csv",
        "name1,name2,schema\nSergey Lavrov,Lavrov Sergey,Person\nSergey Lavrov,Petra Grey,Person\nN/A,N/A,Person\n",
    );
    let scored = lines(&run(&["score", "--scoring", "ofac"], &[&pairs]));
    // The same parts are the same names, which the standard scoring does not say.
    assert_eq!(scored[1], "Sergey Lavrov,Lavrov Sergey,Person,1.0000,true");
    assert_ne!(lines(&run(&["score"], &[&pairs]))[1], scored[1]);
    assert!(scored[2].ends_with(",false") && scored[3].ends_with(",0.0000,false"), "{scored:?}");
    let list = write(folder.path(), "list.csv", "id,schema,name\nQ1,Person,Sergey Lavrov\n");
    let queries = write(folder.path(), "queries.csv", "id,name\n1,Lavrov Sergey\n");
    let found = lines(&run(&["search", "--scoring", "ofac", "--list", &list.display().to_string()], &[&queries]));
    assert_eq!(found[1..], ["1,1,Q1,Sergey Lavrov,1.0000,true"]);
    let refused = run(&["score", "--scoring", "exact"], &[&pairs]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && told.contains("standard or ofac"), "{told}");
}

async fn pairs_are_scored_in_their_order(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "name1,name2,schema\nSergey Lavrov,Сергей Лавров,Person\nPol Pot,Paul Murphy,Person\nSiemens AG,Siemens Aktiengesellschaft,Company\nunknown,unknown,Person\n";
    let lines = lines(&run(&["score"], &[&write(folder.path(), "pairs.csv", text)]));
    assert_eq!(lines[0], "name1,name2,schema,score,match");
    for (line, (beginning, end)) in lines[1..].iter().zip([
        ("Sergey Lavrov,Сергей Лавров,Person,0.9", ",true"),
        ("Pol Pot,Paul Murphy,Person,0.", ",false"),
        ("Siemens AG,Siemens Aktiengesellschaft,Company,0.9", ",true"),
        ("unknown,unknown,Person,0.0000", ",false"),
    ]) {
        assert!(line.starts_with(beginning) && line.ends_with(end), "{line}");
    }
    assert_eq!(lines.len(), 5);
}

const LIST: &str = "id,schema,name,aliases,birth_date,countries\n\
    Q1,Person,Kamchybek Asanbekovich Kolbayev,Kolya Kyrgyz;Камчыбек Колбаев,1974-08-03,kg\n\
    Q2,Company,Roseville Investments S.A.,,,pa\nQ3,Person,Valentina Ivanovna Matviyenko,,1949-04-07,ru\n";

async fn a_list_is_searched(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let list = write(folder.path(), "list.csv", LIST);
    let queries = "id,name,schema,birth_date,countries\nb,KOLBAEV Kamchibek,Person,,\na,Kamchybek Kolbayev,Person,1990-01-30,\nc,Roseville Investment,Company,,\nd,N/A,Person,,\n";
    let queries = write(folder.path(), "queries.csv", queries);
    let list = list.to_str().expect("a path");
    let lines = lines(&run(&["search", "--list", list, "--top", "1"], &[&queries]));
    assert_eq!(lines[0], "query,rank,id,name,score,match");
    assert!(lines[1].starts_with("b,1,Q1,") && lines[1].ends_with(",true"), "{lines:?}");
    assert!(lines[2].starts_with("a,1,Q1,") && lines[2].ends_with(",false"), "another birth date: {lines:?}");
    assert!(lines[3].starts_with("c,1,Q2,") && lines[3].ends_with(",true"), "{lines:?}");
    assert_eq!(lines.len(), 4, "a placeholder finds nobody: {lines:?}");
}

async fn a_list_is_validated(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let list = write(folder.path(), "list.csv", LIST);
    let people = write(folder.path(), "people.csv", "id,name,schema\n1,Ingeborg Abrahamsen,Person\n");
    let paths = [&list, &people].map(|path| path.to_str().expect("a path"));
    let arguments = ["validate", "--list", paths[0], "--people", paths[1], "--each", "10"];
    let report = lines(&run(&arguments, &[]));
    assert_eq!(
        report[0],
        "threshold,shipped,treatment,queries,not_told_apart,recall_at_1,recall_at_2,recall_at_3,recall_at_4,recall_at_5,people,false_alerts"
    );
    assert!(report.iter().any(|line| line.contains(",true,unchanged,10,0,1.0000,") && line.ends_with(",1,0.0000")), "{report:?}");
    assert_eq!(report, lines(&run(&arguments, &[])), "the same seed, the same report");
}

async fn all_errors_of_a_file_are_told_and_nothing_is_printed(_: Engine) {
    let folder = tempfile::tempdir().expect("a folder");
    let list = write(folder.path(), "list.csv", "id,schema,name\n,Person,A B\nQ2,Person,\n");
    let queries = write(folder.path(), "queries.csv", "id,name\nq,A B\n");
    let output = run(&["search", "--list", list.to_str().expect("a path")], &[&queries]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(
        told.contains("list.csv") && told.contains("line 2, column `id`: is empty") && told.contains("line 3, column `name`: is empty"),
        "{told}"
    );
}
