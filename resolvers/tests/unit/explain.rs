use std::sync::Arc;

use cypher::Params;
use resolvers::explain::{AskedStatement, explained};
use resolvers::testing::explain::note;

#[tokio::test]
async fn statements_are_told_once_with_all_their_ids() {
    let params = Params::none().with("l1", 5i64);
    let request = async {
        for id in ["a", "it's", "a"] {
            note(|| Arc::from("UNWIND $ids AS id RETURN id LIMIT $l1\n"), &params, Some(id));
        }
        note(|| Arc::from("RETURN 1 AS one"), &Params::none(), None);
    };
    let ((), asked) = explained(request).await;
    let asked: Vec<String> = asked.iter().map(AskedStatement::for_browser).collect();
    assert_eq!(asked, [":params {ids: ['a', 'it\\'s'], l1: 5}\nUNWIND $ids AS id RETURN id LIMIT $l1", ":params {}\nRETURN 1 AS one"]);
    note(|| unreachable!("nobody wants to know"), &Params::none(), None);
}
