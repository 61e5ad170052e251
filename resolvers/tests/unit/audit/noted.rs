use resolvers::policy::Subject;
use resolvers::testing::audit::noted::{LONGEST_ID, MOST_NAMED, Noted, Outcome};

#[test]
fn a_request_says_what_it_read_in_one_note() {
    let noted = Noted::default();
    for id in ["a", "b", "a", "b"] {
        noted.note("record.read", Subject::One("Actor", id), Outcome::Success);
    }
    (0..MOST_NAMED + 10).for_each(|number| noted.note("record.read", Subject::One("Account", &number.to_string()), Outcome::Success));
    noted.note("ingest", Subject::Linked, Outcome::Refused);
    let notes = noted.take();
    assert_eq!(notes.len(), 2);
    assert_eq!((notes[0].object_type, notes[0].object_id.as_deref()), ("Actor", Some("a")));
    let text = notes[0].notes().expect("others");
    assert!(text.starts_with("also Actor b, Account 0, ") && text.ends_with(", and 11 more"), "{text}");
    assert_eq!((notes[1].outcome, notes[1].notes()), (Outcome::Refused, None));
    assert!(noted.take().is_empty());
}

#[test]
fn an_id_of_any_length_is_cut_to_what_an_index_takes() {
    let noted = Noted::default();
    for id in ["é".repeat(5_000), "x".repeat(LONGEST_ID)] {
        noted.note("record.read", Subject::One("Actor", &id), Outcome::Refused);
    }
    let notes = noted.take();
    assert_eq!(notes[0].object_id, Some("é".repeat(LONGEST_ID / 2)));
    assert_eq!(notes[0].notes(), Some(format!("also Actor {}", "x".repeat(LONGEST_ID))));
}
