use object_store::path::Path;
use resolvers::testing::files::stray::{is_content, is_unfinished};

#[test]
fn only_what_is_called_so_is_a_content() {
    let own = Path::from("files/0198c0de-0000-7000-8000-000000000000");
    let id = "0198c0de-0000-7000-8000-000000000001";
    assert!(is_content(&own.clone().join(id), &own));
    let shouted = id.to_uppercase();
    for name in ["notes.txt", shouted.as_str(), "0198c0de00007000800000000000000a", "", "{0198c0de-0000-7000-8000-000000000001}"] {
        assert!(!is_content(&own.clone().join(name), &own), "{name}");
    }
    for place in [id.to_owned(), format!("files/{id}"), format!("{own}/{id}/{id}"), format!("{own}1/{id}")] {
        assert!(!is_content(&Path::from(place.as_str()), &own), "{place}");
    }
    for (name, wanted) in [(format!("{id}#1"), true), (id.to_owned(), false), (format!("{id}#x"), false), ("notes#1".to_owned(), false)] {
        assert_eq!(is_unfinished(&name), wanted, "{name}");
    }
}
