mod admin;
mod arrival;

use graph_schema::id::UserId;
use graph_schema::user::is_user_id;
use resolvers::testing::user::{caption, distinct, id_of_subject};

#[test]
fn a_subject_leads_to_one_id() {
    let id = id_of_subject("https://issuer", "ada");
    assert!(is_user_id(&UserId::new(id.as_str())), "{id}");
    assert_eq!(id, id_of_subject("https://issuer", "ada"));
    for (issuer, subject) in [("https://issuer", "bob"), ("https://other", "ada"), ("https://issuera", "da")] {
        assert_ne!(id, id_of_subject(issuer, subject), "{issuer} {subject}");
    }
}

#[test]
fn a_user_is_called_by_what_is_known() {
    for (first, last, wanted) in
        [(None, None, "ada"), (Some("Ada"), None, "Ada"), (None, Some("Byron"), "Byron"), (Some("Ada"), Some("Byron"), "Ada Byron")]
    {
        assert_eq!(caption("ada", first, last), wanted);
    }
    assert_eq!(distinct(vec!["b".to_owned(), "a".to_owned(), "b".to_owned()]), ["b", "a"]);
}
