use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use cypher::Params;
use cypher::statements::rows::{CaseCell, CaseCounts, UncountedCase};
use graph_schema::case::CaseType;
use graph_schema::date::Timestamp;
use graph_schema::enum_name::EnumName;
use graph_schema::workflow::StepState;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng, rngs::StdRng};
use resolvers::explore::{CaseFilter, Group, GroupKey, ListFilter, Measure, StatisticsQuery, queues};
use resolvers::testing::explore::counted::{Cell, CountQuery, Grain, Standing, changes, goes_together};

const DAY: i64 = 86_400_000;
const STATUSES: [(&str, &str); 3] = [("NEW", "OPEN"), ("REVIEW", "OPEN"), ("DONE", "CLOSED")];
const USERS: [&str; 3] = ["", "u1", "u2"];
const DAYS: [GroupKey; 2] = [GroupKey::CASE_CREATED_DAY, GroupKey::CASE_CLOSED_DAY];

fn question(keys: &[GroupKey], filter: CaseFilter) -> StatisticsQuery {
    StatisticsQuery { filter: ListFilter::Cases(filter), keys: keys.to_vec(), measures: Vec::new(), time_zone: "UTC".to_owned(), as_of: Timestamp(0) }
}

fn at(day: i64, millis: i64) -> Option<Timestamp> {
    Some(Timestamp(day * DAY + millis))
}

/// Cases, and what they are counted as.
#[derive(Default)]
struct Store {
    /// Each with whether it waits.
    cases: Vec<(UncountedCase, bool)>,
    counts: BTreeMap<(Grain, Cell), i64>,
}

impl Store {
    fn change(&mut self, random: &mut StdRng) {
        let (status, state) = *STATUSES.choose(random).expect("one");
        let day = random.random_range(-2..2);
        let case = UncountedCase {
            counted_as: None,
            case_type: CaseType::names().choose(random).expect("one").to_string(),
            state: state.to_owned(),
            status: status.to_owned(),
            workflow: ["w1", "w2"].choose(random).expect("one").to_string(),
            assignee: USERS.choose(random).expect("one").to_string(),
            created_at: day * DAY + [0, 1, DAY - 1].choose(random).expect("one"),
            closed_at: (state == "CLOSED").then_some(day * DAY + DAY),
        };
        match random.random_range(0..self.cases.len() + 5) {
            one if one < self.cases.len() => {
                let counted_as = self.cases[one].0.counted_as.take();
                self.cases[one] = (UncountedCase { counted_as, ..case }, true);
            }
            _ => self.cases.push((case, true)),
        }
    }

    /// What the job does of so many cases at most.
    fn count(&mut self, most: usize) {
        let waiting = self.cases.iter().filter(|(_, waits)| *waits).take(most).map(|(case, _)| case);
        for (count, change) in changes(waiting) {
            *self.counts.entry(count).or_default() += change;
        }
        self.counts.retain(|_, cases| *cases != 0);
        for (case, waits) in self.cases.iter_mut().filter(|(_, waits)| *waits).take(most) {
            (case.counted_as, *waits) = (Some(Standing::of(case).to_text()), false);
        }
    }

    /// What the statement answers with.
    fn read(&self, Params(params): &Params) -> CaseCounts {
        let param = |name: &str| params.iter().find(|(named, _)| named == name).map(|(_, value)| value).expect("it is said");
        let (grain, from, to) = (param("grain").as_text(), param("from").as_int().expect("a day"), param("to").as_int().expect("a day"));
        let is_wanted = |(of, cell): &(Grain, Cell)| grain == Some(of.text()) && (from..=to).contains(&cell.day);
        let cell = |((_, cell), count): (&(Grain, Cell), &i64)| {
            let Cell { case_type, state, status, workflow, assignee, day } = cell.clone();
            CaseCell { case_type, state, status, workflow, assignee, day, count: *count }
        };
        CaseCounts {
            before: 4,
            after: 4,
            counts: self.counts.iter().filter(|(key, _)| is_wanted(key)).map(cell).collect(),
            waiting: self.cases.iter().filter(|(_, waits)| *waits).map(|(case, _)| case.clone()).collect(),
        }
    }
}

/// What a case has by a key, in words.
fn of_case(case: &UncountedCase, key: GroupKey) -> String {
    let day = |at: Option<i64>| at.and_then(|at| Timestamp(at).date()).map(|day| format!("{day:?}")).unwrap_or_default();
    match key {
        GroupKey::CASE_STATUS => case.status.clone(),
        GroupKey::CASE_STATE => case.state.clone(),
        GroupKey::CASE_ASSIGNEE => case.assignee.clone(),
        GroupKey::CASE_TYPE => case.case_type.clone(),
        GroupKey::CASE_WORKFLOW => case.workflow.clone(),
        GroupKey::CASE_CREATED_DAY => day(Some(case.created_at)),
        _ => day(case.closed_at),
    }
}

/// The same of a group.
fn of_group(group: &Group, key: GroupKey) -> String {
    match DAYS.contains(&key) {
        true => group.day(key).map(|day| format!("{day:?}")).unwrap_or_default(),
        false => group.text(key).unwrap_or_default().to_owned(),
    }
}

type Passing = (CaseFilter, fn(&UncountedCase) -> bool);

fn filters() -> Vec<Passing> {
    vec![
        (CaseFilter::default(), |_| true),
        (CaseFilter { assigned: Some(true), ..CaseFilter::default() }, |case| !case.assignee.is_empty()),
        (CaseFilter { states: Some(vec![StepState::Open]), ..CaseFilter::default() }, |case| case.state == "OPEN"),
        (CaseFilter { statuses: Some(vec!["NEW".to_owned(), "DONE".to_owned()]), ..CaseFilter::default() }, |case| case.status != "REVIEW"),
        (CaseFilter { types: Some(vec![CaseType::Analysis]), ..CaseFilter::default() }, |case| case.case_type == "ANALYSIS"),
        (CaseFilter { queues: Some(queues(&[StepState::Open], ["u1", ""])), ..CaseFilter::default() }, |case| {
            case.state == "OPEN" && case.assignee != "u2"
        }),
        (CaseFilter { created_from: at(-1, 0), created_to: at(0, DAY - 1), ..CaseFilter::default() }, |case| (-DAY..DAY).contains(&case.created_at)),
        (CaseFilter { created_to: at(-2, DAY - 1), ..CaseFilter::default() }, |case| case.created_at < -DAY),
        (CaseFilter { closed_from: at(0, 0), ..CaseFilter::default() }, |case| case.closed_at.is_some_and(|at| at >= 0)),
        (CaseFilter { closed_to: at(1, 0), ..CaseFilter::default() }, |case| case.closed_at.is_some_and(|at| at < DAY)),
    ]
}

#[test]
fn the_sum_is_what_plain_code_counts_however_many_cases_wait() {
    let (mut store, mut random) = (Store::default(), StdRng::seed_from_u64(5));
    let keys = [GroupKey::CASE_STATUS, GroupKey::CASE_STATE, GroupKey::CASE_ASSIGNEE, GroupKey::CASE_TYPE, GroupKey::CASE_WORKFLOW];
    let groupings = (0..keys.len()).map(|at| vec![keys[at], keys[(at + 2) % keys.len()]]).chain([Vec::new(), vec![DAYS[0]], vec![DAYS[1], keys[3]]]);
    let groupings: Vec<Vec<GroupKey>> = groupings.collect();
    let nothing = CaseFilter::default();
    let mut compared = 0;
    for _ in 0..60 {
        (0..random.random_range(0..8)).for_each(|_| store.change(&mut random));
        store.count(random.random_range(0..10));
        for ((filter, passes), keys) in filters().into_iter().flat_map(|filter| groupings.iter().map(move |keys| (filter.clone(), keys))) {
            let query = question(keys, filter);
            let Some(asked) = CountQuery::of(&query, &nothing, Tz::UTC) else { continue };
            let mut wanted: BTreeMap<Vec<String>, i64> = BTreeMap::new();
            for (case, _) in store.cases.iter().filter(|(case, _)| passes(case)) {
                *wanted.entry(keys.iter().map(|key| of_case(case, *key)).collect()).or_default() += 1;
            }
            let answer = asked.sum(store.read(&asked.params())).expect("it is whole");
            let found: BTreeMap<Vec<String>, i64> =
                answer.groups.iter().map(|group| (keys.iter().map(|key| of_group(group, *key)).collect(), group.count)).collect();
            assert_eq!((found, answer.number), (wanted.clone(), wanted.len() as i64), "{query:?}");
            assert!(answer.groups.is_sorted_by(|one, next| one.count >= next.count));
            compared += 1;
        }
    }
    // Without days in the filter everything, but by day only where the filter says nothing of assignees. With days all that is not by assignee or the other day.
    assert_eq!(compared, 60 * (4 * 8 + 2 * 6 + 4 * 5));
    assert!(store.counts.values().all(|cases| *cases > 0));
    let by_assignee: BTreeSet<Grain> = store.counts.keys().filter(|(_, cell)| !cell.assignee.is_empty()).map(|(grain, _)| *grain).collect();
    assert_eq!(by_assignee, BTreeSet::from([Grain::All]));
}

#[test]
fn counts_answer_what_they_know_and_nothing_else() {
    let status = [GroupKey::CASE_STATUS];
    let is_answered = |query: &StatisticsQuery, zone| CountQuery::of(query, &CaseFilter::default(), zone).is_some();
    for filter in [
        CaseFilter { creators: Some(vec!["me".to_owned()]), ..CaseFilter::default() },
        CaseFilter { updated_from: at(0, 0), ..CaseFilter::default() },
        CaseFilter { created_from: at(0, 1), ..CaseFilter::default() },
        CaseFilter { created_to: at(0, 0), ..CaseFilter::default() },
        CaseFilter { closed_to: at(0, DAY - 1), ..CaseFilter::default() },
        CaseFilter { created_from: at(0, 0), closed_from: at(0, 0), ..CaseFilter::default() },
        CaseFilter { created_from: at(0, 0), assigned: Some(false), ..CaseFilter::default() },
        CaseFilter { closed_from: at(0, 0), queues: Some(queues(&[StepState::Open], ["u1"])), ..CaseFilter::default() },
    ] {
        assert!(!is_answered(&question(&status, filter.clone()), Tz::UTC), "{filter:?}");
    }
    assert!(is_answered(&question(&status, CaseFilter::default()), Tz::Europe__Berlin), "no day is asked for");
    assert!(!is_answered(&question(&DAYS[..1], CaseFilter::default()), Tz::Europe__Berlin));
    assert!(!is_answered(&question(&DAYS, CaseFilter::default()), Tz::UTC));
    for day in DAYS {
        assert!(is_answered(&question(&[day, GroupKey::CASE_STATUS], CaseFilter::default()), Tz::UTC));
        assert!(!is_answered(&question(&[day, GroupKey::CASE_ASSIGNEE], CaseFilter::default()), Tz::UTC), "by day whoever has them");
    }
    assert!(!is_answered(&question(&[GroupKey::CASE_TAG], CaseFilter::default()), Tz::UTC));
    assert!(!is_answered(&StatisticsQuery { measures: vec![Measure::Overdue], ..question(&status, CaseFilter::default()) }, Tz::UTC));
    let query = question(&status, CaseFilter::default());
    let nothing = CaseFilter::default();
    let asked = CountQuery::of(&query, &nothing, Tz::UTC).expect("it is answered");
    for (before, after, expected) in [(4, 4, true), (5, 5, false), (4, 5, false), (4, 6, false)] {
        let read = CaseCounts { before, after, ..Store::default().read(&asked.params()) };
        assert_eq!(goes_together(&read), expected, "{before}, {after}");
    }
    let strange = UncountedCase { counted_as: Some("[]".to_owned()), ..case() };
    assert!(Standing::is_lost(&strange) && !Standing::is_lost(&case()));
    assert_eq!(changes([&strange]), changes([&case()]), "it is counted as a new one");
    let answer = asked.sum(CaseCounts { waiting: vec![strange], ..Store::default().read(&asked.params()) }).expect("it is whole");
    assert_eq!(answer.groups.iter().map(|group| group.count).collect::<Vec<i64>>(), [1]);
    let few = CaseCounts { waiting: vec![case(); 1_999], ..Store::default().read(&asked.params()) };
    assert!(asked.sum(few).is_some());
    let many = CaseCounts { waiting: vec![case(); 2_000], ..Store::default().read(&asked.params()) };
    assert!(asked.sum(many).is_none(), "as many as the statement answers with");
    let (mut counted, mut random) = (Store::default(), StdRng::seed_from_u64(2));
    counted.change(&mut random);
    counted.count(1);
    let count = counted.read(&asked.params()).counts.remove(0);
    let many = CaseCounts { counts: vec![count; 10_000], ..Store::default().read(&asked.params()) };
    assert!(asked.sum(many).is_none(), "as many as the statement answers with");
}

fn case() -> UncountedCase {
    let mut store = Store::default();
    store.change(&mut StdRng::seed_from_u64(1));
    store.cases.remove(0).0
}
