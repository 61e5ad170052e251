use super::*;

const HERE: Position = Position { offset: 120, line: 4 };

#[test]
fn notes_are_found_again_by_target_and_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut checkpoint = Checkpoint::read(folder.path(), "one").expect("none");
    assert_eq!(checkpoint.position(List::Actors), Position::default());
    checkpoint.begin().expect("a note");
    assert_eq!(Checkpoint::read(folder.path(), "one").expect("notes").run(), checkpoint.run());
    checkpoint.reached(List::Actors, HERE).expect("a note");
    let read = |target| Checkpoint::read(folder.path(), target).expect("notes");
    assert_eq!(read("one").position(List::Actors), HERE);
    assert_eq!(read("one").position(List::Accounts), Position::default());
    assert_eq!(read("two").position(List::Actors), Position::default());
    // It has one name until it ends.
    assert_eq!(read("one").run(), checkpoint.run());
    assert_ne!(read("two").run(), checkpoint.run());
    checkpoint.forget();
    assert_ne!(read("one").run(), checkpoint.run());
}

#[cfg(unix)]
#[test]
fn notes_are_for_their_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    for left in [FILE, ".amlgraph-import.json.new"] {
        fs::write(folder.path().join(left), "{}").expect("a file");
        fs::set_permissions(folder.path().join(left), fs::Permissions::from_mode(0o644)).expect("open to others");
    }
    Checkpoint::read(folder.path(), "one").expect("none").reached(List::Actors, HERE).expect("a note");
    let mode = fs::metadata(folder.path().join(FILE)).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_finished_target_leaves_the_others_notes() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |target| Checkpoint::read(folder.path(), target).expect("notes");
    read("one").reached(List::Actors, HERE).expect("a note");
    read("two").reached(List::Actors, HERE).expect("a note");
    read("one").finish().expect("finished");
    assert_eq!((read("one").position(List::Actors), read("two").position(List::Actors)), (Position::default(), HERE));
    read("two").finish().expect("finished");
    assert!(!folder.path().join(FILE).exists());
    read("two").finish().expect("nothing to remove is no error");
}

#[test]
fn forgetting_begins_again_and_broken_notes_are_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut checkpoint = Checkpoint::read(folder.path(), "one").expect("none");
    checkpoint.reached(List::Actors, HERE).expect("a note");
    checkpoint.forget();
    assert_eq!(checkpoint.position(List::Actors), Position::default());
    fs::write(folder.path().join(FILE), "{ broken").expect("a file");
    assert_eq!(Checkpoint::read(folder.path(), "one").expect("none").position(List::Actors), Position::default());
}
