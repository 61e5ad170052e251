use super::*;

fn faults(text: &str) -> Vec<String> {
    match read(text.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(error) => error.to_string().lines().skip(1).map(|line| line.trim().to_owned()).collect(),
    }
}

#[test]
fn an_owner_is_of_the_kind_that_a_line_tells_and_else_a_company() {
    let accounts = read("kind,owner,id\nindividual,ada,a1\n,ada,a2\nLEGAL_ENTITY,works,w1\n,shop,s1\n".as_bytes()).unwrap();
    let kinds = ["ada", "works", "shop", "nobody"].map(|owner| accounts.kind_of(owner));
    assert_eq!(kinds, [ActorKind::Individual, ActorKind::LegalEntity, ActorKind::LegalEntity, ActorKind::LegalEntity]);
    assert_eq!([accounts.owner_of("a2").0, accounts.owner_of("other").0], ["ada", "other"]);
}

#[test]
fn a_file_without_kinds_is_read_as_before() {
    let accounts = read("\u{feff}id,owner,opened,note\na1,ada,2026-01-31,x\na2,ada,,\n".as_bytes()).unwrap();
    assert_eq!(accounts.owner_of("a1"), ("ada".to_owned(), NaiveDate::from_ymd_opt(2026, 1, 31)));
    assert_eq!((accounts.owner_of("a2"), accounts.kind_of("ada")), (("ada".to_owned(), None), ActorKind::LegalEntity));
}

#[test]
fn all_faults_are_told_with_their_lines() {
    let told = faults("id,owner,opened,kind\na1,ada,soon,human\na2,works,,legal-entity\na3,works,,individual\na4,works\n");
    let expected = [
        "line 2, column 3 (opened): \"soon\" is no date (YYYY-MM-DD)",
        "line 2, column 4 (kind): \"human\" is no kind of an actor: individual or legal-entity",
        "line 4, column 4 (kind): \"works\" is legal-entity by line 3; an owner is one of both",
        "line 5: has 2 columns, and the header has 4",
    ];
    assert_eq!(told, expected);
    assert_eq!(faults("account,kind\na,individual\n").len(), 2);
    let many = faults(&format!("id,owner,kind\n{}", "a,b,human\n".repeat(30)));
    assert!(many.len() == 21 && many[20].contains("there may be more"), "{many:?}");
}
