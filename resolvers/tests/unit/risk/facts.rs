use cypher::statements::rows::{DatedAssessment, Holder, OwnedActor, OwningActor, RiskFactsRow, TransferEnd};
use detection::Quantity;
use graph_schema::date::Date;
use resolvers::testing::risk::facts::{KnownActor, Scope, assessments};
use risk::{ActorType, Input, TieKind};

fn row() -> RiskFactsRow {
    RiskFactsRow {
        id: "a".to_owned(),
        recorded: true,
        kind: Some("LEGAL_ENTITY".to_owned()),
        status: None,
        customer_since: Some("2025-03-31".to_owned()),
        nationality: None,
        domicile: Some("DE".to_owned()),
        tax_residency: None,
        sub_types: None,
        legal_form: None,
        custom_data: None,
        record: Some(r#"{"legalEntity": {"industry": [{"code": "92.00", "type": "NACE"}, {"type": "NACE"}]}}"#.to_owned()),
        exclusion: None,
        groups: Vec::new(),
        assessments: Vec::new(),
        accounts: Vec::new(),
        findings: vec!["f".to_owned()],
        owners: vec![OwningActor { id: "o".to_owned(), domicile: Some("IR".to_owned()), ratio: Some(0.25) }],
        owned: vec![OwnedActor { id: "o".to_owned(), ratio: Some(0.5) }, OwnedActor { id: "p".to_owned(), ratio: None }],
        sent: vec![60, 40],
        received: vec![10],
        paid: vec![TransferEnd { units: Some(60), holders: vec![holder("b"), holder("c")], countries: vec!["AT".to_owned()] }],
        paid_by: Vec::new(),
        shared: vec![vec!["a".to_owned(), "d".to_owned()], (0..11).map(|at| format!("many-{at}")).collect()],
    }
}

fn holder(id: &str) -> Holder {
    Holder { id: id.to_owned(), domicile: Some("FR".to_owned()) }
}

fn known(row: RiskFactsRow) -> KnownActor {
    KnownActor::of(row, &Scope { line: None, day: Date::parse("2026-03-31").expect("a date") })
}

#[test]
fn what_was_read_becomes_facts() {
    let known = known(row());
    let texts = |input| known.facts.texts(input).collect::<Vec<_>>();
    assert_eq!(texts(Input::Industry), ["92.00"]);
    assert_eq!(texts(Input::CounterpartyCountries), ["AT", "FR"]);
    assert_eq!(texts(Input::OwnerCountries), ["IR"]);
    let numbers = [Input::RelationDays, Input::Findings, Input::Owners, Input::Owned].map(|input| known.facts.number(input).map(Quantity::as_count));
    assert_eq!(numbers, [Some(365), Some(1), Some(1), Some(2)]);
    assert_eq!((known.volume, known.kind), (110, Some(ActorType::LegalEntity)));
}

#[test]
fn ties_have_their_shares_and_identities_of_many_link_nobody() {
    let ties = known(row()).ties;
    let of = |other: &str, kind: TieKind| ties.iter().find(|tie| tie.0 == other && tie.1 == kind).map(|tie| tie.2);
    assert_eq!(of("b", TieKind::Pays), Some(Some(0.3)));
    assert_eq!(of("c", TieKind::Pays), Some(Some(0.3)));
    assert_eq!(of("o", TieKind::Owns), Some(Some(0.5)));
    assert_eq!(of("p", TieKind::Owns), Some(None));
    assert_eq!(of("d", TieKind::SharesIdentity), Some(Some(1.0)));
    assert_eq!(ties.len(), 5, "{ties:?}");
}

#[test]
fn of_each_type_the_latest_assessments_count_unless_they_say_nothing() {
    let of = |said: &[(&str, &str, &str)]| {
        let assessment =
            |&(kind, value, date): &(&str, &str, &str)| DatedAssessment { kind: kind.to_owned(), value: value.to_owned(), date: date.to_owned() };
        assessments(&said.iter().map(assessment).collect::<Vec<_>>())
    };
    /// Types, values and dates of assessments, and what counts.
    type Row<'a> = (&'a [(&'a str, &'a str, &'a str)], &'a [&'a str]);
    let table: [Row<'_>; 7] = [
        (&[], &[]),
        (&[("PEP", "yes", "2026-01-01")], &["PEP=yes"]),
        (&[("PEP", "yes", "2026-01-01"), ("PEP", "No", "2026-01-02")], &[]),
        (&[("PEP", "no", "2026-01-01"), ("PEP", "domestic", "2026-01-02")], &["PEP=domestic"]),
        (&[("SANCTIONS", "one list", "2026-01-01"), ("SANCTIONS", "another", "2026-01-01")], &["SANCTIONS=one list", "SANCTIONS=another"]),
        (&[("PEP", " none ", "2026-01-01"), ("SAR", "FALSE", "2026-01-01")], &[]),
        (&[("SAR", "", "2026-01-01")], &["SAR="]),
    ];
    for (said, expected) in table {
        assert_eq!(of(said), expected, "{said:?}");
    }
}
