use resolvers::testing::files::name::{FileName, MAX_CHARS, as_given};

#[test]
fn a_name_is_never_a_path() {
    let table = [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd.txt", "passwd.txt"),
        ("a/b.txt", "b.txt"),
        (r"C:\Users\x\b.txt", "b.txt"),
        (r"..\..\b.txt", "b.txt"),
        ("a\0b.txt", "ab.txt"),
        ("a\r\nb.txt", "ab.txt"),
        ("Überweisung 1.pdf", "Überweisung 1.pdf"),
        ("収入.csv", "収入.csv"),
        // Shown as report.fdp… where the mark turns what follows.
        ("report\u{202E}fdp.txt", "reportfdp.txt"),
        (" .hidden.txt. ", "hidden.txt"),
        ("a:b?.txt", "a_b_.txt"),
        ("x.tar.json", "x.tar.json"),
    ];
    for (given, wanted) in table {
        assert_eq!(FileName::of(given).as_ref().map(FileName::as_str).unwrap_or_default(), wanted, "{given:?}");
    }
    for nothing in ["", ".", "..", "../..", "a/", "passwd", "\0", "\u{202E}", "..."] {
        assert!(FileName::of(nothing).is_err(), "{nothing:?}");
    }
    let long = FileName::of(&format!("{}.pdf", "ü".repeat(500))).unwrap();
    assert_eq!((long.as_str().chars().count(), long.extension().as_str()), (MAX_CHARS, "pdf"));
    assert_eq!(as_given("a\0/b\u{202E}"), "a\u{FFFD}/b\u{FFFD}");
}
