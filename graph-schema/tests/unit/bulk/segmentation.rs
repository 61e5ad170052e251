use graph_schema::bulk::BulkActorSegmentationGroup;
use graph_schema::given::read;
use graph_schema::id::{ActorId, SegmentationGroupId};

#[test]
fn both_ids_are_required_and_nothing_else_is_taken() {
    let given = read::<BulkActorSegmentationGroup>(br#"{"actor_id":"a","group_id":"g"}"#).map(|given| given.value);
    assert_eq!(given, Ok(BulkActorSegmentationGroup { actor_id: ActorId::new("a"), group_id: SegmentationGroupId::new("g") }));
    for wrong in [r#"{"actor_id":"a"}"#, r#"{"group_id":"g"}"#, r#"{"actor_id":"a","group_id":"g","since":1}"#] {
        assert!(read::<BulkActorSegmentationGroup>(wrong.as_bytes()).is_err(), "{wrong}");
    }
}
