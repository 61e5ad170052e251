use graph_schema::fault::Unacceptable;
use graph_schema::given::{read, read_list};
use graph_schema::segmentation::{CreateSegmentationCategory, CreateSegmentationGroup, MAX_MEMBERS, SegmentationMember, SegmentationUpdate};
use serde_json::json;

fn told<T>(read: Result<T, Unacceptable>) -> Vec<String> {
    match read {
        Ok(_) => Vec::new(),
        Err(unacceptable) => unacceptable.faults().iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn a_name_is_to_be_seen() {
    for (name, is_one) in [("a", true), ("a b", true), ("é", true), ("", false), (" ", false), (" a", false), ("a\t", false), ("a\u{7}b", false)] {
        let category = told(read::<CreateSegmentationCategory>(json!({"name": name}).to_string().as_bytes()));
        let group = told(read::<CreateSegmentationGroup>(json!({"name": name, "category_id": "c"}).to_string().as_bytes()));
        let update = told(read::<SegmentationUpdate>(json!({"name": name}).to_string().as_bytes()));
        for faults in [category, group, update] {
            assert_eq!(faults.is_empty(), is_one, "{name:?}: {faults:?}");
            assert!(faults.iter().all(|fault| fault.starts_with("name: must n")), "{name:?}: {faults:?}");
        }
    }
    assert_eq!(told(read::<SegmentationUpdate>(b"{}")), Vec::<String>::new());
    assert_eq!(told(read::<SegmentationUpdate>(br#"{"name": null, "description": null}"#)), ["name: must be a string, not null"]);
    for (body, description) in [("{}", None), (r#"{"description": null}"#, Some(None)), (r#"{"description": ""}"#, Some(Some(String::new())))] {
        assert_eq!(read::<SegmentationUpdate>(body.as_bytes()).map(|given| given.value.description), Ok(description), "{body}");
    }
    let long = json!({"name": "n".repeat(257), "description": "d".repeat(4001)}).to_string();
    assert_eq!(told(read::<SegmentationUpdate>(long.as_bytes())).len(), 2);
}

#[test]
fn members_are_ids_and_not_too_many() {
    let of = |count: usize| json!(vec!["a"; count]).to_string();
    assert_eq!(read_list::<SegmentationMember>(of(MAX_MEMBERS).as_bytes()).map(|list| list.items.len()), Ok(MAX_MEMBERS));
    assert_eq!(told(read_list::<SegmentationMember>(of(MAX_MEMBERS + 1).as_bytes())), ["body: must have at most 1000 items"]);
    let wrong = told(read_list::<SegmentationMember>(br#"["a", 1, "", {"id": "b"}]"#));
    assert_eq!(wrong, ["[1]: must be a string, not a number", "[2]: must not be empty", "[3]: must be a string, not an object"]);
}
