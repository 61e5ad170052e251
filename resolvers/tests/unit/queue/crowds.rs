//! Which of those that wait go into the next transaction: what is sent in bulk goes as a crowd, and leaves places to single requests.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use cypher::Value;
use resolvers::testing::account::ADD_BALANCE;
use resolvers::testing::audit::entry::{AuditDraft, Object, entry_of_service};
use resolvers::testing::queue::change::{AtDatabase, Change, Company, Item, Outcomes, Rank};
use resolvers::testing::queue::submission::{Foresight, LockHint, Part, Priority, Submission};
use resolvers::testing::queue::unit_of_work::UnitOfWork;
use resolvers::testing::queue::waiting::{Batch, Departed, MAX_ROWS, SLOW_FOR_COMPANY, Waiting};
use resolvers::testing::queue::{Along, Answers, Write, WriteError, clock};
use tokio::sync::oneshot;
use tokio::task::Id;

/// A change that is never made: these tests end where a transaction would begin. Its row is how many bytes it has.
struct Unmade(Rank, Company);

static RECORDS: Unmade = Unmade(Rank::Record, Company::AnyKind);
static ADMINISTRATES: Unmade = Unmade(Rank::Administration, Company::AnyKind);
static PAYS: Unmade = Unmade(Rank::Transaction, Company::OwnKind);

impl Change for Unmade {
    type Row = usize;
    type Answer = ();

    fn name(&self) -> &'static str {
        "unmade"
    }

    fn rank(&self) -> Rank {
        self.0
    }

    fn company(&self) -> Company {
        self.1
    }

    fn size(&self, row: &usize) -> usize {
        *row
    }

    fn apply<'a>(&'a self, _unit: &'a mut UnitOfWork, _items: &'a [Item<'a, usize>]) -> AtDatabase<'a, Outcomes<()>> {
        unreachable!("no transaction begins")
    }
}

/// What waits, and those who wait for the answers: without them nothing would be done.
struct Crowd {
    waiting: Waiting,
    /// Whether all that comes is about the same thing.
    of_one_object: bool,
    /// Whether what comes tells all that it locks.
    foresight: Foresight,
    change: &'static Unmade,
    callers: Vec<oneshot::Receiver<Result<Answers, WriteError>>>,
}

impl Crowd {
    fn new() -> Self {
        clock::stop();
        Self { waiting: Waiting::new(3), of_one_object: false, foresight: Foresight::Partial, change: &RECORDS, callers: Vec::new() }
    }

    /// So many writes come, each of an object of its own and of these accounts, one after another.
    fn come(&mut self, priority: Priority, accounts: impl IntoIterator<Item = usize>, bytes: usize) {
        for account in accounts {
            let id = if self.of_one_object { "one".to_owned() } else { self.callers.len().to_string() };
            let entry = entry_of_service(Object { kind: "Transaction", id: &id, action: "unmade" });
            let write = Write { foresight: self.foresight, ..Write::new(bytes, entry).locking([lock(account)]) };
            let part = Part::new(self.change, write);
            let (answer, answered) = oneshot::channel();
            self.callers.push(answered);
            self.waiting.push(Box::new(Submission::new(vec![part], Along { key: None, priority }, answer)));
        }
    }

    /// The next transaction, once it is time for one.
    fn next(&mut self) -> Batch {
        if let Some(at) = self.waiting.due_at() {
            clock::forward(at.saturating_duration_since(clock::now()));
        }
        if self.waiting.has_room() && self.waiting.is_due() { self.waiting.next_batch() } else { Batch::default() }
    }

    /// This transaction is under way.
    fn depart(&mut self, batch: Batch) -> Id {
        let transaction = tokio::spawn(async {}).id();
        self.waiting.departed(transaction, batch.depart().1);
        transaction
    }

    /// A transaction is under way that locks these accounts.
    async fn departed(&mut self, accounts: impl IntoIterator<Item = usize>, priority: Priority) -> Id {
        let transaction = tokio::spawn(async {}).id();
        let locks: HashSet<LockHint> = accounts.into_iter().map(lock).collect();
        self.waiting.departed(
            transaction,
            Departed {
                submissions: locks.len(),
                most: MAX_ROWS,
                company: None,
                since: clock::now(),
                locks,
                foresight: self.foresight,
                priority,
                no_room: 0,
            },
        );
        transaction
    }
}

/// What a transaction takes that is no reason for anything.
const QUICK: Duration = Duration::from_millis(500);

fn lock(account: usize) -> LockHint {
    LockHint::of("Account", &account.to_string())
}

#[test]
fn a_crowd_goes_together() {
    let mut crowd = Crowd::new();
    let before = clock::now();
    crowd.come(Priority::Bulk, 0..300, 1);
    assert!(crowd.waiting.due_at().is_some_and(|at| at > before), "its last may not have come yet");
    assert_eq!(crowd.next().submissions.len(), 300);
    crowd.come(Priority::Bulk, [0], 1);
    assert_eq!(crowd.next().submissions.len(), 1, "one alone goes as well");
}

/// Each can tell what it locks: they go by halves of what is left, so that both places end at about the same time.
#[tokio::test]
async fn crowds_that_can_tell_what_they_lock_go_side_by_side() {
    let mut crowd = Crowd::new();
    crowd.foresight = Foresight::Full;
    crowd.come(Priority::Bulk, (0..1_000).map(|at| at % 900), 1);
    let first = crowd.next();
    let (mut taken, locks) = (vec![first.submissions.len()], first.locks.clone());
    let mut under_way = VecDeque::from([crowd.depart(first)]);
    let second = crowd.next();
    assert!(second.locks.is_disjoint(&locks));
    taken.push(second.submissions.len());
    under_way.push_back(crowd.depart(second));
    let soon = |at| at < clock::now() + Duration::from_millis(500);
    assert!(!crowd.waiting.due_at().is_some_and(soon), "two at once");
    while let Some(ended) = under_way.pop_front() {
        crowd.waiting.landed(ended, 0, QUICK);
        let next = if crowd.waiting.due_at().is_some_and(soon) { crowd.next() } else { Batch::default() };
        if !next.submissions.is_empty() {
            taken.push(next.submissions.len());
            under_way.push_back(crowd.depart(next));
        }
    }
    assert_eq!(taken.iter().sum::<usize>(), 1_000, "{taken:?}");
    assert!(taken[..2] == [250, 187] && taken.iter().all(|taken| *taken <= 250), "{taken:?}");
}

/// However small they were for their share: the next ones are smaller.
#[tokio::test]
async fn crowds_that_take_long_make_the_next_ones_smaller() {
    let mut crowd = Crowd::new();
    crowd.foresight = Foresight::Full;
    crowd.come(Priority::Bulk, 0..2_000, 1);
    for (took, expected) in [(QUICK, 500), (Duration::from_secs(2), 375), (QUICK, 187), (Duration::from_secs(2), 187), (QUICK, 93)] {
        let batch = crowd.next();
        assert_eq!(batch.submissions.len(), expected);
        let under_way = crowd.depart(batch);
        crowd.waiting.landed(under_way, expected, took);
    }
}

/// Their places are those of single requests as long as these come.
#[tokio::test]
async fn no_crowds_go_side_by_side_while_single_requests_come() {
    let mut crowd = Crowd::new();
    crowd.foresight = Foresight::Full;
    crowd.come(Priority::Single, [1_000], 1);
    crowd.come(Priority::Bulk, 0..1_000, 1);
    for expected in [1, 24] {
        let batch = crowd.next();
        assert_eq!(batch.submissions.len(), expected);
        crowd.depart(batch);
    }
    assert!(!crowd.waiting.is_due() && crowd.waiting.due_at().is_some_and(|at| at > clock::now() + Duration::from_millis(500)));
}

#[test]
fn a_full_transaction_waits_for_nobody() {
    let mut crowd = Crowd::new();
    crowd.come(Priority::Bulk, 0..MAX_ROWS + 100, 1);
    assert!(crowd.waiting.is_due());
    assert_eq!(crowd.next().submissions.len(), MAX_ROWS);
}

/// They would lock each other's nodes, in ways that no hint tells.
#[tokio::test]
async fn beside_a_crowd_no_other_goes_unless_it_takes_long() {
    let mut crowd = Crowd::new();
    let transaction = crowd.departed(0..10, Priority::Bulk).await;
    let before = clock::now();
    crowd.come(Priority::Bulk, (0..10).cycle().take(90), 1);
    crowd.come(Priority::Bulk, 100..110, 1);
    let mut looks = 0;
    let batch = loop {
        looks += 1;
        let batch = crowd.next();
        if !batch.submissions.is_empty() {
            break batch;
        }
    };
    assert_eq!(batch.submissions.len(), 10, "but for what the one under way has locked");
    assert!(clock::now() - before >= Duration::from_secs(1) && looks < 20, "{:?}, {looks} looks", clock::now() - before);
    crowd.waiting.landed(transaction, 0, QUICK);
    assert_eq!(crowd.next().submissions.len(), 90, "the others go when what had their accounts is done");
}

/// A single write, such as a note that others are done, is no crowd.
#[tokio::test]
async fn beside_one_write_of_bulk_a_crowd_goes() {
    let mut crowd = Crowd::new();
    crowd.departed([1_000], Priority::Bulk).await;
    crowd.come(Priority::Bulk, 0..MAX_ROWS, 1);
    assert!(crowd.waiting.is_due());
    assert_eq!(crowd.next().submissions.len(), MAX_ROWS);
}

#[test]
fn a_transaction_has_no_more_bytes_than_it_may() {
    let mut crowd = Crowd::new();
    crowd.come(Priority::Bulk, 100..200, 200_000);
    let taken = crowd.next().submissions.len();
    assert!((5..=10).contains(&taken), "{taken} of 200 kB each");
}

#[tokio::test]
async fn single_requests_find_places_beside_bulk() {
    let mut crowd = Crowd::new();
    // As long as one is under way others are expected.
    crowd.departed([1_000], Priority::Single).await;
    let before = clock::now();
    crowd.come(Priority::Bulk, 0..100, 1);
    let some = crowd.next();
    assert!(some.priority == Priority::Bulk && some.submissions.len() < 100, "{} at once", some.submissions.len());
    let transaction = crowd.departed(0..24, Priority::Bulk).await;
    assert!(crowd.waiting.due_at().is_some_and(|at| at >= before + Duration::from_secs(1)), "for long no other of bulk beside that one");
    crowd.come(Priority::Single, [1_001], 1);
    assert_eq!(crowd.next().priority, Priority::Single, "but single requests");
    crowd.waiting.landed(transaction, 0, QUICK);
    assert!(!crowd.next().submissions.is_empty(), "it is followed by the next");
}

/// Of changes of one object each waits for the one before; nothing under way keeps them, and no landing would let them go.
#[test]
fn those_that_take_turns_are_no_crumbs() {
    let mut crowd = Crowd::new();
    crowd.of_one_object = true;
    crowd.come(Priority::Bulk, 0..20, 1);
    for _ in 0..20 {
        assert_eq!(crowd.next().submissions.len(), 1);
    }
}

/// Writes come of which each is about an object of its own; how many go into the next transaction.
fn together<C: Change>(change: &'static C, writes: Vec<Write<C::Row>>) -> usize {
    let mut waiting = Waiting::new(3);
    let mut callers = Vec::new();
    for write in writes {
        let (answer, answered) = oneshot::channel();
        callers.push(answered);
        waiting.push(Box::new(Submission::new(vec![Part::new(change, write)], Along::default(), answer)));
    }
    waiting.next_batch().submissions.len()
}

fn about(id: &str) -> AuditDraft {
    entry_of_service(Object { kind: "Account", id, action: "unmade" })
}

#[test]
fn what_is_only_put_there_needs_no_turns() {
    assert_eq!(together(&ADD_BALANCE, (0..50).map(|_| Write::new(Value::Null, about("one"))).collect()), 50);
}

#[test]
fn those_that_describe_one_node_take_turns_whatever_they_are_about() {
    let describing = |id: &str, node: usize| Write::new(1, about(id)).describing("Account", &node.to_string());
    assert_eq!(together(&RECORDS, vec![describing("a", 1), describing("b", 1), describing("c", 2), describing("d", 1)]), 2);
}

/// The second waits for its turn; the third, of another object, locks a node of the second, and must not pass it by.
#[test]
fn what_locks_a_node_of_one_that_stays_stays_behind_it() {
    let mut crowd = Crowd::new();
    crowd.of_one_object = true;
    crowd.come(Priority::Bulk, [1, 2], 1);
    crowd.of_one_object = false;
    crowd.come(Priority::Bulk, [2, 3], 1);
    let first = crowd.next();
    assert_eq!(([1, 2, 3].map(|account| first.locks.contains(&lock(account))), first.submissions.len()), ([true, false, true], 2));
    assert_eq!([crowd.next(), crowd.next()].map(|batch| batch.submissions.len()), [2, 0], "it goes with what it stood behind");
}

#[tokio::test]
async fn a_single_request_that_comes_between_does_not_make_a_crowd_be_forgotten() {
    let mut crowd = Crowd::new();
    crowd.departed([5_000], Priority::Single).await;
    crowd.come(Priority::Bulk, 0..MAX_ROWS, 1);
    crowd.come(Priority::Single, 6_000..6_040, 1);
    let (first, second) = (crowd.next(), crowd.next());
    assert_eq!((first.priority, second.priority), (Priority::Single, Priority::Bulk));
}

#[tokio::test]
async fn one_single_request_goes_before_the_next_of_bulk() {
    let mut crowd = Crowd::new();
    crowd.departed([5_000], Priority::Single).await;
    crowd.come(Priority::Bulk, 0..200, 1);
    for account in 1_000..1_005 {
        let transaction = crowd.departed(0..24, Priority::Bulk).await;
        crowd.come(Priority::Single, [account], 1);
        crowd.waiting.landed(transaction, 24, QUICK);
        assert_eq!(crowd.next().priority, Priority::Single);
        assert_eq!(crowd.next().priority, Priority::Bulk);
    }
}

#[tokio::test]
async fn single_requests_that_wait_for_bulk_to_end_are_not_forgotten() {
    let mut crowd = Crowd::new();
    crowd.departed(0..24, Priority::Bulk).await;
    crowd.come(Priority::Single, [1], 1);
    let before = clock::now();
    crowd.come(Priority::Bulk, 100..400, 1);
    clock::forward(Duration::from_millis(300));
    crowd.next();
    assert!(crowd.waiting.due_at().is_some_and(|at| at >= before + Duration::from_secs(1)));
    let taking = crowd.departed([2], Priority::Single).await;
    crowd.waiting.landed(taking, 1, QUICK);
    crowd.next();
    assert!(crowd.waiting.due_at().is_some_and(|at| at >= before + Duration::from_secs(1)), "nor when another was answered meanwhile");
}

#[tokio::test]
async fn beside_a_slow_transaction_bulk_goes_on_when_it_has_waited_long() {
    let mut crowd = Crowd::new();
    crowd.departed([1_000], Priority::Single).await;
    crowd.departed(0..24, Priority::Bulk).await;
    let before = clock::now();
    crowd.come(Priority::Bulk, 100..200, 1);
    let batch = crowd.next();
    assert!(batch.priority == Priority::Bulk && (1..100).contains(&batch.submissions.len()) && clock::now() - before >= Duration::from_secs(1));
}

/// That a bulk request was taken is written at once, and is no reason to process it in small transactions.
#[test]
fn what_administrates_keeps_no_places() {
    let mut crowd = Crowd::new();
    crowd.change = &ADMINISTRATES;
    crowd.come(Priority::Single, [1], 1);
    crowd.change = &RECORDS;
    crowd.come(Priority::Bulk, 100..400, 1);
    assert_eq!((crowd.next().submissions.len(), crowd.next().submissions.len()), (1, 300));
}

/// Of large records each transaction has one: they are a crowd all the same.
#[tokio::test]
async fn large_ones_of_bulk_go_one_after_another() {
    let mut crowd = Crowd::new();
    crowd.come(Priority::Bulk, 100..104, 1_900_000);
    let first = crowd.next();
    assert_eq!((first.submissions.len(), first.no_room), (1, 3));
    let under_way = crowd.depart(first);
    assert!(!crowd.waiting.is_due());
    crowd.waiting.landed(under_way, 1, QUICK);
    assert_eq!(crowd.next().submissions.len(), 1);
}

/// However long transactions of bulk take, those who wait for an answer have a place.
#[tokio::test]
async fn one_place_is_left_to_single_requests() {
    let mut crowd = Crowd::new();
    crowd.departed(0..24, Priority::Bulk).await;
    crowd.departed(24..48, Priority::Bulk).await;
    crowd.come(Priority::Bulk, 100..200, 1);
    crowd.come(Priority::Single, [1], 1);
    clock::forward(Duration::from_millis(1_100));
    assert_eq!(crowd.next().priority, Priority::Single);
    assert!(!crowd.waiting.is_due() && crowd.waiting.due_at().is_none(), "until one of them ends");
}

#[test]
fn bulk_keeps_nobody_out() {
    let mut crowd = Crowd::new();
    crowd.come(Priority::Bulk, 0..2 * MAX_ROWS, 1);
    assert_eq!(crowd.waiting.room(), 2 * MAX_ROWS);
    crowd.come(Priority::Single, 0..2 * MAX_ROWS, 1);
    assert_eq!(crowd.waiting.room(), 0);
}

#[test]
fn who_has_hung_up_is_written_nothing() {
    let mut crowd = Crowd::new();
    crowd.come(Priority::Bulk, 0..10, 1);
    crowd.callers.drain(..4);
    assert_eq!(crowd.next().submissions.len(), 6);
}

/// What they can't write now is written together; but a slow one keeps nobody for long.
#[tokio::test]
async fn those_who_are_fewer_have_one_place() {
    let mut crowd = Crowd::new();
    crowd.waiting = Waiting::new(4);
    let mut come = |change, accounts| {
        crowd.change = change;
        crowd.come(Priority::Single, accounts, 1);
        let next = crowd.next();
        (next.submissions.len(), crowd.depart(next))
    };
    let (count, of_payments) = come(&PAYS, 0..40);
    assert_eq!(count, 40);
    let (count, of_records) = come(&RECORDS, 100..105);
    assert_eq!(count, 5);
    assert_eq!(come(&PAYS, 200..230).0, 30, "of those who are most several go side by side");
    crowd.change = &RECORDS;
    crowd.come(Priority::Single, 110..120, 1);
    assert_eq!(crowd.next().submissions.len(), 0, "they have their place");
    crowd.waiting.landed(of_records, 5, QUICK);
    let next = crowd.next();
    assert_eq!(next.submissions.len(), 10, "together");
    crowd.depart(next);
    crowd.come(Priority::Single, 400..403, 1);
    assert_eq!(crowd.next().submissions.len(), 0);
    crowd.waiting.landed(of_payments, 40, QUICK);
    assert_eq!(crowd.next().submissions.len(), 0);
    let at = crowd.waiting.due_at().expect("nothing comes or lands that would make anyone look");
    assert!(at <= clock::now() + SLOW_FOR_COMPANY);
    // As the driver does: it looks when any of those under way has become a slow one.
    let gone = (0..4).map(|_| crowd.next().submissions.len()).find(|gone| *gone > 0);
    assert_eq!(gone, Some(3), "the one under way is a slow one");
}

/// Who waits for a node that is locked needs no place for now.
#[tokio::test]
async fn what_could_not_depart_anyway_is_left_no_place() {
    let mut crowd = Crowd::new();
    crowd.waiting = Waiting::new(2);
    crowd.change = &PAYS;
    crowd.come(Priority::Single, 0..40, 1);
    let first = crowd.next();
    crowd.depart(first);
    crowd.change = &RECORDS;
    crowd.come(Priority::Single, [7], 1);
    crowd.change = &PAYS;
    crowd.come(Priority::Single, 100..140, 1);
    assert_eq!(crowd.next().submissions.len(), 40);
}
