use resolvers::testing::watchlist::entry::Said;
use screening::list::read;

fn said(text: &str) -> Said {
    let text = format!("id,schema,name,aliases,birth_date,countries\n{text}");
    Said::of("own", &read(text.as_bytes()).expect("a list").items[0])
}

#[test]
fn an_entry_that_says_something_else_has_another_fingerprint() {
    let first = said("Q1,Person,Ada Quill,A. Quill,1952,mt");
    assert_eq!(first.key, "own/Q1");
    assert_eq!(first.fingerprint, said("Q1,Person,Ada  Quill,A. Quill,1952,Malta").fingerprint);
    let reordered = said("Q1,Person,Ada Quill,A. Quill;Adina,1952;1951,mt;it");
    assert_eq!(reordered.fingerprint, said("Q1,Person,Ada Quill,Adina;A. Quill,1951;1952,it;mt").fingerprint);
    for other in [
        "Q1,Person,A. Quill,Ada Quill,1952,mt",
        "Q1,Person,Ada Quill,,1952,mt",
        "Q1,Person,Ada Quill,A. Quill,1952-01,mt",
        "Q1,Organization,Ada Quill,A. Quill,1952,mt",
    ] {
        assert_ne!(first.fingerprint, said(other).fingerprint, "{other}");
    }
}
