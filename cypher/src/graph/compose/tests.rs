use graph_schema::date::Timestamp;
use graph_schema::id::ActorId;

use super::super::filters::{AuditEntryFilter, CaseFilter, ObservationFilter, PastFilter, ScoreFilter, TransactionFilter};
use super::super::lists::SeekBy;
use super::super::orders::{CaseSort, ObservationSort, TransactionSort};
use super::super::{Condition, FilterSet, ListFilter, Page, Position, Walk, links, lists, nodes};
use super::*;

fn step(name: &str, limit: usize, then: Visit) -> Step {
    let link = links::ALL.iter().find(|link| link.name == name).expect("a link");
    Step { slice: Some(Slice { limit, ..link.whole(Visit::of(link.to)).slice.expect("a slice") }), then, ..link.whole(Visit::of(link.to)) }
}

#[test]
fn a_walk_is_nested() {
    let owners = step("Account.actors", 2, Visit::of(&nodes::ACTOR));
    let accounts = Visit { steps: vec![Step { counted: true, ..owners }], ..Visit::of(&nodes::ACCOUNT) };
    let walk = Visit { steps: vec![step("Account.transferredTo", 3, accounts)], ..Visit::of(&nodes::ACCOUNT) };
    let composed = walk.compose();
    let expected = "UNWIND $ids AS id
MATCH (n0:`Account` {id: id})
CALL {
  WITH n0
  MATCH (n0)-[r1:TRANSFERRED_TO]->(n1:Account)
  WHERE r1.count > 0
  WITH n1, r1, coalesce(CASE r1.largerTally WHEN 'SENT' THEN coalesce(r1.sentStandardCarry, 0) * 1000000000000000000.0 + r1.sentStandardUnits + r1.sentStandardNanos / 1000000000.0 WHEN 'RECEIVED' THEN coalesce(r1.receivedStandardCarry, 0) * 1000000000000000000.0 + r1.receivedStandardUnits + r1.receivedStandardNanos / 1000000000.0 END, 0.0) AS standardized1
  ORDER BY standardized1 DESC, n1.id, r1.currency
  LIMIT $l1
  CALL {
    WITH n1
    MATCH (n1)<-[r2:HAS_ROLE]-(n2:Actor)
    RETURN count(*) AS c2
  }
  CALL {
    WITH n1
    MATCH (n1)<-[r2:HAS_ROLE]-(n2:Actor)
    WITH n2, r2
    ORDER BY n2.id, r2.role
    LIMIT $l2
    RETURN collect([n2.id, r2.role, r2.role, r2.asOfDate, r2.since, r2.until, n2.id, n2.name]) AS x2
  }
  RETURN collect([standardized1, n1.id, r1.currency, r1.count, [r1.totalUnits, r1.totalNanos, r1.totalCarry], CASE r1.largerTally WHEN 'SENT' THEN [r1.sentStandardUnits, r1.sentStandardNanos, r1.sentStandardCarry] WHEN 'RECEIVED' THEN [r1.receivedStandardUnits, r1.receivedStandardNanos, r1.receivedStandardCarry] END, r1.currency, r1.first, r1.last, n1.id, n1.name, c2, x2]) AS x1
}
RETURN id, [n0.id, n0.name, x1] AS found
";
    assert_eq!(&*composed.text, expected);
    assert_eq!(composed.params, Params::none().with("l1", 3i64).with("l2", 2i64));
}

/// Walks of one shape have one text, and of another another.
#[test]
fn a_shape_is_that_of_its_text() {
    let to = |then: Visit, step: Step| Visit { steps: vec![Step { then, ..step }], ..Visit::of(&nodes::ACCOUNT) };
    let hop = || step("Account.transferredTo", 3, Visit::of(&nodes::ACCOUNT));
    let shown = || Visit { summary: true, ..Visit::of(&nodes::ACCOUNT) };
    let turned = |direction| {
        let page = Page { direction, ..hop().link.usual_page() };
        Step { slice: Some(Slice { page, ..hop().slice.expect("a slice") }), ..hop() }
    };
    let behind = |keys: usize| {
        let begin = Begin::Behind(vec![Value::Int(1); keys]);
        Step { slice: Some(Slice { begin, ..hop().slice.expect("a slice") }), ..hop() }
    };
    let walks: Vec<Walk> = [
        Visit::of(&nodes::ACCOUNT),
        shown(),
        Visit { numbers: true, ..shown() },
        to(Visit::of(&nodes::ACCOUNT), hop()),
        to(Visit::of(&nodes::ACCOUNT), step("Account.transferredTo", 7, Visit::of(&nodes::ACCOUNT))),
        to(shown(), hop()),
        to(shown(), Step { counted: true, ..hop() }),
        to(shown(), Step { counted: true, slice: None, ..hop() }),
        to(shown(), turned(SortDirection::Ascending)),
        to(shown(), turned(SortDirection::Descending)),
        to(shown(), behind(3)),
        to(to(shown(), hop()), hop()),
    ]
    .map(|visit| Walk::of(Arc::new(visit)))
    .into();
    for one in &walks {
        for other in &walks {
            assert_eq!(one.shape() == other.shape(), one.text() == other.text(), "{}\n{}", one.text(), other.text());
        }
    }
    assert_eq!(walks[3].shape(), walks[4].shape(), "a limit is a parameter");
}

#[test]
fn a_page_begins_behind_all_its_keys() {
    let key = |text: &str, direction| Key { text: text.to_owned(), direction };
    let keys = [key("k", SortDirection::Descending), key("i", SortDirection::Ascending)];
    let places = ["a".to_owned(), "b".to_owned()];
    assert_eq!(behind(&keys, &places), "k < $a OR (k = $a AND (i > $b))");
    assert_eq!(behind_in_index(&keys, &places), "k <= $a AND CASE k WHEN $a THEN i > $b ELSE true END");
    assert_eq!(behind_in_index(&keys, &places[..1]), "k < $a");
    assert_eq!(behind(&reversed(&keys), &places), "k > $a OR (k = $a AND (i < $b))", "where it ends");
}

#[test]
fn a_page_by_number_is_sorted_by_all_that_is_named() {
    let page = |order: CaseSort, direction| lists::CASES.link.page(order, direction).expect("an order");
    let text = |before: Vec<Page>, last: Page, offset| {
        let slice = Slice { page: last, limit: 200, begin: Begin::At(Position { offset, before }), until: None };
        let step = Step { link: &lists::CASES.link, conditions: Vec::new(), slice: None, counted: false, then: Visit::of(&nodes::CASE) };
        lists::CASES.compose_page(&step, &slice).text
    };
    let (newest, by_type) = (page(CaseSort::CreatedAt, SortDirection::Descending), page(CaseSort::Type, SortDirection::Descending));
    assert_eq!(
        &*text(vec![by_type], newest, 900),
        "MATCH (n1:`Case`)
WHERE n1.type < $a1_0
WITH n1
ORDER BY n1.type DESC, n1.createdAt DESC, n1.id
LIMIT 2048
WITH n1
ORDER BY n1.type DESC, n1.createdAt DESC, n1.id
SKIP $s1
LIMIT $l1
RETURN collect([n1.type, n1.createdAt, n1.id, n1.id, n1.name]) AS found
"
    );
    let deep = text(Vec::new(), newest, 1 << 20);
    assert_eq!(deep.matches("LIMIT").count(), 1, "{deep}");
    assert!(deep.contains("n1.createdAt < $a1_0 AND n1.createdAt >= $b1"), "{deep}");
}

/// On Neo4j each value is read along its index, as far as a page goes; the embedded engine goes through the list.
#[test]
fn a_page_is_looked_up_by_the_most_selective_filter() {
    let list = &lists::AUDIT_ENTRIES;
    let texts = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    let filter = AuditEntryFilter { objects: Some(texts(&["a", "b"])), actions: Some(texts(&["read"])), ..AuditEntryFilter::default() };
    let conditions = list.link.conditions(&ListFilter::AuditEntries(filter)).expect("its filters");
    let slice = |begin| Slice { page: list.link.usual_page(), limit: 9, begin, until: None };
    let page = |conditions: &[Condition], begin| {
        let step = Step { link: &list.link, conditions: conditions.to_vec(), slice: None, counted: false, then: Visit::of(list.link.to) };
        list.compose_page(&step, &slice(begin))
    };
    let composed = page(&conditions, Begin::AtStart);
    assert_eq!(
        &*composed.text,
        "UNWIND $f1_0 AS value
WITH DISTINCT value
CALL {
  WITH value
  MATCH (n1:AuditEntry) USING INDEX SEEK n1:`AuditEntry`(objectId, timestamp)
  WHERE n1.objectId = value AND n1.action IN $f1_1 AND n1.timestamp IS NOT NULL AND n1.timestamp < $a1_0 AND n1.timestamp >= $b1
  WITH n1
  ORDER BY n1.objectId DESC, n1.timestamp DESC, n1.id DESC
  LIMIT $l1
  RETURN n1
}
WITH n1
ORDER BY n1.timestamp DESC, n1.id DESC
LIMIT $l1
RETURN collect([n1.timestamp, n1.id, n1.id, n1.name]) AS found
"
    );
    let through = composed.for_embedded.expect("another text");
    assert!(
        through.contains("WHERE n1.objectId IN $f1_0 AND n1.timestamp IS NOT NULL AND n1.action IN $f1_1") && !through.contains("CALL"),
        "{through}"
    );
    let by_action = page(&conditions[1..], Begin::Behind(vec![Value::Int(7), Value::from("id")])).text;
    assert!(by_action.contains("n1.action = value") && by_action.contains("n1.timestamp <= $a1_0 AND CASE n1.timestamp WHEN $a1_0"), "{by_action}");
    for plain in [page(&[], Begin::AtStart), page(&conditions, Begin::At(Position { offset: 0, before: Vec::new() }))] {
        assert!(plain.for_embedded.is_none() && !plain.text.contains("CALL"), "{}", plain.text);
    }
    for seek in list.seeks {
        let filter = list.link.filters.all().iter().find(|filter| filter.name == seek.filter).expect("a filter of the list");
        let SeekBy::Property(property) = seek.by else { panic!("{} is no property", seek.filter) };
        let condition = format!("{{b}}.{property} IN {{p}} AND {{b}}.timestamp IS NOT NULL");
        assert_eq!(filter.text, condition, "an index of two properties is used where both are asked for");
    }
}

/// Links to rules repeat what lists are ordered by. A link that repeats what is no longer so is passed over.
#[test]
fn observations_of_a_rule_are_read_along_an_index_of_links() {
    let list = &lists::OBSERVATIONS;
    let filter = ObservationFilter { rules: Some(vec!["a".to_owned(), "b".to_owned()]), ..ObservationFilter::default() };
    let conditions = list.link.conditions(&ListFilter::Observations(filter)).expect("its filters");
    let page = |sort: ObservationSort, direction, begin, until| {
        let slice = Slice { page: list.link.page(sort, direction).expect("an order"), limit: 9, begin, until };
        let step = Step { link: &list.link, conditions: conditions.clone(), slice: None, counted: false, then: Visit::of(list.link.to) };
        list.compose_page(&step, &slice)
    };
    let place = vec![Value::Int(7), Value::Int(8), Value::from("id")];
    let composed = page(ObservationSort::Score, SortDirection::Descending, Begin::Behind(place.clone()), None);
    assert_eq!(
        &*composed.text,
        "UNWIND $f1_0 AS value
WITH DISTINCT value
CALL {
  WITH value
  MATCH (n1:Observation)-[r1:MATCHED]->(:ObservationRule) USING INDEX SEEK r1:MATCHED(ruleId, scoreBillionths, observedAt)
  WHERE NOT n1:Placeholder AND r1.ruleId = value AND CASE n1.scoreBillionths WHEN r1.scoreBillionths THEN true ELSE false END AND CASE n1.observedAt WHEN r1.observedAt THEN true ELSE false END AND r1.observedAt IS NOT NULL AND r1.scoreBillionths <= $a1_0 AND CASE r1.scoreBillionths WHEN $a1_0 THEN r1.observedAt < $a1_1 OR (r1.observedAt = $a1_1 AND (n1.id > $a1_2)) ELSE true END AND r1.scoreBillionths >= $b1
  WITH n1, r1
  ORDER BY r1.ruleId DESC, r1.scoreBillionths DESC, r1.observedAt DESC, n1.id
  LIMIT $l1
  RETURN n1
}
WITH DISTINCT n1
ORDER BY n1.scoreBillionths DESC, n1.observedAt DESC, n1.id
LIMIT $l1
RETURN collect([n1.scoreBillionths, n1.observedAt, n1.id, n1.id, n1.name]) AS found
"
    );
    let through = composed.for_embedded.expect("another text");
    assert!(through.contains("m.id IN $f1_0") && !through.contains("CALL") && !through.contains("ruleId"), "{through}");
    let first = page(ObservationSort::Date, SortDirection::Ascending, Begin::AtStart, Some(vec![Value::Int(7), Value::from("id")])).text;
    let bounds = "r1.observedAt > $a1_0 AND r1.observedAt <= $b1 AND r1.observedAt <= $e1_0 AND CASE r1.observedAt WHEN $e1_0 THEN n1.id > $e1_1 ELSE true END";
    assert!(first.contains("MATCHED(ruleId, observedAt)") && first.contains(bounds), "{first}");
}

/// What is asked of the keys alone is asked of what the link repeats: Neo4j would look at each node of the rule before it comes to the span.
#[test]
fn a_span_bounds_the_index_of_links() {
    let list = &lists::OBSERVATIONS;
    let filter = ObservationFilter {
        from: Some(Timestamp(3)),
        to: Some(Timestamp(9)),
        rules: Some(vec!["a".to_owned()]),
        handled: Some(false),
        min_standardized_total: Some(0.5),
        ..ObservationFilter::default()
    };
    let conditions = list.link.conditions(&ListFilter::Observations(filter)).expect("its filters");
    let page = |sort: ObservationSort| {
        let slice = Slice { page: list.link.page(sort, SortDirection::Descending).expect("an order"), limit: 9, begin: Begin::AtStart, until: None };
        let step = Step { link: &list.link, conditions: conditions.clone(), slice: None, counted: false, then: Visit::of(list.link.to) };
        list.compose_page(&step, &slice)
    };
    let by_date = page(ObservationSort::Date);
    let asked = "r1.observedAt >= $f1_0 AND r1.observedAt < $f1_1 AND r1.ruleId = value AND (EXISTS { MATCH (n1)<-";
    assert!(by_date.text.contains(asked) && by_date.text.contains("n1.standardUnits + n1.standardNanos / "), "{}", by_date.text);
    assert!(by_date.for_embedded.is_some_and(|text| text.contains("n1.observedAt >= $f1_0 AND n1.observedAt < $f1_1")));
    let by_amount = page(ObservationSort::Amount).text;
    assert!(by_amount.contains("n1.observedAt >= $f1_0 AND") && by_amount.contains("r1.standardUnits + r1.standardNanos / "), "{by_amount}");
}

/// Neo4j counts what links lead to from their other end; the embedded engine goes through the list.
#[test]
fn what_links_lead_to_is_counted_by_them() {
    let list = &lists::OBSERVATIONS;
    let count = |filter: ObservationFilter| {
        let conditions = list.link.conditions(&ListFilter::Observations(filter)).expect("its filters");
        list.compose_count(&Step { link: &list.link, conditions, slice: None, counted: true, then: Visit::of(list.link.to) })
    };
    let of_actors =
        ObservationFilter { actors: Some(vec![ActorId::parse("a").expect("an id")]), handled: Some(false), ..ObservationFilter::default() };
    let composed = count(of_actors);
    assert_eq!(
        &*composed.text,
        "UNWIND $f1_0 AS value
WITH DISTINCT value
MATCH (who:Actor {id: value})<-[:ABOUT]-(n1:Observation) USING INDEX SEEK who:Actor(id)
  WITH DISTINCT n1
WHERE NOT n1:Placeholder AND (EXISTS { MATCH (n1)<-[:RAISED_FROM|GIVEN_ON|TAKEN_ON|DISMISSES]-(act) }) = $f1_1
RETURN count(*) AS total
"
    );
    assert!(composed.for_embedded.is_some_and(|text| text.starts_with("MATCH (n1:Observation)\nWHERE NOT n1:Placeholder AND EXISTS")));
    // Not by what links to rules repeat: an older program may have left one as it was.
    let of_rules = ObservationFilter { rules: Some(vec!["r".to_owned()]), min_score: Some(0.5), ..ObservationFilter::default() };
    let composed = count(of_rules.clone());
    assert_eq!(
        &*composed.text,
        "UNWIND $f1_0 AS value
WITH DISTINCT value
MATCH (what:ObservationRule {id: value})<-[:MATCHED]-(n1:Observation) USING INDEX SEEK what:ObservationRule(id)
  WITH DISTINCT n1
WHERE NOT n1:Placeholder AND n1.score >= $f1_1
RETURN count(*) AS total
"
    );
    assert!(
        composed
            .for_embedded
            .is_some_and(|text| text.starts_with("MATCH (n1:Observation)\nWHERE NOT n1:Placeholder AND EXISTS { MATCH (n1)-[:MATCHED]->"))
    );
    let of_both = ObservationFilter { actors: Some(vec![ActorId::parse("a").expect("an id")]), ..of_rules };
    assert!(count(of_both).text.contains("(who:Actor {id: value})"), "actors have fewer observations than rules");
    let all = count(ObservationFilter::default());
    assert_eq!((&*all.text, all.for_embedded), ("MATCH (n1:Observation)\nWHERE NOT n1:Placeholder\nRETURN count(*) AS total\n", None));
}

/// In the order of types an index of two properties has all keys; the embedded engine sorts those of a type.
#[test]
fn cases_by_type_are_read_along_one_index() {
    let link = &lists::CASES.link;
    let page = |filter: CaseFilter, direction, begin| {
        let slice = Slice { page: link.page(CaseSort::Type, direction).expect("an order"), limit: 9, begin, until: None };
        let conditions = link.conditions(&ListFilter::Cases(filter)).expect("its filters");
        let step = Step { link, conditions, slice: None, counted: false, then: Visit::of(link.to) };
        lists::CASES.compose_page(&step, &slice)
    };
    let composed = page(CaseFilter::default(), SortDirection::Descending, Begin::AtStart);
    assert_eq!(
        &*composed.text,
        "MATCH (n1:`Case`) USING INDEX SEEK n1:`Case`(type, id)
WHERE n1.id IS NOT NULL AND n1.type < $a1_0
WITH n1
ORDER BY n1.type DESC, n1.id DESC
LIMIT 501
WITH n1
ORDER BY n1.type DESC, n1.id DESC
LIMIT $l1
RETURN collect([n1.type, n1.id, n1.id, n1.name]) AS found
"
    );
    let through = composed.for_embedded.expect("another text");
    assert!(through.starts_with("MATCH (n1:`Case`)\nWHERE n1.type < $a1_0\n"), "{through}");
    let of_users = CaseFilter { assigned: Some(true), ..CaseFilter::default() };
    let behind = page(of_users, SortDirection::Ascending, Begin::Behind(vec![Value::from("FILING"), Value::from("id")])).text;
    assert!(behind.contains("(type, id)") && behind.contains("CASE n1.type WHEN $a1_0 THEN n1.id > $a1_1"), "{behind}");
}

#[test]
fn what_is_hidden_is_neither_found_nor_counted() {
    let found = Visit::of(&nodes::TRANSACTION).compose().text;
    assert_eq!(
        &*found,
        "UNWIND $ids AS id\nMATCH (n0:`Transaction` {id: id})\nWHERE NOT n0:AwaitedTransaction\nRETURN id, [n0.id, n0.name] AS found\n"
    );
    let list = &lists::TRANSACTIONS;
    let step = |conditions| Step { link: &list.link, conditions, slice: None, counted: true, then: Visit::of(list.link.to) };
    let all = list.compose_count(&step(Vec::new())).text;
    assert_eq!(&*all, "RETURN COUNT { (:`Transaction`) } - COUNT { (:AwaitedTransaction) } AS total\n");
    let filter = ListFilter::Transactions(TransactionFilter { min_amount: Some(1.0), ..TransactionFilter::default() });
    let some = list.compose_count(&step(list.link.conditions(&filter).expect("a filter"))).text;
    assert_eq!(&*some, "MATCH (n1:Transaction)\nWHERE n1.amount >= $f1_0\nRETURN count(*) AS total\n");
}

#[test]
fn the_past_is_read_only_when_it_is_asked_for() {
    let mut roles = step("Account.actors", 2, Visit::of(&nodes::ACTOR));
    let text = |step: &Step| Visit { steps: vec![step.clone()], ..Visit::of(&nodes::ACCOUNT) }.compose().text;
    assert!(text(&roles).contains("MATCH (n0)<-[r1:HAS_ROLE]-(n1:Actor)\n  WITH n1, r1"), "{}", text(&roles));
    let filter = ListFilter::Past(PastFilter { known_at: Some(Timestamp(7)) });
    roles.conditions = roles.link.conditions(&filter).expect("it has a past");
    let expected = "MATCH (n0)<-[r1:HAS_ROLE|HAD_ROLE]-(n1:Actor)
  WHERE (r1.since IS NULL OR r1.since <= $f1_0) AND (r1.until IS NULL OR r1.until > $f1_0)\n";
    assert!(text(&roles).contains(expected), "{}", text(&roles));
    for link in links::ALL {
        assert_eq!(
            link.past.is_some(),
            matches!(link.filters, FilterSet::Past | FilterSet::Owners | FilterSet::Members | FilterSet::Associates),
            "{}",
            link.name
        );
        assert!(link.past.is_none_or(|past| link.pattern.contains(past.present)), "{}", link.name);
    }
}

#[test]
fn a_filter_of_another_list_is_refused() {
    let link = &lists::TRANSACTIONS.link;
    assert!(link.conditions(&ListFilter::All).expect("nothing is said").is_empty());
    let error = link.conditions(&ListFilter::Past(PastFilter::default())).expect_err("it has no past");
    assert_eq!(error.to_string(), "Query.transactions: rejected: Past are not its filters, which are Transactions");
}

#[test]
fn an_order_of_another_list_is_refused() {
    let (link, direction) = (&lists::TRANSACTIONS.link, SortDirection::Ascending);
    assert_eq!(link.page(TransactionSort::CreatedAt, direction).expect("an order").sort, &link.sorts[0]);
    // Equal names are not enough, and this list has not all orders of transactions.
    for error in [link.page(CaseSort::CreatedAt, direction).map(|_| ()), link.page(TransactionSort::Amount, direction).map(|_| ())] {
        assert!(error.expect_err("no order").to_string().ends_with(" is not one of its orders"));
    }
}

#[test]
fn a_newest_score_has_passed_the_other_filters() {
    let filter = ScoreFilter { risk_rule: Some("rule".to_owned()), ..ScoreFilter::default() }.newest_only();
    let conditions = lists::RISK_SCORES.link.conditions(&ListFilter::Scores(filter)).expect("filters of scores");
    let said: Vec<_> = conditions.iter().map(|condition| (condition.filter.name, condition.value.get("riskRule").clone())).collect();
    assert_eq!(said, [("risk_rule", Value::Null), ("newest_of", Value::from("rule"))]);
}

/// Whatever is said of a link, its names are filled in, and no two entries have one name.
#[test]
fn every_entry_is_filled_in() {
    for link in links::ALL {
        let composed = Visit { steps: vec![link.whole(Visit { summary: true, ..Visit::of(link.to) })], ..Visit::of(&nodes::ACTOR) }.compose();
        let names = ["{n}", "{b}", "{r}", "{i}", "{d}", "{p}"];
        assert!(names.iter().all(|name| !composed.text.contains(name)), "{}: {}", link.name, composed.text);
        assert_eq!(links::ALL.iter().filter(|other| other.name == link.name).count(), 1, "{}", link.name);
        assert!(link.supernode.is_none_or(|supernode| supernode.orders.iter().all(|order| link.sorts.contains(order))), "{}", link.name);
    }
}
