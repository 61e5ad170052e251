use graph_schema::given::check;
use graph_schema::id::UserId;
use graph_schema::user::{CreateUser, is_user_id};

fn user() -> CreateUser {
    let (user_id, subject, first_name, last_name, enabled, groups, idempotency_key) = Default::default();
    CreateUser { user_id, subject, username: "ada".to_owned(), first_name, last_name, enabled, groups, idempotency_key }
}

fn places(user: &CreateUser) -> Vec<String> {
    check(user).err().map(|unacceptable| unacceptable.faults().iter().map(|fault| fault.at.clone()).collect()).unwrap_or_default()
}

#[test]
fn all_faults_of_a_user_are_told() {
    assert_eq!(places(&user()), Vec::<String>::new());
    let wrong = CreateUser {
        user_id: Some(UserId::new("ada")),
        subject: Some("s".to_owned()),
        username: " ".to_owned(),
        first_name: Some("x".repeat(257)),
        last_name: Some("a\u{1}".to_owned()),
        groups: Some(vec!["a".to_owned(), String::new()]),
        ..user()
    };
    assert_eq!(places(&wrong), ["userId", "userId", "username", "firstName", "lastName", "groups[1]"]);
    assert_eq!(places(&CreateUser { groups: Some(vec!["a".to_owned(); 201]), ..user() }), ["groups"]);
}

#[test]
fn the_id_of_a_user_is_a_uuid_as_it_is_usually_written() {
    for (id, is_one) in [
        ("0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a37", true),
        ("0190A8F4-5C1E-7B3A-9D42-6F0E8C1B2A37", false),
        ("0190a8f45c1e7b3a9d426f0e8c1b2a37", false),
        ("0190a8f4-5c1e-7b3a-9d42-6f0e8c1b2a3g", false),
        ("", false),
    ] {
        assert_eq!(is_user_id(&UserId::new(id)), is_one, "{id}");
    }
}
