use std::sync::Arc;

use cypher::statements::rows::StreamedEntry;
use graph_schema::screening::ScreeningResponse;
use resolvers::testing::screening::lists::{Lists, LoadedList, Standing, entry};
use resolvers::testing::screening::party::{Party, PartyRole};
use resolvers::testing::screening::result::ProviderResult;
use screening::Index;
use screening::Kind;
use screening::evidence::Facts;

fn list(id: &str, names: &[(&str, &str)]) -> Arc<LoadedList> {
    let row = |(id, names): &(&str, &str)| StreamedEntry {
        id: format!("{id}@1"),
        entry_id: (*id).to_owned(),
        schema: "Person".to_owned(),
        names: (*names).to_owned(),
        birth_dates: Some("1952-12-03".to_owned()),
        countries: Some("mt".to_owned()),
        sex: Some("FEMALE".to_owned()),
        identifiers: Some("PASSPORT:ZX100200".to_owned()),
    };
    Arc::new(LoadedList { id: id.to_owned(), version: 1, index: Index::new(names.iter().map(row).map(entry)) })
}

fn party(name: &str) -> Party {
    Party { role: PartyRole::Actor, name: name.to_owned(), aliases: Vec::new(), kind: Kind::Person, facts: Facts::default() }
}

#[tokio::test]
async fn a_party_is_found_in_every_list_with_its_reasons() {
    let lists = Lists::new(1 << 20);
    let unready = lists.search(Some(&party("Ada Quill"))).await;
    assert!(unready.response == ScreeningResponse::Error && unready.reason.is_some_and(|reason| reason.contains("loaded")));
    lists.set(Standing::Ready([list("own", &[("Q1", "Ada Quill\nA. Quill"), ("Q2", "Orsolo Vantrek")]), list("un", &[("7", "Ada Quilla")])].into()));
    let found = lists.search(Some(&party("Ada Quill"))).await;
    assert_eq!(found.response, ScreeningResponse::Hit);
    assert_eq!((found.matches[0].id.as_str(), found.matches[0].score), ("own/Q1", Some(1.0)));
    assert!(found.matches.iter().any(|found| found.id == "un/7"), "{found:?}");
    assert!(!found.matches[0].reasons.is_empty(), "{found:?}");
    let miss = ProviderResult::miss().of_lists(vec!["own/1".to_owned(), "un/1".to_owned()]);
    assert_eq!(lists.search(Some(&party("Petra Grey"))).await, miss);
    assert_eq!(lists.search(None).await, miss);
    // Another name of the same party is searched for, too, and an entry that several names find is told once.
    let known_by = |name: &str, aliases: &[&str]| Party { aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(), ..party(name) };
    let found = lists.search(Some(&known_by("Petra Grey", &["A. Quill", "Ada Quill"]))).await;
    assert_eq!((found.response, found.matches[0].id.as_str(), found.matches[0].score), (ScreeningResponse::Hit, "own/Q1", Some(1.0)));
    assert_eq!(found.matches.iter().filter(|found| found.id == "own/Q1").count(), 1, "{found:?}");
    assert_eq!(found.lists, ["own/1", "un/1"]);
}
