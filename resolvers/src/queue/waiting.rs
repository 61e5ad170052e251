//! Writes that wait, and which of them go into the next transaction.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use tokio::task::Id;

use super::choice::choose;
use super::clock;
use super::submission::{Foresight, LockHint, Priority, Submission};

/// The most submissions of one transaction.
pub const MAX_ROWS: usize = 500;
/// The most of them when they are sent in bulk while single requests come as well, so that these do not wait long for the next one; and for how long
/// after the last of them others are expected.
const BULK_ROWS_BESIDE: usize = 24;
const EXPECTED: Duration = Duration::from_millis(200);
/// A transaction is begun beside others only for its share of all writes that are here, under way or likely to come again, within these bounds: a
/// smaller one costs the database more than it saves those who wait.
const COMPANY: std::ops::RangeInclusive<usize> = 8..=32;
/// The most transactions at once of those that share transactions: a fourth makes each smaller, and is left to others. Of those that are fewer than
/// others one is enough: what comes meanwhile is written together.
const OF_ONE_COMPANY: usize = 3;
/// Longer than this nobody waits for that company while there is room: the transaction under way may be a slow one.
const FOR_COMPANY: Duration = Duration::from_millis(20);
/// A transaction that has been under way for longer does not keep its place from others of its company.
pub const SLOW_FOR_COMPANY: Duration = Duration::from_millis(100);
/// Those who were answered at once often come again at once, and are written together when they are waited for, but no longer than this.
const FOR_RETURN: Duration = Duration::from_millis(2);
/// A transaction that takes longer makes the next ones smaller, down to this many.
const SLOW: Duration = Duration::from_secs(1);
const FEWEST: usize = 16;
/// What was sent in bulk goes next when nothing of it was taken for so long, however much else there is.
const PATIENCE: Duration = Duration::from_secs(1);
/// What is sent in bulk comes as a crowd: its first waits until so long nobody else has come, or a transaction is full.
const FOR_CROWD: Duration = Duration::from_millis(2);
/// So many crowds go side by side when they can tell what they lock, and the fewest of one that is begun where there could be two.
const CROWDS: usize = 2;
const FEWEST_OF_CROWD: usize = 64;

/// How many crowds may go side by side where so many transactions may be under way: one place is left to single requests.
pub(crate) fn crowds_of(at_once: usize) -> usize {
    CROWDS.min(at_once - 1).max(1)
}

/// What waits, in the order in which it came, and what transactions under way lock.
pub struct Waiting {
    single: VecDeque<Box<Submission>>,
    bulk: VecDeque<Box<Submission>>,
    under_way: UnderWay,
    /// So many transactions may be under way at once.
    at_once: usize,
    /// The most submissions of one transaction just now.
    most: usize,
    /// How many of the single requests that wait came, or came to have a chance, since the last look, and since when.
    unseen: usize,
    unseen_since: Option<Instant>,
    /// When some of them may have a place that others of their company keep from them now.
    held_back_until: Option<Instant>,
    /// Whether a look for what was sent in bulk may find something: something has come or landed since the last.
    bulk_unseen: bool,
    /// When that look was.
    bulk_looked: Instant,
    /// So many of those whom the last transaction answered have not come again, and until when they are waited for.
    returning: usize,
    returning_until: Option<Instant>,
    /// When something that was sent in bulk was taken last.
    bulk_taken: Instant,
    /// When something that was sent in bulk came last.
    bulk_came: Instant,
    /// When a single request came last, or one was answered.
    single_came: Option<Instant>,
}

/// Transactions that are being written.
#[derive(Default)]
pub(super) struct UnderWay(HashMap<Id, Departed>);

/// With whom a submission shares a transaction; see [`Submission::company`].
pub(super) type Together = Option<&'static str>;

impl UnderWay {
    /// Whether one of them locks this.
    pub fn holds(&self, lock: &LockHint) -> bool {
        self.0.values().any(|departed| departed.locks.contains(lock))
    }

    /// Companies that have all the places that one may have.
    fn full(&self) -> HashSet<Together> {
        self.0.values().map(|departed| departed.company).filter(|company| self.of(*company).count() >= OF_ONE_COMPANY).collect()
    }

    /// Companies of which no single request may depart now: the largest of those that are here has the places that the others leave, each of these its one.
    /// Those of which nobody could depart anyway, because all that they lock is locked, are left none.
    fn full_for_singles(&self, waiting: &VecDeque<Box<Submission>>, at_once: usize) -> HashSet<Together> {
        let mut here: HashMap<Together, usize> = HashMap::new();
        waiting.iter().for_each(|submission| *here.entry(submission.company()).or_default() += 1);
        self.singles().for_each(|departed| *here.entry(departed.company).or_default() += departed.submissions);
        let largest = here.iter().max_by_key(|(company, count)| (**count, **company)).map(|(company, _)| *company);
        let could_depart = |submission: &Submission| !submission.locks().any(|lock| self.holds(lock));
        let needs_a_place = |company: Together| {
            self.singles().any(|departed| departed.company == company)
                || waiting.iter().any(|submission| submission.company() == company && could_depart(submission))
        };
        let others = here.keys().filter(|company| Some(**company) != largest && needs_a_place(**company)).count();
        let has_its_places = |company: &Together| {
            let places = if Some(*company) == largest { at_once.saturating_sub(others).max(1) } else { 1 };
            self.quick_singles().filter(|departed| departed.company == *company).count() >= places
        };
        here.into_keys().filter(has_its_places).chain(self.full()).collect()
    }

    /// When the next of the transactions that keep their places is a slow one.
    fn next_slow(&self) -> Option<Instant> {
        self.quick_singles().map(|departed| departed.since + SLOW_FOR_COMPANY).min()
    }

    fn quick_singles(&self) -> impl Iterator<Item = &Departed> {
        self.singles().filter(|departed| clock::now().saturating_duration_since(departed.since) < SLOW_FOR_COMPANY)
    }

    fn of(&self, company: Together) -> impl Iterator<Item = &Departed> {
        self.0.values().filter(move |departed| departed.company == company)
    }

    fn singles(&self) -> impl Iterator<Item = &Departed> {
        self.0.values().filter(|departed| !departed.is_of_bulk())
    }
}

/// A transaction under way: how many submissions it has, what they lock, and whose they are.
pub struct Departed {
    pub submissions: usize,
    /// So many it could have had.
    pub most: usize,
    /// With whom others could share it.
    pub company: Together,
    pub since: Instant,
    pub locks: HashSet<LockHint>,
    pub foresight: Foresight,
    pub priority: Priority,
    /// So many stay for whom there was no room.
    pub no_room: usize,
}

impl Departed {
    fn is_of_bulk(&self) -> bool {
        self.priority == Priority::Bulk
    }

    /// Whether it is of what was sent in bulk, and others come with it.
    fn is_crowd(&self) -> bool {
        self.is_of_bulk() && (self.submissions > 1 || self.no_room > 0)
    }
}

/// Submissions of one transaction, and what they lock.
#[derive(Default)]
pub struct Batch {
    pub submissions: Vec<Submission>,
    /// So many it could have had.
    pub most: usize,
    /// With whom others could share it.
    pub company: Together,
    pub locks: HashSet<LockHint>,
    pub priority: Priority,
    /// So many stay for whom there was no room.
    pub no_room: usize,
}

impl Batch {
    /// What is written, and what is known of it meanwhile.
    pub fn depart(self) -> (Vec<Submission>, Departed) {
        let Self { submissions, most, company, locks, priority, no_room } = self;
        let foresight = Foresight::of(submissions.iter().map(Submission::foresight));
        let departed = Departed { submissions: submissions.len(), most, company, since: clock::now(), locks, foresight, priority, no_room };
        (submissions, departed)
    }
}

impl Waiting {
    /// Nothing waits. So many transactions may be under way at once.
    pub fn new(at_once: usize) -> Self {
        Self {
            at_once,
            single: VecDeque::new(),
            bulk: VecDeque::new(),
            under_way: UnderWay::default(),
            most: MAX_ROWS,
            unseen: 0,
            unseen_since: None,
            held_back_until: None,
            bulk_unseen: false,
            bulk_looked: clock::now(),
            returning: 0,
            returning_until: None,
            bulk_taken: clock::now(),
            bulk_came: clock::now(),
            single_came: None,
        }
    }

    /// Makes transactions smaller while the database is slow, and larger again when it is not. Those that were small for want of others say nothing.
    fn pace(&mut self, rows: usize, most: usize, took: Duration) {
        if rows * 2 <= most {
            return;
        }
        if took > SLOW {
            self.most = (rows / 2).clamp(FEWEST, self.most);
        } else if took < SLOW / 4 {
            self.most = (self.most + self.most / 4 + 1).min(MAX_ROWS);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.single.len() + self.bulk.len()
    }

    /// Whether more may come in: a look goes through all that waits. Who sends in bulk has bounded that himself, and must not keep others out.
    pub fn room(&self) -> usize {
        (2 * MAX_ROWS).saturating_sub(self.single.len())
    }

    pub fn push(&mut self, submission: Box<Submission>) {
        let now = clock::now();
        match submission.priority {
            Priority::Single | Priority::Prompt => {
                if submission.priority == Priority::Single {
                    self.single_came = Some(now);
                }
                self.single.push_back(submission);
                self.unseen += 1;
                self.unseen_since.get_or_insert(now);
            }
            Priority::Bulk => {
                self.bulk_came = now;
                self.bulk.push_back(submission);
                self.bulk_unseen = true;
            }
        }
        self.returning = self.returning.saturating_sub(1);
    }

    /// Whether it is time to look for another transaction.
    pub fn is_due(&self) -> bool {
        let now = clock::now();
        self.single_is_due(now) || self.bulk_is_due(now)
    }

    /// Beside others, a transaction of single requests takes company, or a moment's wait; where nothing is under way a lone request waits for nobody, and of
    /// many who are sending one after another the first waits for the others.
    fn single_is_due(&self, now: Instant) -> bool {
        let has_company = match self.under_way.0.is_empty() {
            true => self.single.len() >= self.share(self.single.len()).min(*COMPANY.end()),
            // Those that wait for others to end are nobody's company.
            false => self.unseen >= self.share(self.unseen).clamp(*COMPANY.start(), *COMPANY.end()),
        };
        !self.single.is_empty() && (has_company || self.single_due_at().is_some_and(|at| at <= now))
    }

    fn bulk_is_due(&self, now: Instant) -> bool {
        self.bulk_due_at().is_some_and(|at| at <= now)
    }

    /// Whether another transaction may be begun beside those under way.
    pub fn has_room(&self) -> bool {
        self.under_way.0.len() < self.at_once
    }

    /// How many transactions may be under way of those that could share one, at the most.
    fn of_one_company(&self) -> usize {
        self.at_once.min(OF_ONE_COMPANY)
    }

    /// What one of the transactions that may be under way for the same company has, if all have the same of those who wait, are under way or are likely
    /// to come again.
    fn share(&self, waiting: usize) -> usize {
        let under_way: usize = self.under_way.0.values().map(|batch| batch.submissions).sum();
        (under_way + waiting + self.returning()) / self.of_one_company()
    }

    /// How many are likely to come again just now.
    fn returning(&self) -> usize {
        if self.returning_until.is_some_and(|until| clock::now() < until) { self.returning } else { 0 }
    }

    /// When those who wait have waited long enough.
    pub fn due_at(&self) -> Option<Instant> {
        self.single_due_at().into_iter().chain(self.bulk_due_at()).min()
    }

    fn single_due_at(&self) -> Option<Instant> {
        match self.under_way.0.is_empty() {
            _ if self.single.is_empty() => None,
            true => self.returning_until,
            false => {
                let with_company = self.unseen_since.filter(|_| self.unseen > 0).map(|since| since + FOR_COMPANY);
                with_company.into_iter().chain(self.held_back_until).min()
            }
        }
    }

    /// When all of a crowd have come. Beside another crowd none goes until it has waited too long, unless both can tell what they lock: else the two
    /// would lock each other's nodes, and one of them would have been written in vain.
    fn bulk_due_at(&self) -> Option<Instant> {
        let first = self.bulk.front()?;
        // The last place is that of single requests, however long the others take: until one of them ends.
        let only_last_is_free = |taken: usize| taken > 0 && taken + 1 >= self.of_one_company();
        let under_way = |is_such: fn(&Departed) -> bool| self.under_way.0.values().filter(|departed| is_such(departed)).count();
        if only_last_is_free(under_way(Departed::is_crowd)) || (only_last_is_free(under_way(Departed::is_of_bulk)) && self.singles_are_expected()) {
            return None;
        }
        let seen = !self.under_way.0.is_empty() && !self.bulk_unseen;
        if seen || !self.crowd_has_room(first) {
            // Some of those that locked its nodes may have waited with it.
            return Some(self.patient_until(first).max(self.bulk_looked + FOR_COMPANY));
        }
        Some(if self.bulk.len() >= self.largest_of_bulk() { self.bulk_came } else { self.bulk_came + FOR_CROWD })
    }

    /// Whether what was sent in bulk may go as a crowd beside the crowds under way.
    fn crowd_has_room(&self, first: &Submission) -> bool {
        let crowds: Vec<&Departed> = self.under_way.0.values().filter(|departed| departed.is_crowd()).collect();
        let foresight = Foresight::of(crowds.iter().map(|crowd| crowd.foresight).chain([first.foresight()]));
        crowds.is_empty() || (foresight == Foresight::Full && crowds.len() < self.crowds() && !self.singles_are_expected())
    }

    /// How many crowds may go side by side.
    fn crowds(&self) -> usize {
        crowds_of(self.at_once)
    }

    /// Until when the first of those that were sent in bulk lets others go first.
    fn patient_until(&self, first: &Submission) -> Instant {
        first.since.max(self.bulk_taken) + PATIENCE
    }

    pub fn departed(&mut self, transaction: Id, departed: Departed) {
        self.under_way.0.insert(transaction, departed);
    }

    /// A transaction has answered so many, after so long.
    pub fn landed(&mut self, transaction: Id, answered: usize, took: Duration) {
        let departed = self.under_way.0.remove(&transaction);
        if let Some(departed) = &departed {
            self.pace(answered, departed.most, took);
        }
        if departed.is_none_or(|departed| departed.priority == Priority::Single) {
            // Whoever was answered may come again; of what is sent in bulk nothing does.
            self.single_came = Some(clock::now());
            self.returning = answered;
            self.returning_until = Some(clock::now() + FOR_RETURN);
        }
        self.unseen = self.single.len();
        self.unseen_since = (self.unseen > 0).then(clock::now);
        self.bulk_unseen = !self.bulk.is_empty();
    }

    /// Whether single requests come just now: one is here, or others are likely to come. Those who wait for a transaction of bulk to end send nothing
    /// meanwhile; were they forgotten, the next would be a large one, too.
    fn singles_are_expected(&self) -> bool {
        self.singles_are_here() || self.single_came.is_some_and(|came| clock::now().saturating_duration_since(came) < EXPECTED)
    }

    fn singles_are_here(&self) -> bool {
        let mut here = self.single.iter().map(|submission| submission.priority).chain(self.under_way.0.values().map(|departed| departed.priority));
        here.any(|priority| priority == Priority::Single)
    }

    /// How many of those that were sent in bulk a transaction may have.
    fn largest_of_bulk(&self) -> usize {
        if self.singles_are_expected() { self.most.min(BULK_ROWS_BESIDE) } else { self.most }
    }

    /// How many of them the next one takes. Where another can go beside it both get their share: what is left gets smaller, and so does the last, so that
    /// none waits long for the other to end.
    fn share_of_bulk(&self) -> usize {
        let largest = self.largest_of_bulk();
        match self.bulk.front() {
            Some(first) if first.foresight() == Foresight::Full && self.crowds() > 1 => {
                (self.bulk.len() / (2 * self.crowds())).max(FEWEST_OF_CROWD).min(largest)
            }
            _ => largest,
        }
    }

    /// The next transaction: of single requests where one of them can go, else of what was sent in bulk; of that first when it has waited long.
    pub fn next_batch(&mut self) -> Batch {
        let now = clock::now();
        self.single.retain(|submission| !submission.is_given_up());
        self.bulk.retain(|submission| !submission.is_given_up());
        let impatient = self.bulk.front().is_some_and(|first| self.patient_until(first) <= now);
        let order = if impatient { [Priority::Bulk, Priority::Single] } else { [Priority::Single, Priority::Bulk] };
        for priority in order {
            let batch = match priority {
                // Whenever there is a look they come first: company is what they wait for only while nothing else would go.
                Priority::Single | Priority::Prompt => self.next_of_single(),
                Priority::Bulk if self.bulk_is_due(now) => self.next_of_bulk(now),
                _ => Batch::default(),
            };
            if !batch.submissions.is_empty() {
                return batch;
            }
        }
        Batch::default()
    }

    fn next_of_single(&mut self) -> Batch {
        let full = self.under_way.full_for_singles(&self.single, self.at_once);
        let chosen = choose(&self.single, &self.under_way, &full, self.most);
        self.unseen = chosen.left;
        self.unseen_since = (chosen.left > 0).then(clock::now);
        self.held_back_until = self.under_way.next_slow().filter(|_| chosen.is_held_back);
        chosen.take_from(&mut self.single)
    }

    fn next_of_bulk(&mut self, now: Instant) -> Batch {
        let chosen = choose(&self.bulk, &self.under_way, &self.under_way.full(), self.share_of_bulk());
        self.bulk_unseen = false;
        self.bulk_looked = now;
        if chosen.count == 0 {
            return Batch::default();
        }
        self.bulk_taken = now;
        self.bulk_unseen = chosen.left > 0;
        chosen.take_from(&mut self.bulk)
    }
}
