use std::sync::Arc;

use cypher::statements::rows::{EvidencePayment, EvidenceRow};
use graph_schema::observation::EvidenceKind;
use resolvers::testing::observation::evidence::evidence;

fn payment(id: &str, evidence: EvidenceKind, (from, to): (&str, &str), owner: &str) -> EvidencePayment {
    let some = |text: &str| Some(Arc::from(text));
    EvidencePayment {
        id: Arc::from(id),
        name: Arc::from(id),
        evidence,
        account: some(to),
        from: some(from),
        from_name: some(from),
        to: some(to),
        to_name: some(to),
        owner: some(owner),
        owner_name: some(owner),
    }
}

#[test]
fn what_a_necessary_payment_touches_is_necessary() {
    use EvidenceKind::{Necessary, Supplementary};
    let actor = |id: &str, primary| cypher::statements::rows::EvidenceActor { id: Arc::from(id), name: Arc::from(id), primary };
    let row = EvidenceRow {
        id: "o".to_owned(),
        metadata: Some(r#"{"payments": 3}"#.to_owned()),
        payments: vec![payment("p1", Necessary, ("a", "hub"), "holder"), payment("p2", Supplementary, ("b", "hub"), "holder")],
        cited: 2,
        actors: vec![actor("other", false), actor("focal", true)],
    };
    let found = evidence(&row);
    let accounts: Vec<_> = found.accounts.iter().map(|it| (&*it.account.id, it.account.evidence, it.owners.len())).collect();
    assert_eq!(accounts, [("a", Necessary, 0), ("b", Supplementary, 0), ("hub", Necessary, 1)]);
    let actors: Vec<_> = found.actors.iter().map(|it| (&*it.id, it.evidence)).collect();
    assert_eq!(actors, [("focal", Necessary), ("holder", Necessary), ("other", Supplementary)]);
    assert!(found.truncated, "three were counted, two are there");
}
