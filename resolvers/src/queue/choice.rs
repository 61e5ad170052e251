//! Which of those that wait can go in one transaction.

use std::collections::{HashSet, VecDeque};

use super::submission::{LockHint, Priority, Submission};
use super::waiting::{Batch, Together, UnderWay};

/// The most bytes of one transaction's rows: as many as the most payments of one have, with their numbers.
const MAX_BYTES: usize = 2 << 20;

/// Who of those that wait can go in one transaction.
pub(super) struct Chosen {
    /// Of each that was looked at, from the front, whether he goes.
    goes: Vec<bool>,
    /// So many could go.
    most: usize,
    pub count: usize,
    locks: HashSet<LockHint>,
    /// So many stay that could have gone beside them, as far as anyone has looked.
    pub left: usize,
    /// So many of those stay because there was no room.
    no_room: usize,
    /// Some stay because their company has its places.
    pub is_held_back: bool,
}

impl Chosen {
    pub fn take_from(self, waiting: &mut VecDeque<Box<Submission>>) -> Batch {
        let mut submissions = Vec::with_capacity(self.count);
        let behind = waiting.split_off(self.goes.len());
        let looked_at = std::mem::take(waiting);
        for (submission, goes) in looked_at.into_iter().zip(self.goes) {
            if goes {
                submissions.push(*submission);
            } else {
                waiting.push_back(submission);
            }
        }
        waiting.extend(behind);
        let is_single = |submission: &Submission| submission.priority == Priority::Single;
        let first = submissions.first().map_or(Priority::Single, |first| first.priority);
        let priority = if submissions.iter().any(is_single) { Priority::Single } else { first };
        let company = submissions.first().and_then(Submission::company);
        Batch { submissions, most: self.most, company, locks: self.locks, priority, no_room: self.no_room }
    }
}

/// Looks from the front for what fits in one transaction. What locks a node of a transaction under way stays, and so does what came after it and
/// locks a node of its own: writes of one node keep their order, and none is passed by for ever. Of a change whose writes of one object take
/// turns the second stays for the next; so does what does not fit to the company of the first, and whose company is `full`.
pub(super) fn choose(waiting: &VecDeque<Box<Submission>>, under_way: &UnderWay, full: &HashSet<Together>, most: usize) -> Chosen {
    let mut chosen = Chosen { goes: Vec::new(), most, count: 0, locks: HashSet::new(), left: 0, no_room: 0, is_held_back: false };
    let mut company = None;
    let mut in_turn: HashSet<(&'static str, LockHint)> = HashSet::new();
    let mut passed_by: HashSet<LockHint> = HashSet::new();
    let mut bytes = 0;
    for (at, next) in waiting.iter().enumerate() {
        let size = next.size();
        if chosen.count > 0 && (chosen.count == most || bytes + size > MAX_BYTES) {
            chosen.no_room = waiting.len() - at;
            chosen.left += chosen.no_room;
            break;
        }
        let is_of_another = *company.get_or_insert_with(|| next.company()) != next.company();
        let is_locked = |lock| passed_by.contains(lock) || under_way.holds(lock);
        let have_their_places = full.contains(&next.company());
        let stays = have_their_places || is_of_another || next.locks().any(is_locked) || next.turns().any(|turn| in_turn.contains(&turn));
        chosen.goes.push(!stays);
        if stays {
            // The first that can't go must not decide with whom the others go.
            if chosen.count == 0 {
                company = None;
            }
            passed_by.extend(next.locks());
            chosen.left += usize::from(is_of_another && !have_their_places);
            chosen.is_held_back |= have_their_places;
            continue;
        }
        in_turn.extend(next.turns());
        bytes += size;
        chosen.locks.extend(next.locks());
        chosen.count += 1;
    }
    chosen
}
