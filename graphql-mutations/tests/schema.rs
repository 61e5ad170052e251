//! Clients are generated from the schema, so that a change of it is to be seen in review.

#[test]
fn the_schema_is_the_one_in_docs() {
    let kept = include_str!("../../docs/schema.graphql");
    assert_eq!(graphql_mutations::sdl().trim(), kept.trim(), "run: amlgraph schema > docs/schema.graphql");
}
