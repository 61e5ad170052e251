use super::*;

#[test]
fn no_filter_lets_libraries_tell_what_they_send() {
    for (target, level, told) in [
        ("amlgraph::http::edge", Level::DEBUG, true),
        ("amlgraph", Level::TRACE, true),
        ("resolvers::queue", Level::DEBUG, true),
        ("graphql_api::refused", Level::DEBUG, true),
        ("graphql_http::refusal", Level::DEBUG, true),
        ("neo4rs::connection", Level::DEBUG, false),
        ("neo4rs::query", Level::WARN, false),
        ("neo4rs::pool", Level::ERROR, true),
        ("hyper::proto", Level::TRACE, false),
        ("hyper::proto", Level::WARN, true),
        ("amlgraph_of_others", Level::INFO, false),
    ] {
        assert_eq!(may_tell(target, &level), told, "{target} {level}");
    }
}
